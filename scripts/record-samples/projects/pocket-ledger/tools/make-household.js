// Writes a year of bookings from a fixed seed, so that every machine gets the same file.

import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { addDays } from '../src/calendar.js'
import { formatRows } from '../src/csv.js'

let state = 20250101
function random() {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0
  return state / 4294967296
}
const pick = (list) => list[Math.floor(random() * list.length)]
const price = (low, high) => `-${(low + random() * (high - low)).toFixed(2)}`

const shops = ['Corner Market', 'Green Basket', 'Bakery Lind', 'Fish & Sons', 'Old Mill Store']
const meals = ['Cafe Orion', 'Noodle Bar', 'The Blue Door']
const rides = ['City Transit', 'Bike Repair Co']
const notes = ['', '', '', 'weekly shop', 'birthday', 'with "extra" bag', 'shared, half each']

const rows = [['date', 'account', 'payee', 'amount', 'note']]
const book = (date, account, payee, amount, note = '') =>
  rows.push([date, account, payee, amount, note])

for (let day = '2025-01-01'; day <= '2025-12-31'; day = addDays(day, 1)) {
  const dayOfMonth = day.slice(8)
  if (dayOfMonth === '01') book(day, 'rent', 'Harbour Housing', '-1,150', 'flat 3, "sea side"')
  if (dayOfMonth === '05') book(day, 'utilities', 'North Power', price(38, 96))
  if (dayOfMonth === '25' && day.slice(5, 7) !== '08') {
    book(day, 'salary', 'Tern Workshop', '2,480.5', 'net\nsee slip')
  }
  if (random() < 0.3) book(day, 'groceries', pick(shops), price(4, 82), pick(notes))
  if (random() < 0.12) book(day, 'eating out', pick(meals), price(6, 41), pick(notes))
  if (random() < 0.07) book(day, 'transport', pick(rides), price(0.4, 28))
}
book('2025-02-30', 'groceries', 'Corner Market', '-12.10', 'typed by hand')
book('2025-06-14', 'groceries', 'Green Basket', '-8.4O', 'typed by hand')
book('2025-07-02', 'eating out', '', '-19.80', 'receipt lost')

const target = process.argv[2]
mkdirSync(dirname(target), { recursive: true })
writeFileSync(target, formatRows(rows))
console.log(`${rows.length - 1} rows written to ${target}`)
