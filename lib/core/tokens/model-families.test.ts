import { expect, test } from 'vitest'
import { familyOfModel, modelOfDocument } from './model-families'

test.each([
  ['openai/gpt-4o-2024-08-06', 'gpt-4o'],
  ['gpt-4', 'gpt-4'],
  ['gpt-5-mini', 'gpt-5'],
  ['anthropic/claude-sonnet-4-5', 'claude'],
  ['o3', 'gpt-4o'],
  ['my-own', undefined],
])('%s belongs to %s', (model, family) => {
  expect(familyOfModel(model)?.id).toBe(family)
})

test('the model of a document is the first that is named, if its family is known', () => {
  const modelOf = (...models: (string | undefined)[]) =>
    modelOfDocument(models.map((model) => ({ model })))
  expect(modelOf(undefined, 'gpt-5', 'claude-3')).toBe('gpt-5')
  expect(modelOf('my-own', 'gpt-5')).toBeUndefined()
  expect(modelOf()).toBeUndefined()
})
