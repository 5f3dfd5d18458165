/** Usage as providers state it: in an answer, in a log of requests, and in what a network panel copies. */
import { describe, expect, test } from 'vitest'
import {
  CALL,
  figuresOf,
  jsonLines,
  PROMPT,
  RESULT,
  read,
  type UsageCase,
  usagesOf,
} from './testing/read-usage'

const CASES: readonly UsageCase[] = [
  [
    'chat completions: a log of requests with answers',
    jsonLines([
      {
        request: { model: 'gpt-5', messages: [PROMPT] },
        response: {
          model: 'gpt-5-2025-08-07',
          choices: [{ message: CALL }],
          usage: {
            prompt_tokens: 40,
            completion_tokens: 9,
            total_tokens: 49,
            prompt_tokens_details: { cached_tokens: 8 },
            completion_tokens_details: { reasoning_tokens: 4 },
          },
        },
      },
    ]),
    [[40, 8, undefined, undefined, 9, 4]],
  ],
  [
    'Responses: the usage of a response with its input',
    {
      model: 'gpt-5',
      input: [
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Go.' }] },
        { type: 'function_call', call_id: 'a', name: 'ls', arguments: '{}' },
        { type: 'function_call_output', call_id: 'a', output: 'a.ts' },
      ],
      output: [],
      usage: {
        input_tokens: 50,
        input_tokens_details: { cached_tokens: 20 },
        output_tokens: 12,
        output_tokens_details: { reasoning_tokens: 6 },
        total_tokens: 62,
      },
    },
    [[50, 20, undefined, undefined, 12, 6]],
  ],
  [
    'Gemini: a log of a request and its answer',
    {
      request: {
        contents: [
          { role: 'user', parts: [{ text: 'Go.' }] },
          { role: 'model', parts: [{ functionCall: { name: 'ls', args: {} } }] },
          { role: 'user', parts: [{ functionResponse: { name: 'ls', response: { a: 'b' } } }] },
        ],
      },
      response: {
        modelVersion: 'gemini-3-pro',
        usageMetadata: {
          promptTokenCount: 30,
          cachedContentTokenCount: 10,
          toolUsePromptTokenCount: 5,
          candidatesTokenCount: 7,
          thoughtsTokenCount: 8,
          totalTokenCount: 50,
        },
      },
    },
    [[35, 10, undefined, undefined, 15, 8]],
  ],
  [
    'Bedrock: an invocation log',
    {
      modelId: 'anthropic.claude-sonnet-4',
      input: {
        inputBodyJson: {
          messages: [
            { role: 'user', content: [{ text: 'Go.' }] },
            {
              role: 'assistant',
              content: [{ toolUse: { toolUseId: 'a', name: 'ls', input: {} } }],
            },
            {
              role: 'user',
              content: [{ toolResult: { toolUseId: 'a', content: [{ text: 'a.ts' }] } }],
            },
          ],
        },
      },
      output: {
        outputBodyJson: {
          usage: {
            inputTokens: 4,
            outputTokens: 6,
            cacheReadInputTokens: 100,
            cacheWriteInputTokens: 30,
            totalTokens: 140,
          },
        },
      },
    },
    [[134, 100, 30, undefined, 6, undefined]],
  ],
  [
    'HAR: the end of a stream',
    {
      log: {
        entries: [
          {
            request: {
              method: 'POST',
              url: 'https://api.anthropic.com/v1/messages',
              postData: {
                text: JSON.stringify({
                  model: 'claude-sonnet-4',
                  max_tokens: 9,
                  system: 'Be brief.',
                  messages: [PROMPT],
                }),
              },
            },
            response: {
              content: {
                text: [
                  'event: message_start',
                  `data: ${JSON.stringify({
                    type: 'message_start',
                    message: {
                      model: 'claude-sonnet-4',
                      usage: { input_tokens: 2, cache_read_input_tokens: 8, output_tokens: 1 },
                    },
                  })}`,
                  `data: ${JSON.stringify({ type: 'message_delta', usage: { output_tokens: 33 } })}`,
                  'data: [DONE]',
                ].join('\n'),
              },
            },
          },
        ],
      },
    },
    [[10, 8, 0, undefined, 33, undefined]],
  ],
  [
    'HAR: a list of answers in base64, of which the last has the usage',
    {
      log: {
        entries: [
          {
            request: {
              postData: {
                text: JSON.stringify({
                  model: 'gemini-3-pro',
                  contents: [{ parts: [{ text: 'Go.' }], role: 'model' }],
                }),
              },
            },
            response: {
              content: {
                encoding: 'base64',
                text: btoa(
                  JSON.stringify([
                    {},
                    { usageMetadata: { promptTokenCount: 5, totalTokenCount: 7 } },
                  ]),
                ),
              },
            },
          },
        ],
      },
    },
    [[5, 0, undefined, undefined, undefined, undefined]],
  ],
]

describe('usage is read', () => {
  test.each(CASES)('%s', (_, document, expected) => {
    expect(figuresOf(document)).toEqual(expected)
  })

  test("of a network panel's answer, plain, in base64, and not where it is damaged", () => {
    const text = JSON.stringify({ usage: { prompt_tokens: 70, completion_tokens: 5 } })
    const body = JSON.stringify({ model: 'gpt-5', messages: [PROMPT, CALL, RESULT] })
    const answered = (content: object) => {
      const request = { method: 'POST', url: 'https://example.com/', postData: { text: body } }
      const entries = [{ request, response: { content } }]
      return read({ log: { entries } }).conversations[0]?.answerUsage?.inputTokens
    }
    expect(answered({ text })).toBe(70)
    expect(answered({ text: btoa(text), encoding: 'base64' })).toBe(70)
    expect(answered({ text: '%%%', encoding: 'base64' })).toBeUndefined()
  })

  test('numbers that are not stated stay unknown', () => {
    const answer = { ...CALL, usage: { completion_tokens: 7, prompt_tokens: null } }
    const [usage] = usagesOf(read([PROMPT, answer, RESULT]))
    expect(usage).toMatchObject({ outputTokens: 7 })
    expect(usage?.inputTokens).toBeUndefined()
    expect(usagesOf(read([PROMPT, { ...CALL, usage: { prompt_tokens: -1 } }, RESULT]))).toEqual([])
  })
})
