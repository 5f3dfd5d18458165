import { capture, expectMatch, type Recorder } from '../../recorder'
import { read, run, write } from '../../tools'
import { compareScript } from './scripts'

/** The largest size of crossover.js at which `find` or `loop` is not slower than the map; 0 for none. */
function lastWin(table: string, way: 'find' | 'loop'): number {
  const rows = table.matchAll(
    new RegExp(`^\\s*(\\d+) map\\s+([\\d.]+).*? ${way}\\s+([\\d.]+)`, 'gm'),
  )
  const wins = [...rows]
    .filter((row) => Number(row[3]) <= Number(row[2]))
    .map((row) => Number(row[1]))
  return Math.max(0, ...wins)
}

const wins = (size: number) => (size === 0 ? 'at no size' : `up to ${size} keys`)

/** Repeats the measurement, checks for the order effect, writes the report and checks its figures. */
export async function conclude(agent: Recorder): Promise<void> {
  const twice = await agent.turn(
    'Read per lookup, half of them misses. Once more, as single runs of this size wander:',
    run('node crossover.js; echo; node crossover.js'),
  )
  const [one = '', other = ''] = twice[0].split('\n\n')
  const byFind = [wins(lastWin(one, 'find')), wins(lastWin(other, 'find'))]
  const byLoop = [wins(lastWin(one, 'loop')), wins(lastWin(other, 'loop'))]
  await agent.turn(
    `In these two runs find is not slower than the Map ${byFind[0]} and ${byFind[1]}, the plain loop ${byLoop[0]} and ${byLoop[1]}. Question 3, trust. The whole measurement again in a fresh process:`,
    run(
      'cp timings.csv first.csv && node measure.js && mv timings.csv second.csv && mv first.csv timings.csv && wc -l *.csv',
      300,
    ),
  )
  const compare = await agent.turn(
    'Cell by cell, medians of repeats 3 to 8:',
    write('compare.js', compareScript),
    run('node compare.js timings.csv second.csv'),
  )
  const [, offSmall, cellsSmall] = /size\s+10\s+(\d+) of (\d+)/.exec(compare[1]) ?? []
  const [, offLarge, cellsLarge] = /size\s+10000\s+(\d+) of (\d+)/.exec(compare[1]) ?? []
  await agent.turn(
    `Size 10: ${offSmall} of ${cellsSmall} cells differ by more than a quarter between two runs; size 10,000: ${offLarge} of ${cellsLarge}. Which of them is noise and which is order? Which kind of key is measured first, and what is the clock worth at this size:`,
    run("grep -n 'short:\\|long:\\|digits:\\|const sizes\\|hrtime' measure.js"),
    run(
      'awk -F, \'NR > 1 && $4 == 10 { bucket = ($7 < 0.5) ? "below 0.5 us" : ($7 < 1) ? "0.5 to 1 us" : ($7 < 2) ? "1 to 2 us" : "2 us and more"; count[bucket]++ } END { for (bucket in count) print count[bucket], bucket }\' timings.csv | sort -rn',
    ),
    run(
      `node -e "const steps = []; for (let round = 0; round < 2000; round++) { const first = process.hrtime.bigint(); const second = process.hrtime.bigint(); steps.push(Number(second - first)) } steps.sort((one, other) => one - other); console.log('two clock reads apart by', steps[0], 'ns at least,', steps[1000], 'in the median,', steps[1980], 'at the 99th percent')"`,
    ),
  )
  const reversed = await agent.turn(
    'Short keys come first and a size-10 measurement lasts about as long as reading the clock a few times. To separate the order effect: the same program with the kinds of keys reversed.',
    run(
      `sed -e "s/of Object.entries(keyKinds)/of Object.entries(keyKinds).reverse()/" -e "s/'timings.csv'/'reversed.csv'/" -e 's/10000, 50000\\]/10000]/' measure.js > measure-reversed.js && node measure-reversed.js`,
      300,
    ),
    run(
      `for file in timings.csv second.csv reversed.csv; do echo $file; node summary.js $file 3 hit | awk '$3 == 10 || $3 == 1000'; done`,
    ),
  )
  const normal = capture(reversed[1], /timings\.csv\nhit\s+short\s+10\s+([\d.]+)/)
  const late = capture(reversed[1], /reversed\.csv\n(?:.*\n)*?hit\s+short\s+10\s+([\d.]+)/)
  await agent.turn(
    `A hit in an object of 10 short keys: ${normal} ns when short comes first, ${late} ns when it comes last. Same code, same keys; the size-10 rows compare the order of measuring as much as the containers. And the digits effect, does it survive the reversal?`,
    run('node compare.js timings.csv reversed.csv | head -n 6'),
    run(
      "node summary.js reversed.csv 3 hit | awk 'NR == 1 || $3 == 10000'; node summary.js timings.csv 3 hit | awk '$3 == 10000'",
    ),
  )
  const figures = await agent.turn(
    'Digit keys stay the slowest ones for the object there too. Last, the figures for the report in one place, medians of both full runs:',
    run(
      `for file in timings.csv second.csv; do echo $file; node summary.js $file 3 | awk 'NR == 1 || $3 == 1000 || $3 == 50000'; done`,
    ),
  )
  expectMatch(figures[0], /second\.csv/)
  const at = (operation: string, keys: string) => {
    const match = new RegExp(`${operation}\\s+${keys}\\s+50000\\s+([\\d.]+)\\s+([\\d.]+)`).exec(
      figures[0],
    )
    return `${match?.[1]} | ${match?.[2]}`
  }
  const report = `# Containers by key, medians of repeats 3 to 8, nanoseconds per key

| 50,000 keys | object | Map |
| --- | --- | --- |
| hit, short keys | ${at('hit', 'short')} |
| hit, digit keys | ${at('hit', 'digits')} |
| miss, short keys | ${at('miss', 'short')} |
| insert, short keys | ${at('insert', 'short')} |
| insert, digit keys | ${at('insert', 'digits')} |
| delete, short keys | ${at('delete', 'short')} |

- Keys that are whole numbers below 4294967295 make an object slow; a letter in front cures most of it.
- Pairs in an array against a Map, in two runs: find is not slower ${byFind[0]} and ${byFind[1]}, a plain loop ${byLoop[0]} and ${byLoop[1]}.
- Rows of size 10 in timings.csv are not to be used: ${offSmall} of ${cellsSmall} cells changed by more than a quarter between runs, and short keys paid for being first.
`
  await agent.turn(
    'The report, and a check of its table against the file by another tool than the one that made it.',
    write('report.md', report),
    run(
      `for operation in hit insert; do for keys in short digits; do for structure in object map; do grep "^$structure,$operation,$keys,50000,[3-8]," timings.csv | awk -F, '{ printf "%.1f\\n", $7 * 1000 / $6 }' | sort -n | awk -v name="$operation $keys $structure" '{ values[NR] = $1 } END { print name, values[int(NR / 2) + 1] }'; done; done; done`,
    ),
    read('report.md'),
  )
  agent.say(
    `report.md has the table; shell and node agree on it.
- Object or Map: at 50,000 short keys a hit takes ${at('hit', 'short').replace(' | ', ' against ')} ns, at digit keys ${at('hit', 'digits').replace(' | ', ' against ')}. For numbers as keys, and whenever all values are walked through, take a Map.
- Pairs: searched with find they keep up ${byFind[0]} and ${byFind[1]} (two runs), with a plain loop ${byLoop[0]} and ${byLoop[1]}; no reason to prefer them for speed beyond that.
- Not to be trusted: everything at size 10, and repeats 0 to 2; at 10,000 keys ${offLarge} of ${cellsLarge} cells still moved by more than a quarter between two runs, so only large factors mean something. My first overall medians were wrong as well (text sort) and are not used anywhere.
What the data cannot tell: other engines, other processors, memory, and keys that are not strings.`,
  )
}
