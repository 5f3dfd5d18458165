import { expect, test } from 'vitest'
import { familyOfModel, modelOfDocument, vendorModelName } from './model-families'

test.each([
  ['gpt-5', 'o200k_base', true, 'gpt-5.1-codex gpt-10'],
  ['gpt-4o', 'o200k_base', true, 'openai/gpt-4o-2024-08-06 gpt-4.1-mini chatgpt-4o-latest o3-mini'],
  ['gpt-4o', 'o200k_base', true, 'o1'],
  ['gpt-oss', 'o200k_base', true, 'openai/gpt-oss-120b'],
  ['gpt-4', 'cl100k_base', true, 'gpt-4 gpt-4-turbo gpt-4-32k gpt-3.5-turbo azure/gpt-35-turbo'],
  ['claude', 'o200k_base', false, 'anthropic/claude-sonnet-4-5'],
  ['gemini', 'o200k_base', false, 'gemini-2.5-pro'],
  ['deepseek', 'o200k_base', false, 'deepseek-chat'],
  ['kimi', 'o200k_base', false, 'moonshotai/kimi-k2 moonshot-v1-8k'],
  ['qwen', 'o200k_base', false, 'qwen3-coder qwq-32b'],
  ['mistral', 'o200k_base', false, 'mistral-large-latest devstral-small'],
  ['grok', 'o200k_base', false, 'grok-4'],
  ['glm', 'o200k_base', false, 'glm-4.6'],
  ['minimax', 'o200k_base', false, 'minimax-m2'],
] as const)('%s is counted by %s, exactly: %s, and has %s', (id, encoding, isExact, models) => {
  for (const model of models.split(' '))
    expect(familyOfModel(model), model).toMatchObject({ id, encoding, isExact })
})

test('a model that only contains the name of a family belongs to none', () => {
  const names =
    'gpt-5 gpt-4o gpt-oss gpt-4 claude gemini deepseek kimi qwen mistral grok glm minimax'
  const others = 'my-own llama-3 ox o1x gpt-2 gpt-4x gpt-45 gpt-350'.split(' ')
  for (const name of [...names.split(' ').map((of) => `my-${of}`), ...others, '', undefined])
    expect(familyOfModel(name), name).toBeUndefined()
})

test('the model of a document is the first that is named, known or not', () => {
  const modelOf = (...models: (string | undefined)[]) =>
    modelOfDocument(models.map((model) => ({ model })))
  expect(modelOf(undefined, 'gpt-5', 'claude-3')).toBe('gpt-5')
  expect(modelOf('my-own', 'gpt-5')).toBe('my-own')
  expect(modelOf()).toBeUndefined()
})

test.each([
  ['gpt-5', 'gpt-5'],
  ['openai/gpt-5:online', 'gpt-5'],
  ['azure/eu/gpt-4o', 'gpt-4o'],
  ['ft:gpt-4o-2024-08-06:team::id', 'gpt-4o-2024-08-06'],
  ['anthropic/claude-sonnet-4.5:thinking', 'claude-sonnet-4.5'],
  ['openrouter/deepseek/deepseek-chat-v3-0324:free', 'deepseek-chat-v3-0324'],
  ['us.anthropic.claude-sonnet-4-5-20250929-v1:0', 'claude-sonnet-4-5-20250929'],
  ['us-gov.anthropic.claude-3-7-sonnet-20250219-v1:0', 'claude-3-7-sonnet-20250219'],
  ['anthropic.claude-haiku-5-5', 'claude-haiku-5-5'],
  // The price data writes `regional` for any one region.
  ['regional.anthropic.claude-opus-5', 'claude-opus-5'],
  [
    'arn:aws:bedrock:us-east-1:123456789012:inference-profile/global.anthropic.claude-opus-4-6-v1:0',
    'claude-opus-4-6',
  ],
  ['bedrock/qwen.qwen3-coder-480b-a35b-v1:0', 'qwen3-coder-480b-a35b'],
  ['deepseek.v3-v1:0', 'deepseek-v3'],
  ['moonshotai.kimi-k2.5', 'kimi-k2.5'],
  ['claude-opus-4-5@20251101', 'claude-opus-4-5'],
  ['projects/p/locations/eu/publishers/google/models/gemini-2.5-pro', 'gemini-2.5-pro'],
  ['claude-opus-4-6[1m]', 'claude-opus-4-6'],
  ['deepseek-v3', 'deepseek-v3'],
  ['grok-4.7', 'grok-4.7'],
  ['anthropic.claude-next-v12:0', 'claude-next'],
  // Names that only contain what a platform writes first or last.
  ['soft:free', 'soft'],
  ['gift:free', 'gift'],
  ['my[1m]-model', 'my[1m]-model'],
  ['my-qwen.next', 'my-qwen.next'],
  ['my-deepseek.v3', 'my-deepseek.v3'],
])('%s is %s', (id, name) => {
  expect(vendorModelName(id)).toBe(name)
})
