/** Damaged documents through every stage: `DOCUMENTS=100000 TEST_SEED=7 npm run fuzz`. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { testSize } from '../../lib/core/testing/test-size'
import { checkDocument } from './testing/check-document'
import { anyDamagedDocument } from './testing/damaged-documents'

const DOCUMENTS = Number(process.env.DOCUMENTS ?? testSize(100, 5_000))

test('every stage accepts every document, or refuses it with a sentence and a place', async () => {
  let masked = 0
  await fc.assert(
    fc.asyncProperty(anyDamagedDocument, async (made) => {
      await checkDocument(made)
      if (made.policy.enabled) masked += 1
    }),
    // A smaller seed makes another document, not a smaller one.
    { numRuns: DOCUMENTS, seed: Number(process.env.TEST_SEED ?? 1), endOnFailure: true },
  )
  expect(masked).toBeGreaterThan(0)
}, 0)
