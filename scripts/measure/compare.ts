/** Measures cases in processor time and compares them with the first of them. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * A case: the largest ratio that is allowed to the first case, and what is called before a sample, outside its time, with the
 * number of runs in it.
 */
export type Case = readonly [
  name: string,
  run: () => unknown,
  atMost?: number | undefined,
  before?: (times: number) => void,
]

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as (options: { type: 'minor' | 'major' }) => void

/** Collects what earlier samples left; otherwise its collection would be in the time of the next one. */
export function collectGarbage(): void {
  collect({ type: 'major' })
}

/** A case whose runs each get an input of their own, made outside the time that is measured. */
export function onFresh<Input>(
  name: string,
  make: () => Input,
  run: (input: Input) => unknown,
  atMost?: number,
): Case {
  let inputs: Input[] = []
  const before = (times: number) => {
    inputs = Array.from({ length: times }, make)
    // Twice moves the new objects to where the collector leaves them alone.
    collect({ type: 'minor' })
    collect({ type: 'minor' })
  }
  return [name, () => run(inputs.pop() as Input), atMost, before]
}

const SAMPLE_MILLISECONDS = 20
const MOST_RUNS = 16_384
const ROUNDS = 15
/** A block with a ratio over its bound is measured again: other work on the machine slows a case once, not always. */
const MOST_MEASUREMENTS = 3

/**
 * Prints the cases with their ratios to the first one, and returns a sentence for each over its bound. They take turns, and
 * each is the median of its samples.
 */
export async function compare(title: string, cases: readonly Case[], rounds = ROUNDS) {
  const repeats: number[] = []
  for (const one of cases) {
    // The first runs also compile.
    let times = 1
    while (times < MOST_RUNS && (await sampleOf(one, times)) < SAMPLE_MILLISECONDS) times *= 2
    repeats.push(times)
  }
  for (let time = 1; ; time++) {
    const samples: number[][] = cases.map(() => [])
    for (let round = 0; round < rounds; round++)
      for (const [index, one] of cases.entries()) {
        const times = repeats[index] as number
        samples[index]?.push((await sampleOf(one, times)) / times)
      }
    const medians = samples.map((own) => quantile(own, 0.5))
    const over: string[] = []
    const rows = cases.map(([name, , atMost = Infinity], index) => {
      const ratio = (medians[index] as number) / (medians[0] as number)
      if (ratio > atMost)
        over.push(
          `${title}: "${name}" takes ${ratio.toFixed(2)} times the case it is compared with; at most ${atMost} are allowed.`,
        )
      const time = `${medians[index]?.toFixed(3)} ms`
      const bound = atMost === Infinity ? '' : atMost
      return { case: name, ratio: ratio.toFixed(2), time, 'at most': bound }
    })
    console.log(`\n### ${title}\n\n${markdownTable(rows)}`)
    if (time === MOST_MEASUREMENTS || over.length === 0) return over
    console.log('\nA ratio is over its bound. Measured again:')
  }
}

function sampleOf([, run, , before]: Case, times: number): Promise<number> {
  before?.(times)
  return timeOf(run, times)
}

/** Milliseconds of processor time, those of the garbage collector included; other work on the machine counts little. */
export async function timeOf(run: () => unknown, times = 1): Promise<number> {
  const start = process.cpuUsage()
  for (let time = 0; time < times; time++) {
    const result = run()
    if (result instanceof Promise) await result
  }
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1000
}

/** The largest of this share of the values, the lowest ones. */
export function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? 0
}

/** A table for a page of `docs`, with a heading for each name; all columns but the first are aligned to the right. */
export function markdownTable(rows: readonly Readonly<Record<string, unknown>>[]): string {
  const heads = Object.keys(rows[0] ?? {})
  const lines = heads.map((_, at) => (at === 0 ? '---' : '---:'))
  return [heads, lines, ...rows.map((row) => heads.map((head) => row[head]))]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')
}
