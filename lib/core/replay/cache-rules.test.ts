/** Every cache rule: its prices and minimum as the provider publishes them, its source and its label. */
import { describe, expect, test } from 'vitest'
import { familyOfModel, vendorModelName } from '../tokens/model-families'
import { CACHE_FAMILIES, cacheFamilyOf, NO_CACHE } from './cache-rules'
import { loadPriceBook } from './price-book'
import type { CacheSplit } from './prompt-cache'
import { costOf, readsOf, ruleOf, talk } from './testing/cache-reads'

/** Prices that the providers publish for a million tokens: a rule's factors give those of its cache within half a cent. */
const PRICED = [
  ['openai-6.1', 'GPT-6.1 Sol', 2, 0.1, 2.5],
  ['openai-5.6', 'GPT-5.6 Sol', 4, 0.4, 5],
  ['openai-5', 'GPT-5', 1.25, 0.125, 1.25],
  ['openai-4.1', 'GPT-4.1', 2, 0.5, 2],
  ['openai-4o', 'GPT-4o', 2.5, 1.25, 2.5],
  ['anthropic-512-read-2.5', 'Claude Fable 5.1', 10, 0.25, 12.5],
  ['anthropic-512-read-2.5-1h', 'Claude Fable 5.1', 10, 0.25, 20],
  ['anthropic-512-read-5', 'Claude Opus 5.5', 4, 0.2, 5],
  ['anthropic-512-read-5-1h', 'Claude Opus 5.5', 4, 0.2, 8],
  ['anthropic-512', 'Claude Opus 5', 5, 0.5, 6.25],
  ['anthropic-512-1h', 'Claude Opus 5', 5, 0.5, 10],
  ['anthropic-1024', 'Claude Sonnet 4.5', 3, 0.3, 3.75],
  ['anthropic-1024-1h', 'Claude Sonnet 4.5', 3, 0.3, 6],
  ['anthropic-2048', 'Claude Haiku 3.5', 0.8, 0.08, 1],
  ['anthropic-2048-1h', 'Claude Haiku 3.5', 0.8, 0.08, 1.6],
  ['anthropic-4096', 'Claude Opus 4.5', 5, 0.5, 6.25],
  ['anthropic-4096-1h', 'Claude Opus 4.5', 5, 0.5, 10],
  ['gemini-3', 'Gemini 3 Pro', 2, 0.2, 2],
  ['gemini-2.5', 'Gemini 2.5 Pro', 1.25, 0.125, 1.25],
  ['deepseek-4', 'DeepSeek V4 Pro', 0.66, 0.022, 0.66],
  ['deepseek-3', 'DeepSeek V2.5', 0.14, 0.014, 0.14],
  ['kimi-k3', 'Kimi K3', 3, 0.3, 3],
  ['kimi-k3-1h', 'Kimi K3', 3, 0.3, 6],
  ['kimi-k2.5', 'Kimi K2.5', 0.6, 0.1, 0.6],
  ['kimi-k2', 'Kimi K2', 0.6, 0.15, 0.6],
  ['xai', 'Grok 4.6', 2, 0.5, 2],
  ['mistral', 'Mistral Large', 0.5, 0.05, 0.5],
  ['minimax-2.7', 'MiniMax M2.7', 0.3, 0.06, 0.3],
  ['minimax-2', 'MiniMax M2', 0.3, 0.03, 0.3],
  ['glm', 'the example of the documentation', 10, 5, 10],
  ['qwen', 'the example of the documentation', 1, 0.2, 1],
  ['qwen-explicit', 'the example of the documentation', 1, 0.1, 1.25],
] as const

/** Prompts shorter than this are not cached. Kimi's size was measured; xAI documents none. */
const MINIMA: Readonly<Record<number, string>> = {
  64: 'deepseek-4 deepseek-3 mistral',
  500: 'glm',
  512: 'anthropic-512 anthropic-512-read-5 anthropic-512-read-2.5 minimax-2.7 minimax-2',
  1024: 'openai-6.1 openai-5.6 openai-5 openai-4.1 openai-4o anthropic-1024 qwen qwen-explicit',
  2048: 'anthropic-2048 gemini-2.5',
  4096: 'anthropic-4096 gemini-3',
}

