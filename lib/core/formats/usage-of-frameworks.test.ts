/** Usage as frameworks, traces and evaluations state it. */
import { describe, expect, test } from 'vitest'
import { sumUsage, type Usage } from '../conversation/usage'
import {
  CALL,
  figuresOf,
  PROMPT,
  RESULT,
  read,
  type UsageCase,
  usagesOf,
} from './testing/read-usage'

const SPAN = [
  {
    name: 'chat',
    spanId: 's',
    attributes: {
      'gen_ai.prompt': JSON.stringify([PROMPT, { ...CALL, usage: { tokens: 3 } }, RESULT]),
      'gen_ai.usage.input_tokens': '70',
      'gen_ai.usage.output_tokens': 'nine',
    },
  },
]

const CASES: readonly UsageCase[] = [
  [
    'LangChain: usage_metadata',
    [
      { type: 'human', content: 'Go.' },
      {
        type: 'ai',
        content: '',
        tool_calls: [{ name: 'ls', args: {}, id: 'a' }],
        usage_metadata: {
          input_tokens: 120,
          output_tokens: 11,
          total_tokens: 131,
          input_token_details: { cache_read: 90, cache_creation: 20 },
          output_token_details: { reasoning: 5 },
        },
      },
      { type: 'tool', content: 'a.ts', tool_call_id: 'a' },
    ],
    [[120, 90, 20, undefined, 11, 5]],
  ],
  [
    'Langfuse: a generation whose parts make the total',
    [
      {
        id: 'o',
        type: 'GENERATION',
        traceId: 't',
        startTime: '2026-01-01T00:00:00Z',
        model: 'gpt-5',
        input: [PROMPT, CALL, RESULT],
        usageDetails: {
          input: 60,
          input_cached_tokens: 40,
          output: 5,
          output_reasoning_tokens: 3,
          total: 108,
        },
      },
    ],
    [[100, 40, undefined, undefined, 8, 3]],
  ],
  [
    'OpenTelemetry: attributes of a span',
    [
      {
        name: 'chat gpt-5',
        spanId: 's',
        attributes: {
          'gen_ai.request.model': 'gpt-5',
          'gen_ai.input.messages': JSON.stringify([
            { role: 'user', parts: [{ type: 'text', content: 'Go.' }] },
          ]),
          'gen_ai.usage.input_tokens': 70,
          'gen_ai.usage.cache_read.input_tokens': 30,
          'gen_ai.usage.output_tokens': 9,
        },
      },
    ],
    [[70, 30, undefined, undefined, 9, undefined]],
  ],
  [
    'Inspect: the usage of a model event',
    {
      epoch: 1,
      target: '',
      messages: [
        { id: 'p', ...PROMPT },
        { id: 'm', role: 'assistant', content: 'Yes.' },
      ],
      events: [
        {
          event: 'model',
          output: {
            model: 'claude-sonnet-4',
            choices: [{ message: { id: 'm', role: 'assistant', content: 'Yes.' } }],
            usage: {
              input_tokens: 3,
              output_tokens: 6,
              total_tokens: 49,
              input_tokens_cache_read: 30,
              input_tokens_cache_write: 10,
            },
          },
        },
      ],
    },
    [[43, 30, 10, undefined, 6, undefined]],
  ],
  [
    'OpenTelemetry: numbers in strings, and none in an object without known names',
    SPAN,
    [[70, undefined, undefined, undefined, undefined, undefined]],
  ],
]

describe('usage is read', () => {
  test.each(CASES)('%s', (_, document, expected) => {
    expect(figuresOf(document)).toEqual(expected)
  })

  test('the cost of a generation is the first that is above 0', () => {
    const { conversations } = read([
      {
        id: 'o',
        type: 'GENERATION',
        traceId: 't',
        startTime: '2026-01-01T00:00:00Z',
        input: [PROMPT, CALL, RESULT],
        usageDetails: { input: 60, output: 5 },
        calculatedTotalCost: 0,
        totalCost: 0.25,
      },
    ])
    expect(conversations[0]?.answerUsage).toMatchObject({ inputTokens: 60, statedCost: 0.25 })
  })

  test('a sum of answers names their model if they have one', () => {
    const usage = (model: string) => ({ ...(usagesOf(read(SPAN))[0] as Usage), model })
    expect(sumUsage([usage('a'), usage('a')])).toMatchObject({ model: 'a', inputTokens: 140 })
    expect(sumUsage([usage('a'), usage('b')])?.model).toBeUndefined()
  })

  test('of all steps that generateText ran', () => {
    const call = { type: 'tool-call', toolCallId: 'a', toolName: 'ls', input: {} }
    const { conversations } = read({
      response: { messages: [{ role: 'assistant', content: [call] }] },
      steps: [
        { usage: { inputTokens: 5, outputTokens: 2 } },
        { usage: { inputTokens: 9, outputTokens: 1 } },
      ],
    })
    expect(conversations[0]?.usageTotal).toMatchObject({
      requests: 2,
      inputTokens: 14,
      outputTokens: 3,
      cacheReadTokens: undefined,
    })
  })

  test('of the answers for a page, in their metadata', () => {
    const part = {
      type: 'tool-ls',
      toolCallId: 'a',
      state: 'output-available',
      input: {},
      output: 'x',
    }
    const answer = (id: string, metadata: object) => ({
      id,
      role: 'assistant',
      parts: [part],
      metadata,
    })
    const { conversations } = read([
      { id: 'p', role: 'user', parts: [{ type: 'text', text: 'Go.' }] },
      answer('m', { usage: { inputTokens: 40, outputTokens: 6, cachedInputTokens: 30 } }),
      answer('n', { totalUsage: { inputTokens: 60, outputTokens: 2, cachedInputTokens: 50 } }),
    ])
    expect(conversations[0]?.usageTotal).toMatchObject({
      inputTokens: 100,
      cacheReadTokens: 80,
      outputTokens: 8,
    })
  })
})
