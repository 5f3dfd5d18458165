// Times containers over sizes and kinds of keys. Every measurement is written down, the first as well.

import { writeFileSync } from 'node:fs'

const sizes = [10, 100, 1000, 10000, 50000]
const repeats = 9

let state = 1234567
function random() {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0
  return state / 4294967296
}

function word(length) {
  let text = ''
  while (text.length < length) text += String.fromCharCode(97 + Math.floor(random() * 26))
  return text
}

const keyKinds = {
  short: () => word(4 + Math.floor(random() * 5)),
  long: () => word(40),
  digits: () => String(Math.floor(random() * 4000000000)),
}

const structures = {
  object: {
    create: () => ({}),
    insert: (box, key, value) => {
      box[key] = value
    },
    find: (box, key) => box[key],
    iterate: (box) => {
      let sum = 0
      for (const key in box) sum += box[key]
      return sum
    },
    remove: (box, key) => {
      delete box[key]
    },
  },
  map: {
    create: () => new Map(),
    insert: (box, key, value) => {
      box.set(key, value)
    },
    find: (box, key) => box.get(key),
    iterate: (box) => {
      let sum = 0
      for (const value of box.values()) sum += value
      return sum
    },
    remove: (box, key) => {
      box.delete(key)
    },
  },
  sorted: {
    create: () => [],
    insert: (box, key, value) => {
      box.splice(lowerBound(box, key), 0, { key, value })
    },
    find: (box, key) => {
      const entry = box[lowerBound(box, key)]
      return entry !== undefined && entry.key === key ? entry.value : undefined
    },
    iterate: (box) => {
      let sum = 0
      for (const entry of box) sum += entry.value
      return sum
    },
    remove: (box, key) => {
      const position = lowerBound(box, key)
      if (box[position]?.key === key) box.splice(position, 1)
    },
  },
  pairs: {
    largest: 1000,
    create: () => [],
    insert: (box, key, value) => {
      box.push({ key, value })
    },
    find: (box, key) => box.find((entry) => entry.key === key)?.value,
    iterate: (box) => {
      let sum = 0
      for (const entry of box) sum += entry.value
      return sum
    },
    remove: (box, key) => {
      const position = box.findIndex((entry) => entry.key === key)
      if (position !== -1) box.splice(position, 1)
    },
  },
}

function lowerBound(box, key) {
  let low = 0
  let high = box.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (box[middle].key < key) low = middle + 1
    else high = middle
  }
  return low
}

const rows = ['structure,operation,keys,size,repeat,operations,total_us']
let kept = 0

function record(structure, operation, keys, size, repeat, operations, work) {
  const started = process.hrtime.bigint()
  kept += work() ?? 0
  const microseconds = Number(process.hrtime.bigint() - started) / 1000
  rows.push(
    [structure, operation, keys, size, repeat, operations, microseconds.toFixed(2)].join(','),
  )
}

for (const [kind, makeKey] of Object.entries(keyKinds)) {
  for (const size of sizes) {
    const present = [...new Set(Array.from({ length: size }, makeKey))]
    const absent = present.map((key) => `${key}~`)
    const order = present.map((_, index) => (index * 7919) % present.length)
    for (const [name, structure] of Object.entries(structures)) {
      if (size > (structure.largest ?? Number.POSITIVE_INFINITY)) continue
      for (let repeat = 0; repeat < repeats; repeat++) {
        const box = structure.create()
        const time = (operation, count, work) =>
          record(name, operation, kind, size, repeat, count, work)
        time('insert', present.length, () => {
          for (const key of present) structure.insert(box, key, 1)
        })
        time('hit', present.length, () => {
          let sum = 0
          for (const index of order) sum += structure.find(box, present[index])
          return sum
        })
        time('miss', absent.length, () => {
          let sum = 0
          for (const index of order) sum += structure.find(box, absent[index]) === undefined ? 1 : 0
          return sum
        })
        time('iterate', present.length, () => structure.iterate(box))
        time('delete', present.length, () => {
          for (const index of order) structure.remove(box, present[index])
        })
      }
    }
  }
}

writeFileSync('timings.csv', `${rows.join('\n')}\n`)
console.log(`${rows.length - 1} measurements, ${kept} values touched, node ${process.version}`)
