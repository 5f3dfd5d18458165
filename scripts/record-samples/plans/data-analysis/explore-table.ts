import { capture, expectMatch, type Recorder } from '../../recorder'
import { read, run, write } from '../../tools'
import { summaryScript } from './scripts'

/** Examines the table: rows, outliers, a wrong median and the right one, the warm-up. */
export async function exploreTable(agent: Recorder): Promise<void> {
  agent.user(
    'timings.csv holds measurements of four containers (README.md says what). I want to know: object or Map for string keys, when is a plain array of pairs enough, and is anything in the data itself not to be trusted?',
  )
  const start = await agent.turn(
    'The description, the size of the file and its first rows.',
    read('README.md'),
    run('wc -l timings.csv; head -n 25 timings.csv'),
  )
  const rows = Number(capture(start[1], /(\d+) timings\.csv/)) - 1
  await agent.turn(
    `${rows} measurements. Are all cells filled equally, and is every row whole?`,
    run(
      'awk -F, \'NR > 1 { count[$1 " " $3 " " $4]++ } END { for (cell in count) print cell, count[cell] }\' timings.csv | sort -k1,1 -k2,2 -k3,3n',
    ),
    run(
      `awk -F, 'NR > 1 && (NF != 7 || $7 !~ /^[0-9.]+$/ || $6 < 1) { bad++ } NR > 1 && $7 == 0 { zero++ } END { printf "bad rows %d, zero times %d\\n", bad, zero }' timings.csv`,
    ),
  )
  const means = await agent.turn(
    'Complete. `pairs` stops at 1,000 keys as described. A first look, mean nanoseconds per operation:',
    run(
      `awk -F, 'NR > 1 { key = $2 " " $4 " " $1; sum[key] += $7 * 1000 / $6; count[key]++ } END { for (key in sum) printf "%s %.1f\\n", key, sum[key] / count[key] }' timings.csv | sort -k1,1 -k2,2n -k3,3 | awk '{ printf "%-8s %6d %-7s %10.1f\\n", $1, $2, $3, $4 }'`,
    ),
  )
  const mean = capture(means[0], /hit\s+10 map\s+([\d.]+)/)
  await agent.turn(
    `Means can be ruled by a few bad values: ${mean} ns for a hit in a Map of 10 looks like that. How far apart are the repeats of one cell?`,
    run(
      `awk -F, 'NR > 1 { key = $1 " " $2 " " $3 " " $4; value = $7 * 1000 / $6; if (!(key in low) || value < low[key]) low[key] = value; if (value > high[key]) { high[key] = value; where[key] = $5 } } END { for (key in low) printf "%8.1f %9.1f %9.1f repeat %d  %s\\n", high[key] / low[key], low[key], high[key], where[key], key }' timings.csv | sort -rn | head -n 40`,
    ),
  )
  const wrong = await agent.turn(
    'Up to orders of magnitude, mostly in small sizes and early repeats. Medians then. Quick one in the shell, the four structures over everything:',
    run(
      `for structure in object map sorted pairs; do grep "^$structure,hit," timings.csv | awk -F, '{ printf "%.1f\\n", $7 * 1000 / $6 }' | sort | awk -v name=$structure '{ values[NR] = $1 } END { printf "%-7s %d values, median %s ns\\n", name, NR, values[int((NR + 1) / 2)] }'; done`,
    ),
  )
  const wrongMedian = capture(wrong[0], /sorted\s+\d+ values, median ([\d.]+)/)
  const failed = await agent.turn(
    `${wrongMedian} ns for the sorted array? A second way, in node, by cell, which I need anyway.`,
    write('summary.js', summaryScript),
    run('node summary.js timing.csv 0 hit'),
  )
  expectMatch(failed[1], /ENOENT/)
  await agent.turn('A typing error in the file name.', run('node summary.js timings.csv 0 hit'))
  const right = await agent.turn(
    'And the overall medians the shell gave, once as I did it and once with a numeric sort:',
    run(
      `for structure in object map sorted pairs; do for order in '' -n; do grep "^$structure,hit," timings.csv | awk -F, '{ printf "%.1f\\n", $7 * 1000 / $6 }' | sort $order | awk -v name=$structure -v order="sort $order" '{ values[NR] = $1 } END { printf "%-7s %-8s median %8.1f   middle values %s %s %s\\n", name, order, values[int((NR + 1) / 2)], values[int(NR / 2) - 1], values[int(NR / 2)], values[int(NR / 2) + 2] }'; done; done`,
    ),
  )
  const numeric = capture(right[0], /sorted\s+sort -n\s+median\s+([\d.]+)/)
  if (numeric === wrongMedian)
    throw new Error('The plan expects the text sort to give another median.')
  const repeats = await agent.turn(
    `My mistake: sort without -n orders as text, 1000 before 20. The right median for sorted hits is ${numeric} ns, not ${wrongMedian}; I discard that table. Now the warm-up: median by repeat, each value divided by the median of its own cell.`,
    run(
      `node -e "const cells = new Map(); for (const line of require('fs').readFileSync('timings.csv', 'utf8').trim().split('\\n').slice(1)) { const [structure, operation, keys, size, repeat, operations, total] = line.split(','); const cell = [structure, operation, keys, size].join(); if (!cells.has(cell)) cells.set(cell, []); cells.get(cell).push({ repeat, size, value: total * 1000 / operations }) } const median = (values) => values.sort((one, other) => one - other)[values.length >> 1]; const ratios = {}; for (const list of cells.values()) { const middle = median(list.map(({ value }) => value)); for (const { repeat, size, value } of list) ((ratios[size] ??= {})[repeat] ??= []).push(value / middle) } console.log('size     ' + [0, 1, 2, 3, 4, 5, 6, 7, 8].map((repeat) => ('repeat ' + repeat).padStart(9)).join('')); for (const size of Object.keys(ratios)) console.log(size.padStart(6) + '   ' + Object.values(ratios[size]).map((list) => median(list).toFixed(2).padStart(9)).join(''))"`,
    ),
  )
  const firstRepeat = capture(repeats[0], /^\s+10\s+([\d.]+)/m)
  const full = await agent.turn(
    `At size 10 repeat 0 takes ${firstRepeat} times the median of its cell. From here on I leave out repeats 0 to 2. The whole table of medians that remains:`,
    run('node summary.js timings.csv 3'),
  )
  expectMatch(full[0], /delete\s+digits\s+50000/)
}
