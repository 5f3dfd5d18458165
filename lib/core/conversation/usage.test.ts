import { expect, test } from 'vitest'
import { usageWith } from '../testing/usage-with'
import { sumUsage } from './usage'

test('a sum of answers names their model if they have one', () => {
  const usage = (model: string) => usageWith({ model, inputTokens: 70 })
  expect(sumUsage([usage('a'), usage('a')])).toMatchObject({ model: 'a', inputTokens: 140 })
  expect(sumUsage([usage('a'), usage('b')])?.model).toBeUndefined()
})
