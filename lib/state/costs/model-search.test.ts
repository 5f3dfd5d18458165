import { expect, test } from 'vitest'
import { loadPriceBook } from '@/lib/core/replay/price-book'
import { REFUSED, storageInMemory } from '../testing/storage-in-memory'
import { readRecentModels, rememberModel, searchModels } from './model-search'

test('without a query the makers’ newest models are offered, and the others are counted', async () => {
  const book = await loadPriceBook()
  const { groups, left } = searchModels(book, {}, '')
  const makers = groups.map(({ provider }) => provider).slice(0, 3)
  expect(makers).toEqual(['OpenAI', 'Anthropic', 'Google'])
  expect(groups[0]?.models[0]?.key).toMatch(/^openai\/gpt-6/)
  const listed = groups.flatMap(({ models }) => models)
  expect(listed.length + left).toBe(book.models.length)
})

test('a model the user added comes first', async () => {
  const book = await loadPriceBook()
  const own = { 'local/llm': { name: 'Our GPT' }, 'openai/gpt-5': { input: 1 } }
  expect(searchModels(book, own, 'gpt').groups[0]).toEqual({
    kind: 'custom',
    provider: undefined,
    models: [{ key: 'local/llm', name: 'Our GPT' }],
  })
})

const keysFor = async (query: string) =>
  searchModels(await loadPriceBook(), {}, query).groups.flatMap(({ models }) =>
    models.map(({ key }) => key),
  )

test.each([
  ['gpt-5', 'openai/gpt-5'],
  ['GPT-5', 'openai/gpt-5'],
  ['gpt-4o', 'openai/gpt-4o'],
  ['claude-sonnet-5', 'anthropic/claude-sonnet-5'],
  ['Claude Opus 5', 'anthropic/claude-opus-5'],
  ['deepseek-v4-pro', 'deepseek/deepseek-v4-pro'],
  ['kimi-k3', 'moonshotai/kimi-k3'],
  ['openai/gpt-5-mini', 'openai/gpt-5-mini'],
  ['qwen3.8', 'alibaba/qwen3.8-max'],
  ['no such model', undefined],
])('%s is found first', async (query, key) => {
  expect((await keysFor(query))[0]).toBe(key)
})

test('a word finds what people use before former models and platforms', async () => {
  const gpt = await keysFor('gpt')
  expect(gpt[0]).toMatch(/^openai\/gpt-6/)
  const davinci = gpt.indexOf('openai/text-davinci-003')
  expect(davinci === -1 || davinci > gpt.indexOf('openai/gpt-5')).toBe(true)
  expect(await keysFor('5 SONNET anthropic')).toContain('anthropic/claude-sonnet-5')
  expect((await keysFor('claude'))[0]).toMatch(/^anthropic\/claude-/)
})

test('without a query the current and recent models are on top, once', async () => {
  const book = await loadPriceBook()
  const recent = ['openai/gpt-5', 'anthropic/claude-opus-5', 'openai/gpt-5', 'gone/model']
  const { groups, left } = searchModels(book, {}, '', recent)
  expect(groups[0]).toMatchObject({ kind: 'recent' })
  expect(groups[0]?.models.map(({ key }) => key)).toEqual(recent.slice(0, 2))
  const keys = groups.flatMap(({ models }) => models.map(({ key }) => key))
  expect(new Set(keys).size).toBe(keys.length)
  expect(keys.length + left).toBe(book.models.length)
})

test('the models chosen last are remembered, latest first, and damaged storage is ignored', () => {
  const { stored, storage } = storageInMemory()
  for (const key of ['a', 'b', 'c', 'a', 'd', 'e', 'f']) rememberModel(storage, key)
  expect(readRecentModels(storage)).toEqual(['f', 'e', 'd', 'a', 'c'])
  for (const key of stored.keys()) stored.set(key, '{')
  expect(readRecentModels(storage)).toEqual([])
  rememberModel(REFUSED, 'a')
  expect(readRecentModels(REFUSED)).toEqual([])
})
