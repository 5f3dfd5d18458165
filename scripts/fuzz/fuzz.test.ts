import { expect, test } from 'vitest'
import { testSize } from '../../lib/core/testing/test-size'
import { checkDocument } from './check-document'
import { randomDocuments } from './random-documents'

const SEED = Number(process.env.TEST_SEED ?? 1)

test('random documents pass through every stage', async () => {
  const make = randomDocuments(SEED)
  let masked = 0
  for (let number = 0; number < testSize(150, 5_000); number++) {
    const made = make(number)
    const failure = await checkDocument(made)
    expect(failure, `document ${number} of seed ${SEED}: ${made.text.slice(0, 2_000)}`).toBe(
      undefined,
    )
    if (made.policy.enabled) masked += 1
  }
  expect(masked).toBeGreaterThan(0)
}, 600_000)

test('a document depends on its seed and number only', () => {
  const [one, other] = [randomDocuments(7), randomDocuments(7)]
  expect(other(12)).toEqual(one(12))
  expect(one(13)).not.toEqual(one(12))
})
