/** Scripts the analyst writes into the workspace: a summary of any timings file, and two more measurements. */

export const summaryScript = `// usage: node summary.js <csv> [first repeat] [operation]
// Median nanoseconds per operation for each operation, kind of key and size; one column a structure.
import { readFileSync } from 'node:fs'

const [file, first = '0', wanted] = process.argv.slice(2)
const cells = new Map()
for (const line of readFileSync(file, 'utf8').trim().split('\\n').slice(1)) {
  const [structure, operation, keys, size, repeat, operations, total] = line.split(',')
  if (Number(repeat) < Number(first) || (wanted !== undefined && operation !== wanted)) continue
  const row = [operation, keys, size].join(',')
  if (!cells.has(row)) cells.set(row, {})
  const cell = cells.get(row)
  cell[structure] ??= []
  cell[structure].push((Number(total) * 1000) / Number(operations))
}

const median = (values) => values.sort((one, other) => one - other)[values.length >> 1]
const columns = ['object', 'map', 'sorted', 'pairs']
console.log('operation keys     size ' + columns.map((name) => name.padStart(9)).join(' '))
for (const [row, cell] of cells) {
  const [operation, keys, size] = row.split(',')
  const figures = columns.map((name) => (cell[name] === undefined ? '-' : median(cell[name]).toFixed(1)))
  console.log(operation.padEnd(9), keys.padEnd(6), size.padStart(6), figures.map((text) => text.padStart(9)).join(' '))
}
`

export const crossoverScript = `// From how many keys a map beats a search through pairs. Keys of 6 letters, half of the lookups miss.
const sizes = [2, 4, 6, 8, 12, 16, 24, 32, 48, 64]
let state = 99
const random = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 4294967296
const word = () => Array.from({ length: 6 }, () => String.fromCharCode(97 + random() * 26)).join('')
let kept = 0

function nanoseconds(work) {
  const times = []
  for (let round = 0; round < 41; round++) {
    const started = process.hrtime.bigint()
    for (let call = 0; call < 4000; call++) kept += work(call)
    times.push(Number(process.hrtime.bigint() - started) / 4000)
  }
  return times.sort((one, other) => one - other)[20]
}

for (const size of sizes) {
  const keys = Array.from({ length: size }, word)
  const asked = keys.flatMap((key) => [key, word()])
  const map = new Map(keys.map((key) => [key, 1]))
  const pairs = keys.map((key) => ({ key, value: 1 }))
  const viaMap = nanoseconds((round) => map.get(asked[round % asked.length]) ?? 0)
  const viaPairs = nanoseconds((round) => {
    const key = asked[round % asked.length]
    return pairs.find((pair) => pair.key === key)?.value ?? 0
  })
  const viaLoop = nanoseconds((round) => {
    const key = asked[round % asked.length]
    for (const pair of pairs) if (pair.key === key) return pair.value
    return 0
  })
  console.log(String(size).padStart(3), 'map', viaMap.toFixed(1).padStart(7), 'find', viaPairs.toFixed(1).padStart(7), 'loop', viaLoop.toFixed(1).padStart(7))
}
if (kept < 0) console.log(kept)
`

export const prefixScript = `// The same whole numbers as keys of an object, bare and with a letter in front.
let state = 7
const random = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 4294967296
let kept = 0
for (const size of [1000, 10000, 50000]) {
  const numbers = [...new Set(Array.from({ length: size }, () => Math.floor(random() * 4000000000)))]
  for (const [name, keys] of [
    ['bare', numbers.map(String)],
    ['with k', numbers.map((number) => 'k' + number)],
    ['above 2^32', numbers.map((number) => String(number + 4294967296))],
  ]) {
    const times = []
    for (let round = 0; round < 9; round++) {
      const box = {}
      for (const key of keys) box[key] = 1
      const started = process.hrtime.bigint()
      for (let index = 0; index < keys.length; index++) kept += box[keys[(index * 7919) % keys.length]]
      times.push(Number(process.hrtime.bigint() - started) / keys.length)
    }
    times.sort((one, other) => one - other)
    console.log(String(size).padStart(6), name.padEnd(11), times[4].toFixed(1).padStart(7), 'ns a hit')
  }
}
if (kept < 0) console.log(kept)
`

export const compareScript = `// usage: node compare.js <csv> <csv> [first repeat]: medians of two runs, cell by cell.
import { readFileSync } from 'node:fs'

const [one, other, first = '3'] = process.argv.slice(2)
const median = (values) => values.sort((a, b) => a - b)[values.length >> 1]

function medians(file) {
  const cells = new Map()
  for (const line of readFileSync(file, 'utf8').trim().split('\\n').slice(1)) {
    const [structure, operation, keys, size, repeat, operations, total] = line.split(',')
    if (Number(repeat) < Number(first)) continue
    const cell = [structure, operation, keys, size].join(' ')
    if (!cells.has(cell)) cells.set(cell, [])
    cells.get(cell).push((Number(total) * 1000) / Number(operations))
  }
  return new Map([...cells].map(([cell, values]) => [cell, median(values)]))
}

const left = medians(one)
const right = medians(other)
const ratios = [...left].filter(([cell]) => right.has(cell)).map(([cell, value]) => ({ cell, value, again: right.get(cell), ratio: right.get(cell) / value }))
ratios.sort((a, b) => Math.abs(Math.log(b.ratio)) - Math.abs(Math.log(a.ratio)))
const bySize = {}
for (const { cell, ratio } of ratios) {
  const size = cell.split(' ')[3]
  bySize[size] ??= { cells: 0, off: 0 }
  bySize[size].cells++
  if (ratio > 1.25 || ratio < 0.8) bySize[size].off++
}
for (const [size, { cells, off }] of Object.entries(bySize)) console.log('size', size.padStart(6), String(off).padStart(3), 'of', cells, 'cells differ by more than a quarter')
console.log('largest differences:')
for (const { cell, value, again, ratio } of ratios.slice(0, 25)) console.log(cell.padEnd(30), value.toFixed(1).padStart(9), again.toFixed(1).padStart(9), ratio.toFixed(2).padStart(6))
`