describe('each rule', () => {
  test.each(PRICED)('%s gives the published prices of %s', (id, _, input, read, write) => {
    const one = (split: Partial<CacheSplit>) =>
      input * costOf(id, { read: 0, written: 0, fresh: 0, ...split })
    expect(one({ read: 1 })).toBeCloseTo(read, 2)
    expect(one({ written: 1 })).toBeCloseTo(write, 2)
  })

  const minima = Object.entries(MINIMA).flatMap(([tokens, ids]) =>
    ids.split(' ').map((id) => [id, Number(tokens)] as const),
  )
  test.each(minima)('%s caches prompts of %i tokens or more', (id, tokens) => {
    const readBy = (first: number) => readsOf(ruleOf(id), talk(first, 1, 1))[1]
    // What ends with the answer is read too where answers are stored.
    expect(readBy(tokens - 2)).toBe(0)
    expect(readBy(tokens)).toBeGreaterThanOrEqual(tokens)
  })

  test('is in the list', () => {
    expect(PRICED.map(([id]) => id).sort()).toEqual(CACHE_FAMILIES.map(({ id }) => id).sort())
  })

  test('has a source, a date, and an id and a label of its own', () => {
    for (const { source, date } of CACHE_FAMILIES) {
      expect(source).toMatch(/^https:/)
      expect(date).toBe('2026-11')
    }
    const families = [NO_CACHE, ...CACHE_FAMILIES]
    for (const names of [families.map(({ id }) => id), families.map(({ label }) => label)]) {
      expect(new Set(names).size).toBe(families.length)
      expect(names).not.toContain('')
    }
  })

  test('for entries that live for an hour has the lifetime and the prices of an hour', () => {
    for (const { id, rule, entryLife, label } of CACHE_FAMILIES) {
      const isHour = id.endsWith('-1h')
      expect(entryLife).toBe(isHour ? 'hour' : 'default')
      if (isHour) expect(rule).toMatchObject({ lifetimeSeconds: 3600 })
      expect(label.includes('one hour')).toBe(isHour)
    }
    const five = CACHE_FAMILIES.filter(({ label }) => label.includes('five minutes'))
    for (const { rule } of five) expect(rule).toMatchObject({ lifetimeSeconds: 300 })
    expect(five.length).toBeGreaterThan(6)
  })
})

/** Names of models by their rule. */
const MODELS: Readonly<Record<string, string>> = {
  'openai-4o': 'gpt-4o-2024-08-06 o3-mini azure/gpt-4o',
  'openai-4.1': 'openai/o3 gpt-4.1-mini',
  'openai-5': 'gpt-5 gpt-5.5',
  'openai-5.6': 'gpt-5.6-sol gpt-5.10 gpt-10 gpt-6-astra',
  'openai-6.1': 'gpt-6.1-sol',
  'anthropic-512':
    'claude-opus-5 claude-fable-5 claude-mythos-5 claude-haiku-5-5 regional.anthropic.claude-opus-5',
  'anthropic-512-read-5': 'claude-opus-5-5 claude-sonnet-5.5',
  'anthropic-512-read-2.5': 'claude-fable-5-1',
  'anthropic-1024':
    'claude-sonnet-5 claude-opus-4-8 claude-sonnet-4-6 claude-sonnet-4-5-20250929 claude-opus-4-1 claude-3-5-sonnet-20241022 us.anthropic.claude-sonnet-4-5-20250929-v1:0',
  'anthropic-2048': 'claude-opus-4-7 claude-3-haiku-20240307 claude-3-5-haiku-20241022',
  'anthropic-4096':
    'claude-opus-4-5 claude-opus-4-6[1m] anthropic/claude-haiku-4.5 claude-opus-4-5@20251101',
  'gemini-2.5': 'gemini-2.5-flash',
  'gemini-3': 'publishers/google/models/gemini-3.1-pro-preview gemini-4-argon gemini-10-pro',
  'deepseek-4':
    'deepseek-v4-pro deepseek-v10 deepseek-flash deepseek-ai/DeepSeek-V4.1-Flash deepseek-chat',
  'deepseek-3': 'deepseek-v3.2',
  'kimi-k2': 'kimi-k2-0905-preview',
  'kimi-k2.5': 'moonshotai/kimi-k2.6',
  'kimi-k3': 'kimi-k3.1-pro kimi-k10',
  xai: 'x-ai/grok-4.7',
  mistral: 'mistralai/devstral-medium',
  'minimax-2': 'MiniMax-M2 MiniMax-M2.1',
  'minimax-2.7': 'MiniMax-M2.7 MiniMax-M10 minimax/minimax-m3',
  glm: 'z-ai/glm-5.2 glm-4.6',
  qwen: 'qwen3-coder-plus',
}
const FAMILY_OF_MODEL = Object.entries(MODELS).flatMap(([id, models]) =>
  models.split(' ').map((model) => [model, id] as const),
)

describe('which model has which rule', () => {
  test.each(FAMILY_OF_MODEL)('%s caches by the rule %s', (model, id) => {
    expect(cacheFamilyOf(model)?.id).toBe(id)
  })

  test('a name that only contains that of a model has no rule', () => {
    for (const [model] of FAMILY_OF_MODEL)
      expect(cacheFamilyOf(`my-${vendorModelName(model)}`)).toBeUndefined()
  })

  test('Claude has a rule and a family on every platform, with the prices of reads that are listed', async () => {
    const { models } = await loadPriceBook()
    const listed = models.filter(({ id }) => /(^|[./])claude/.test(id))
    expect(listed.length).toBeGreaterThan(100)
    for (const { id, providerId, input, cachedRead } of listed) {
      expect(familyOfModel(id)?.id, id).toBe('claude')
      const { readFactor } = cacheFamilyOf(id) ?? NO_CACHE
      expect(readFactor, id).toBeDefined()
      if (!['anthropic', 'aws'].includes(providerId) || cachedRead === undefined) continue
      const read = (input?.base as number) * (readFactor as number)
      // Claude Haiku 3 reads at 0.12.
      expect(Math.abs(cachedRead.base / read - 1), id).toBeLessThan(0.21)
    }
  })

  test.each([
    ...'gpt-4 gpt-35-turbo gpt-oss-120b minimax-m1 glm-4 amazon.nova-pro-v1:0'.split(' '),
    '',
    undefined,
  ])('%s has no rule known', (model) => {
    expect(cacheFamilyOf(model)).toBeUndefined()
  })
})
