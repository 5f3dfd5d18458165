/** Measures cases in processor time and compares them with the first of them. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** A case, and the largest ratio that is allowed to the first case. */
export interface Case {
  readonly name: string
  readonly run: () => unknown
  /** Called before a sample, outside its time, with the number of runs in it. */
  readonly before?: (times: number) => void
  readonly atMost?: number
}

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as (options: { type: 'minor' | 'major' }) => void

/** Collects what earlier samples left; otherwise its collection would be in the time of the next one. */
export function collectGarbage(): void {
  collect({ type: 'major' })
}

/** Runs that each get an input of their own, made outside the time that is measured. */
export function onFresh<Input>(
  make: () => Input,
  run: (input: Input) => unknown,
): Pick<Case, 'run' | 'before'> {
  let inputs: Input[] = []
  return {
    before: (times) => {
      inputs = Array.from({ length: times }, make)
      // Twice moves the new objects to where the collector leaves them alone.
      collect({ type: 'minor' })
      collect({ type: 'minor' })
    },
    run: () => run(inputs.pop() as Input),
  }
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
export async function compare(
  title: string,
  cases: readonly Case[],
  rounds = ROUNDS,
): Promise<string[]> {
  const repeats: number[] = []
  for (const one of cases) repeats.push(await timesOf(one))
  for (let time = 1; ; time++) {
    const samples: number[][] = cases.map(() => [])
    for (let round = 0; round < rounds; round++)
      for (const [index, one] of cases.entries())
        samples[index]?.push(await sampleOf(one, repeats[index] as number))
    const medians = samples.map((own) => own.sort((a, b) => a - b)[rounds >> 1] as number)
    const ratios = medians.map((milliseconds) => milliseconds / (medians[0] as number))
    const rows = cases.map(({ name, atMost = '' }, index) => {
      return [name, ratios[index]?.toFixed(2), `${medians[index]?.toFixed(3)} ms`, atMost]
    })
    console.log(`\n### ${title}\n\n${markdownTable(['case', 'ratio', 'time', 'at most'], rows)}`)
    const over = cases.flatMap(({ name, atMost = Infinity }, index) => {
      const ratio = ratios[index] as number
      const times = `takes ${ratio.toFixed(2)} times the case it is compared with`
      return ratio > atMost ? [`${title}: "${name}" ${times}; at most ${atMost} are allowed.`] : []
    })
    if (time === MOST_MEASUREMENTS || over.length === 0) return over
    console.log('\nA ratio is over its bound. Measured again:')
  }
}

/** How many runs a sample has. The first ones also compile. */
async function timesOf(one: Case): Promise<number> {
  let times = 1
  while (times < MOST_RUNS && (await sampleOf(one, times)) * times < SAMPLE_MILLISECONDS) times *= 2
  return times
}

/** Milliseconds of one run. */
async function sampleOf({ before, run }: Case, times: number): Promise<number> {
  before?.(times)
  return (await timeOf(run, times)) / times
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

/** A table for a page of `docs`; all columns but the first are aligned to the right. */
export function markdownTable(
  heads: readonly string[],
  rows: readonly (readonly unknown[])[],
): string {
  return [heads, heads.map((_, at) => (at === 0 ? '---' : '---:')), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')
}
