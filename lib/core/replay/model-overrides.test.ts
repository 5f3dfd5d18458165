import { expect, test } from 'vitest'
import { checkModelOverrides } from './model-overrides'

test.each([
  ['object', 7, undefined],
  ['name_of_at_most_characters', { name: 'x'.repeat(121) }, 'name'],
  ['id_of_cache_family', { cacheFamily: 'nobody' }, 'cacheFamily'],
  ['whole_number_of_tokens_0_or_more', { minimumTokens: 1.5 }, 'minimumTokens'],
  ['whole_number_of_tokens_0_or_more', { stepTokens: -1 }, 'stepTokens'],
  ['whole_number_of_tokens_0_or_more', { contextWindow: '9' }, 'contextWindow'],
  ['dollars_per_million_tokens_0_or_more', { output: Number.POSITIVE_INFINITY }, 'output'],
])('expects %s where %j is', (expected, value, key) => {
  expect(checkModelOverrides(value)).toMatchObject({ state: 'invalid', key, expected })
})

test('keeps what is valid and drops unknown keys', () => {
  const overrides = { input: 0, cacheFamily: 'none', minimumTokens: 0, name: 'mine' }
  expect(checkModelOverrides({ ...overrides, more: 1 })).toEqual({ state: 'valid', overrides })
})
