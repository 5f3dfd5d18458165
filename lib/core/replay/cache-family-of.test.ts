/** Which model has which cache rule. */
import { describe, expect, test } from 'vitest'
import { familyOfModel, vendorModelName } from '../tokens/model-families'
import { cacheFamilyOf, NO_CACHE } from './cache-rules'
import { loadPriceBook } from './price-book'

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
