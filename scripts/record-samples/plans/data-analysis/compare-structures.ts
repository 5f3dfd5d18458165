import { capture, expectMatch, type Recorder } from '../../recorder'
import { run, write } from '../../tools'
import { crossoverScript, prefixScript } from './scripts'

/** The median of one cell in the output of summary.js. */
function cell(table: string, keys: string, size: number, column: number): string {
  const figures = '\\s+([\\d.-]+)'.repeat(column)
  const match = new RegExp(`${keys}\\s+${size}${figures}`).exec(table)
  const found = match?.[column]
  if (found === undefined) throw new Error(`No cell ${keys} ${size} in:\n${table}`)
  return found
}

/** The lowest figure among the ways whose name starts with the prefix. */
function fastest(table: string, names: string): number {
  const rows = table.matchAll(new RegExp(`^(?:${names}).*?([\\d.]+) ns a key`, 'gm'))
  return Math.min(...[...rows].map((row) => Number(row[1])))
}

/** Measures lookups by kind of key, explains slow digit keys, finds the crossover to pairs, measures iterating and deleting. */
export async function compareStructures(agent: Recorder): Promise<void> {
  const hits = await agent.turn(
    'Question 1, lookups. Hits and misses alone:',
    run('node summary.js timings.csv 3 hit'),
    run('node summary.js timings.csv 3 miss'),
  )
  const object = cell(hits[0], 'digits', 50000, 1)
  const map = cell(hits[0], 'digits', 50000, 2)
  const shortObject = cell(hits[0], 'short', 50000, 1)
  const shortMap = cell(hits[0], 'short', 50000, 2)
  if (Number(object) < 1.5 * Number(map)) throw new Error('The plan expects slow digit keys.')
  agent.think(
    'Digits below 2^32 - 1 are array indices for the engine, so such an object keeps them as elements, sparse ones in a dictionary. That would explain why only this kind of key is slow. Order of keys is the visible sign.',
  )
  await agent.turn(
    `A hit among 50,000 short keys: ${shortObject} ns in the object, ${shortMap} in the Map. Among digits: ${object} and ${map}, ${(Number(object) / Number(map)).toFixed(1)} times. Digits as text are array indices to the engine. The visible sign would be the order of keys:`,
    run(
      `node -e "const box = {}; const map = new Map(); for (const key of ['30', 'b', '4', '4294967294', '4294967295', 'a', '01']) { box[key] = 1; map.set(key, 1) } console.log('object', Object.keys(box).join(' ')); console.log('map   ', [...map.keys()].join(' '))"`,
    ),
  )
  const prefix = await agent.turn(
    'Up to 4294967294 they are sorted as numbers, from 4294967295 on they are names. If that is the cause, a letter in front or 2^32 added must make the same numbers fast. A measurement of its own:',
    write('prefix.js', prefixScript),
    run('node prefix.js'),
  )
  const bare = capture(prefix[1], /50000 bare\s+([\d.]+)/)
  const named = capture(prefix[1], /50000 with k\s+([\d.]+)/)
  const above = capture(prefix[1], /50000 above 2\^32\s+([\d.]+)/)
  await agent.turn(
    `${bare} ns bare, ${named} ns with a k, ${above} ns above 2^32${Number(above) > 2 * Number(named) ? ' (part of the cost stays there, which this does not explain)' : ''}: it is the kind of key, not the object as such. Is the Map free of that effect in timings.csv? Ratio digits to short, every operation and size:`,
    run(
      `node summary.js timings.csv 3 | awk 'NR > 1 && $2 != "long" { key = $1 " " $3; if ($2 == "short") { shortObject[key] = $4; shortMap[key] = $5 } else { printf "%-8s %6d  object %5.2f  map %5.2f\\n", $1, $3, $4 / shortObject[key], $5 / shortMap[key] } }'`,
    ),
  )
  const inserts = await agent.turn(
    'Several ratios far below 1 at the small sizes are odd: digits come last in measure.js, short keys first, so short keys may have paid for the compiler. I keep that in mind for the question about trust. Insert and delete:',
    run('node summary.js timings.csv 3 insert'),
    run('node summary.js timings.csv 3 delete'),
  )
  const insertObject = cell(inserts[0], 'short', 50000, 1)
  const insertMap = cell(inserts[0], 'short', 50000, 2)
  const insertSorted = cell(inserts[0], 'short', 50000, 3)
  const iterate = await agent.turn(
    `Inserting 50,000 short keys: ${insertObject} ns a key for the object, ${insertMap} for the Map, ${insertSorted} for the sorted array, which has to move its tail. Iterating:`,
    run('node summary.js timings.csv 3 iterate'),
  )
  const iterateObject = cell(iterate[0], 'long', 50000, 1)
  const iterateMap = cell(iterate[0], 'long', 50000, 2)
  const ways = await agent.turn(
    `for-in over an object costs ${iterateObject} ns a key, Map.values() ${iterateMap}. But is that the container or for-in? Other ways over the same content:`,
    run(
      `node -e "const size = 50000; const box = {}; const map = new Map(); for (let index = 0; index < size; index++) { box['key' + index * 31] = 1; map.set('key' + index * 31, 1) } let kept = 0; const ways = { 'for in': () => { for (const key in box) kept += box[key] }, 'Object.keys': () => { for (const key of Object.keys(box)) kept += box[key] }, 'Object.values': () => { for (const value of Object.values(box)) kept += value }, 'Object.entries': () => { for (const [, value] of Object.entries(box)) kept += value }, 'map.values': () => { for (const value of map.values()) kept += value }, 'map.forEach': () => { map.forEach((value) => { kept += value }) }, 'map entries': () => { for (const [, value] of map) kept += value } }; for (const [name, way] of Object.entries(ways)) { const times = []; for (let round = 0; round < 15; round++) { const started = performance.now(); way(); times.push((performance.now() - started) * 1e6 / size) } times.sort((one, other) => one - other); console.log(name.padEnd(15), times[7].toFixed(1).padStart(7), 'ns a key') }"`,
    ),
  )
  const crossover = await agent.turn(
    `The fastest way through the object takes ${fastest(ways[0], 'for in|Object')} ns a key, through the Map ${fastest(ways[0], 'map')}: it is the container. Question 2, pairs. The sizes in the file are too coarse for a crossover, so a measurement between 2 and 64 keys, with find and with a plain loop:`,
    write('crossover.js', crossoverScript),
    run('node crossover.js'),
  )
  expectMatch(crossover[1], /64 map/)
}
