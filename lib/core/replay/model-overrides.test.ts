import { expect, test } from 'vitest'
import { checkModelOverrides } from './model-overrides'

test.each([
  ['an object', 7, undefined],
  ['a name of at most 120 characters', { name: 'x'.repeat(121) }, 'name'],
  ['the id of a cache family', { cacheFamily: 'nobody' }, 'cacheFamily'],
  ['a whole number of tokens, 0 or more', { minimumTokens: 1.5 }, 'minimumTokens'],
  ['a whole number of tokens, 0 or more', { stepTokens: -1 }, 'stepTokens'],
  ['a whole number of tokens, 0 or more', { contextWindow: '9' }, 'contextWindow'],
  ['dollars per million tokens, 0 or more', { output: Number.POSITIVE_INFINITY }, 'output'],
])('expects %s where %j is', (expected, value, key) => {
  expect(checkModelOverrides(value)).toMatchObject({ state: 'invalid', key, expected })
})

test('keeps what is valid and drops unknown keys', () => {
  const overrides = { input: 0, cacheFamily: 'none', minimumTokens: 0, name: 'mine' }
  expect(checkModelOverrides({ ...overrides, more: 1 })).toEqual({ state: 'valid', overrides })
})
