import { expect, test } from 'vitest'
import { familyOfModel, MODEL_FAMILIES, modelOfDocument, OTHER_MODELS } from './model-families'

test.each([
  ['gpt-5.1-codex', 'gpt-5', 'o200k_base', true],
  ['gpt-10', 'gpt-5', 'o200k_base', true],
  ['openai/gpt-4o-2024-08-06', 'gpt-4o', 'o200k_base', true],
  ['gpt-4.1-mini', 'gpt-4o', 'o200k_base', true],
  ['chatgpt-4o-latest', 'gpt-4o', 'o200k_base', true],
  ['o3-mini', 'gpt-4o', 'o200k_base', true],
  ['o1', 'gpt-4o', 'o200k_base', true],
  ['openai/gpt-oss-120b', 'gpt-oss', 'o200k_base', true],
  ['gpt-4', 'gpt-4', 'cl100k_base', true],
  ['gpt-4-turbo', 'gpt-4', 'cl100k_base', true],
  ['gpt-4-32k', 'gpt-4', 'cl100k_base', true],
  ['gpt-3.5-turbo', 'gpt-4', 'cl100k_base', true],
  ['azure/gpt-35-turbo', 'gpt-4', 'cl100k_base', true],
  ['anthropic/claude-sonnet-4-5', 'claude', 'o200k_base', false],
  ['gemini-2.5-pro', 'gemini', 'o200k_base', false],
  ['deepseek-chat', 'deepseek', 'o200k_base', false],
  ['moonshotai/kimi-k2', 'kimi', 'o200k_base', false],
  ['moonshot-v1-8k', 'kimi', 'o200k_base', false],
  ['qwen3-coder', 'qwen', 'o200k_base', false],
  ['qwq-32b', 'qwen', 'o200k_base', false],
  ['mistral-large-latest', 'mistral', 'o200k_base', false],
  ['devstral-small', 'mistral', 'o200k_base', false],
  ['grok-4', 'grok', 'o200k_base', false],
  ['glm-4.6', 'glm', 'o200k_base', false],
  ['minimax-m2', 'minimax', 'o200k_base', false],
])('%s belongs to %s, is counted by %s, exactly: %s', (model, id, encoding, isExact) => {
  expect(familyOfModel(model)).toMatchObject({ id, encoding, isExact })
})

test('a model that only contains the name of a family belongs to none', () => {
  const names =
    'gpt-5 gpt-4o gpt-oss gpt-4 claude gemini deepseek kimi qwen mistral grok glm minimax'
  for (const name of names.split(' ')) expect(familyOfModel(`my-${name}`)).toBeUndefined()
  for (const name of [
    'my-own',
    'llama-3',
    'ox',
    'o1x',
    'gpt-2',
    'gpt-4x',
    'gpt-45',
    'gpt-350',
    '',
    undefined,
  ])
    expect(familyOfModel(name)).toBeUndefined()
})

test('each family has a name to choose it by, and other models are counted approximately', () => {
  const labels = [...MODEL_FAMILIES, OTHER_MODELS].map(({ label }) => label)
  expect(labels).not.toContain('')
  expect(new Set(labels).size).toBe(labels.length)
  expect(OTHER_MODELS).toMatchObject({ id: 'other', encoding: 'o200k_base', isExact: false })
  expect(OTHER_MODELS.names.test('gpt-5')).toBe(false)
})

test('the model of a document is the first that is named, if its family is known', () => {
  const modelOf = (...models: (string | undefined)[]) =>
    modelOfDocument(models.map((model) => ({ model })))
  expect(modelOf(undefined, 'gpt-5', 'claude-3')).toBe('gpt-5')
  expect(modelOf('my-own', 'gpt-5')).toBeUndefined()
  expect(modelOf()).toBeUndefined()
})
