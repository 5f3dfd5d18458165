/** Which model has which cache rule. */
import { describe, expect, test } from 'vitest'
import { familyOfModel, vendorModelName } from '../tokens/model-families'
import { cacheFamilyOf, NO_CACHE } from './cache-rules'
import { loadPriceBook } from './price-book'

const FAMILY_OF_MODEL = [
  ['gpt-4o-2024-08-06', 'openai-4o'],
  ['o3-mini', 'openai-4o'],
  ['openai/o3', 'openai-4.1'],
  ['gpt-4.1-mini', 'openai-4.1'],
  ['gpt-5', 'openai-5'],
  ['gpt-5.5', 'openai-5'],
  ['gpt-5.6-sol', 'openai-5.6'],
  ['gpt-5.10', 'openai-5.6'],
  ['gpt-10', 'openai-5.6'],
  ['gpt-6-astra', 'openai-5.6'],
  ['gpt-6.1-sol', 'openai-6.1'],
  ['claude-opus-5', 'anthropic-512'],
  ['claude-fable-5', 'anthropic-512'],
  ['claude-mythos-5', 'anthropic-512'],
  ['claude-haiku-5-5', 'anthropic-512'],
  ['claude-opus-5-5', 'anthropic-512-read-5'],
  ['claude-sonnet-5.5', 'anthropic-512-read-5'],
  ['claude-fable-5-1', 'anthropic-512-read-2.5'],
  ['claude-sonnet-5', 'anthropic-1024'],
  ['claude-opus-4-8', 'anthropic-1024'],
  ['claude-sonnet-4-6', 'anthropic-1024'],
  ['claude-sonnet-4-5-20250929', 'anthropic-1024'],
  ['claude-opus-4-1', 'anthropic-1024'],
  ['claude-3-5-sonnet-20241022', 'anthropic-1024'],
  ['claude-opus-4-7', 'anthropic-2048'],
  ['claude-3-haiku-20240307', 'anthropic-2048'],
  ['claude-3-5-haiku-20241022', 'anthropic-2048'],
  ['claude-opus-4-5', 'anthropic-4096'],
  ['claude-opus-4-6[1m]', 'anthropic-4096'],
  ['anthropic/claude-haiku-4.5', 'anthropic-4096'],
  ['us.anthropic.claude-sonnet-4-5-20250929-v1:0', 'anthropic-1024'],
  ['regional.anthropic.claude-opus-5', 'anthropic-512'],
  ['claude-opus-4-5@20251101', 'anthropic-4096'],
  ['azure/gpt-4o', 'openai-4o'],
  ['gemini-2.5-flash', 'gemini-2.5'],
  ['publishers/google/models/gemini-3.1-pro-preview', 'gemini-3'],
  ['gemini-4-argon', 'gemini-3'],
  ['gemini-10-pro', 'gemini-3'],
  ['deepseek-v4-pro', 'deepseek-4'],
  ['deepseek-v10', 'deepseek-4'],
  ['deepseek-flash', 'deepseek-4'],
  ['deepseek-ai/DeepSeek-V4.1-Flash', 'deepseek-4'],
  ['deepseek-chat', 'deepseek-3'],
  ['kimi-k2-0905-preview', 'kimi-k2'],
  ['moonshotai/kimi-k2.6', 'kimi-k2.5'],
  ['kimi-k3.1-pro', 'kimi-k3'],
  ['kimi-k10', 'kimi-k3'],
  ['x-ai/grok-4.7', 'xai'],
  ['mistralai/devstral-medium', 'mistral'],
  ['MiniMax-M2', 'minimax-2'],
  ['MiniMax-M2.1', 'minimax-2'],
  ['MiniMax-M2.7', 'minimax-2.7'],
  ['MiniMax-M10', 'minimax-2.7'],
  ['minimax/minimax-m3', 'minimax-2.7'],
  ['z-ai/glm-5.2', 'glm'],
  ['glm-4.6', 'glm'],
  ['qwen3-coder-plus', 'qwen'],
] as const

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
    'gpt-4',
    'gpt-35-turbo',
    'gpt-oss-120b',
    'minimax-m1',
    'glm-4',
    'amazon.nova-pro-v1:0',
    '',
    undefined,
  ])('%s has no rule known', (model) => {
    expect(cacheFamilyOf(model)).toBeUndefined()
  })
})
