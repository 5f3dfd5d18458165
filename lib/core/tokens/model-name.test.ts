import { expect, test } from 'vitest'
import { isBedrockId, vendorModelName } from './model-name'

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

test('an id of Bedrock names its vendor before a dot', () => {
  expect(isBedrockId('us.anthropic.claude-opus-4-6-v1')).toBe(true)
  for (const id of ['gpt-4.1', 'anthropic/claude-sonnet-4.5', 'gemini-2.5-pro'])
    expect(isBedrockId(id)).toBe(false)
})
