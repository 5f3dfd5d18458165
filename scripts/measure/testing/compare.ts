/** Measures cases in processor time and compares them with the first of them. */
import { Bench } from 'tinybench'
import { markdownTable, quantile } from './tables'

/** A case, the largest ratio that is allowed to the first case, and what is called before each run, outside its time. */
export type Case = readonly [
  name: string,
  run: () => unknown,
  atMost?: number,
  beforeEach?: () => void,
]

/** A block with a ratio over its bound is measured again: other work on the machine slows a case once, not always. */
const MOST_MEASUREMENTS = 3

/** Milliseconds of processor time, those of the garbage collector included; other work on the machine counts little. */
function now(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** Prints the cases with the ratios of their medians to the first one, and returns a sentence for each over its bound. */
export async function compare(title: string, cases: readonly Case[], time = 500) {
  for (let measurement = 1; ; measurement++) {
    const bench = new Bench({ time, now, throws: true })
    for (const [name, run, , beforeEach] of cases)
      bench.add(name, run, beforeEach === undefined ? {} : { beforeEach })
    await bench.warmup()
    await bench.run()
    const medians = bench.tasks.map(({ result }) => quantile(result?.samples ?? [], 0.5))
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
    if (measurement === MOST_MEASUREMENTS || over.length === 0) return over
    console.log('\nA ratio is over its bound. Measured again:')
  }
}
