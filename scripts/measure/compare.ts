/** Measures cases in processor time and compares them with the first of them. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** A case, and the largest ratio that is allowed: to the last case before it that is a base, else to the first one. */
export interface Case {
  readonly name: string
  readonly run: () => unknown
  /** Called before a sample, outside its time, with the number of runs in it. */
  readonly before?: (times: number) => void
  readonly isBase?: boolean
  readonly atMost?: number
}

export interface Row {
  readonly name: string
  readonly milliseconds: number
  readonly ratio: number
  readonly atMost?: number | undefined
}

export interface Block {
  readonly title: string
  readonly rows: readonly Row[]
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

const ROUNDS = 7
const SAMPLE_MILLISECONDS = 20

/** For small ratios: more samples, and cases that ran long enough to be compiled. */
export const PRECISE = { rounds: 21, warmMilliseconds: 200 }

/** A block with a ratio over its bound is measured again: other work on the machine slows a case once, not always. */
const MOST_MEASUREMENTS = 3

/** Prints the cases with their ratios. They take turns, and each is the median of its samples. */
export async function compare(
  title: string,
  cases: readonly Case[],
  { rounds, warmMilliseconds } = { rounds: ROUNDS, warmMilliseconds: SAMPLE_MILLISECONDS },
): Promise<Block> {
  const repeats: number[] = []
  for (const one of cases) {
    // Twice, as the first run also compiles.
    await sampleOf(one, 1)
    const once = Math.max(0.001, await sampleOf(one, 1))
    const warm = Math.min(2_000, Math.max(1, Math.round(SAMPLE_MILLISECONDS / once)))
    let each = await sampleOf(one, warm)
    for (let spent = each * warm; spent < warmMilliseconds; spent += each * warm)
      each = await sampleOf(one, warm)
    repeats.push(Math.min(20_000, Math.max(1, Math.round(SAMPLE_MILLISECONDS / each))))
  }
  for (let time = 1; ; time++) {
    const block = printBlock(title, await measureRows(cases, repeats, rounds))
    if (time === MOST_MEASUREMENTS || findRegressions([block]).length === 0) return block
    console.log('\nA ratio is over its bound. Measured again:')
  }
}

async function measureRows(
  cases: readonly Case[],
  repeats: readonly number[],
  rounds: number,
): Promise<Row[]> {
  const samples: number[][] = cases.map(() => [])
  for (let round = 0; round < rounds; round++) {
    for (const [index, one] of cases.entries()) {
      samples[index]?.push(await sampleOf(one, repeats[index] as number))
    }
  }
  const medians = samples.map((own) => own.sort((a, b) => a - b)[rounds >> 1] as number)
  let base = medians[0] as number
  return cases.map(({ name, isBase, atMost }, index) => {
    const milliseconds = medians[index] as number
    if (isBase === true) base = milliseconds
    return { name, atMost, milliseconds, ratio: milliseconds / base }
  })
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

export function printBlock(title: string, rows: readonly Row[]): Block {
  const cells = rows.map(({ name, ratio, milliseconds, atMost = '' }) => [
    ...[name, ratio.toFixed(2), `${milliseconds.toFixed(3)} ms`, `${atMost}`],
  ])
  console.log(`\n### ${title}\n\n${markdownTable(['case', 'ratio', 'time', 'at most'], cells)}`)
  return { title, rows }
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

/** A sentence for each ratio over its bound. */
export function findRegressions(blocks: readonly Block[]): string[] {
  return blocks.flatMap(({ title, rows }) =>
    rows.flatMap(({ name, ratio, atMost }) =>
      atMost !== undefined && ratio > atMost
        ? [
            `${title}: "${name}" takes ${ratio.toFixed(2)} times the case it is compared with; at most ${atMost} are allowed.`,
          ]
        : [],
    ),
  )
}
