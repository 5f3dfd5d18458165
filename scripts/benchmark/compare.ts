/** Measures cases in processor time and compares them with the first of them. */

/** A case, and the largest ratio to the first case of its block that is allowed. */
export interface Case {
  readonly name: string
  readonly run: () => unknown
  readonly atMost?: number
}

export interface Row {
  readonly name: string
  readonly milliseconds: number
  readonly ratio: number
  readonly atMost: number | undefined
}

export interface Block {
  readonly title: string
  readonly rows: readonly Row[]
}

const ROUNDS = 7
const SAMPLE_MILLISECONDS = 20

/** Processor time, so that other work on the machine counts little. The cases take turns, each row is a median. */
export async function compare(title: string, cases: readonly Case[]): Promise<Block> {
  const repeats: number[] = []
  for (const { run } of cases) {
    // Twice, as the first run also compiles.
    await timeOf(run, 1)
    const once = Math.max(0.001, await timeOf(run, 1))
    const warm = Math.min(2_000, Math.max(1, Math.round(SAMPLE_MILLISECONDS / once)))
    const each = (await timeOf(run, warm)) / warm
    repeats.push(Math.min(20_000, Math.max(1, Math.round(SAMPLE_MILLISECONDS / each))))
  }
  const samples: number[][] = cases.map(() => [])
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, { run }] of cases.entries()) {
      const times = repeats[index] as number
      samples[index]?.push((await timeOf(run, times)) / times)
    }
  }
  const medians = samples.map((own) => own.sort((a, b) => a - b)[ROUNDS >> 1] as number)
  return blockOf(
    title,
    cases.map(({ name, atMost }, index) => ({
      name,
      atMost,
      milliseconds: medians[index] as number,
      ratio: (medians[index] as number) / (medians[0] as number),
    })),
  )
}

/** Prints a block. */
export function blockOf(title: string, rows: readonly Row[]): Block {
  const width = Math.max(...rows.map(({ name }) => name.length))
  console.log(`\n${title}`)
  for (const { name, ratio, milliseconds, atMost } of rows) {
    const bound = atMost === undefined ? '' : `  at most ${atMost}`
    console.log(
      `  ${name.padEnd(width)}  ${ratio.toFixed(2).padStart(8)} x  ${milliseconds.toFixed(3).padStart(10)} ms${bound}`,
    )
  }
  return { title, rows }
}

/** Milliseconds of processor time, those of the garbage collector included. */
export async function timeOf(run: () => unknown, times: number): Promise<number> {
  const start = process.cpuUsage()
  for (let time = 0; time < times; time++) {
    const result = run()
    if (result instanceof Promise) await result
  }
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1000
}

/** A sentence for each ratio over its bound. */
export function findRegressions(blocks: readonly Block[]): string[] {
  return blocks.flatMap(({ title, rows }) =>
    rows.flatMap(({ name, ratio, atMost }) =>
      atMost !== undefined && ratio > atMost
        ? [
            `${title}: "${name}" takes ${ratio.toFixed(2)} times the first case; at most ${atMost} are allowed.`,
          ]
        : [],
    ),
  )
}

/** The blocks as Markdown tables. */
export function tablesOf(blocks: readonly Block[]): string {
  return blocks
    .map(({ title, rows }) =>
      [
        `### ${title}\n`,
        '| case | ratio | at most |',
        '| --- | ---: | ---: |',
        ...rows.map(
          ({ name, ratio, atMost }) => `| ${name} | ${ratio.toFixed(2)} | ${atMost ?? ''} |`,
        ),
      ].join('\n'),
    )
    .join('\n\n')
}
