import fc from 'fast-check'
import { expect, test } from 'vitest'
import { forAll } from '@/lib/core/testing/test-size'
import { joinPart, partsOf } from './output-parts'

test('any output sent in parts of any size is the output', () => {
  forAll(300, [fc.jsonValue(), fc.integer({ min: 1, max: 30 })], (given, size) => {
    const value: unknown = JSON.parse(JSON.stringify(given))
    const parts = structuredClone([...partsOf(value, size)])
    expect(parts.reduce<unknown>(joinPart, undefined)).toEqual(value)
  })
})

test('no part of a long list is much larger than the others', () => {
  const messages = Array.from({ length: 1_000 }, (_, at) => ({ at, places: [at, at + 1] }))
  const output = { format: 'x', conversations: [{ messages, results: messages }, { messages }] }
  const sizes = [...partsOf(output, 500)].map((part) => JSON.stringify(part).length)
  expect(sizes.length).toBeGreaterThan(15)
  expect(Math.max(...sizes)).toBeLessThan(6_000)
})
