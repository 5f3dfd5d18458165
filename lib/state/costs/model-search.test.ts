import { expect, test } from 'vitest'
import { loadPriceBook } from '@/lib/core/replay/price-book'
import { searchModels } from './model-search'

test('without a query the makers’ newest models are offered, and the others are counted', async () => {
  const book = await loadPriceBook()
  const { groups, left } = searchModels(book, {}, '')
  expect(groups.map(({ provider }) => provider).slice(0, 3)).toEqual([
    'OpenAI',
    'Anthropic',
    'Google',
  ])
  const listed = groups.flatMap(({ models }) => models)
  expect(listed.length + left).toBe(book.models.length)
  expect(listed.every(({ listed: model }) => model?.input !== undefined)).toBe(true)
})

test('a query matches all its words in provider and name, in any order', async () => {
  const book = await loadPriceBook()
  const keys = searchModels(book, {}, '5 SONNET anthropic').groups[0]?.models.map(({ key }) => key)
  expect(keys).toContain('anthropic/claude-sonnet-5')
  expect(searchModels(book, {}, 'no such model').groups).toEqual([])
})

test('keys are unique', async () => {
  const book = await loadPriceBook()
  const keys = searchModels(book, {}, 'gpt').groups.flatMap(({ models }) =>
    models.map(({ key }) => key),
  )
  expect(new Set(keys).size).toBe(keys.length)
})

test('a model the user added comes first', async () => {
  const book = await loadPriceBook()
  const own = { 'local/llm': { name: 'Our GPT' }, 'openai/gpt-5': { input: 1 } }
  expect(searchModels(book, own, 'gpt').groups[0]).toEqual({
    provider: undefined,
    models: [{ key: 'local/llm', name: 'Our GPT', listed: undefined }],
  })
})
