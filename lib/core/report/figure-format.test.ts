import { expect, test } from 'vitest'
import { ENGLISH_FORMAT, figureFormat } from './figure-format'

const { money, price, change, share, duration, size } = ENGLISH_FORMAT

test('money has the decimal places that the larger of two amounts needs', () => {
  const amounts = [0, 1.256, 0.0123, 0.00123].map((usd) => money(usd))
  expect(amounts).toEqual(['$0.00', '$1.26', '$0.0123', '$0.00123'])
  expect(money(0.0123, 4)).toBe('$0.01')
  expect([price(2), price(0.075)]).toEqual(['$2.00', '$0.075'])
})

test('a change has its sign, a share has none added; below 10 percent they have a decimal place', () => {
  expect([change(100, 39), change(1000, 1005), change(5, 5)]).toEqual(['−61%', '+0.5%', '0%'])
  expect([share(0.5), share(0.052), share(-0.5)]).toEqual(['50%', '5.2%', '−50%'])
})

test('a duration has two units, or seconds below a minute', () => {
  const times = [0, 1250, 59_900, 61_000, 3_588_000, 7_320_000, 180_000_000]
  expect(times.map((time) => duration(time)).join(', ')).toBe(
    '0 s, 1.3 s, 59 s, 1 min 1 s, 59 min 48 s, 2 h 2 min, 2 d 2 h',
  )
  expect([duration(1250, 3), duration(0, 1)]).toEqual(['1.250 s', '0.0 s'])
})

test('a size has the largest unit that gives at least one', () => {
  expect([size(999), size(1_500), size(12_300_000)]).toEqual(['999 byte', '1.5 kB', '12 MB'])
})

test('figures are written as in their language', () => {
  const french = figureFormat({
    number: (value, options) => new Intl.NumberFormat('fr', options).format(value),
    dateTime: (date, options) => new Intl.DateTimeFormat('fr', options).format(date),
  })
  const { number, money, change, duration, size, day } = french
  const figures = [number(1234.5), money(1.256), change(100, 39.5), size(1_500)]
  const spaced = figures.map((figure) => figure.replace(/\s/g, ' '))
  expect(spaced).toEqual(['1 234,5', '1,26 $', '−61 %', '1,5 ko'])
  expect([duration(1250), duration(180_000_000)]).toEqual(['1,3 s', '2 j 2 h'])
  expect(day('2026-09-23')).toBe('23 septembre 2026')
})

test('unknown values are a dash', () => {
  expect([money(undefined), change(undefined, 1), change(0, 1)]).toEqual(['–', '–', '–'])
})
