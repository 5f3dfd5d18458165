/**
 * Usage as every format states it. For published transcripts, the sums equal those of a script that knows only the
 * document's own names: `INDEPENDENT` below reads the raw file.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { sumUsage, type Usage } from '../conversation/usage'
import {
  CORPUS_FILES,
  CORPUS_FOLDER,
  HAS_CORPUS,
  readTranscript,
  type TranscriptFile,
} from '../testing/transcripts'
import { isJsonObject, type JsonObject } from '../text/json-object'
import { type ReadDocument, readDocument } from './read-document'

interface Sums {
  readonly requests: number
  readonly input: number
  readonly read: number
  readonly written: number
  readonly output: number
}

function usagesOf({ conversations }: ReadDocument): Usage[] {
  return conversations.flatMap(({ messages, answerUsage }) => [
    ...messages.flatMap(({ usage }) => usage ?? []),
    ...(answerUsage === undefined ? [] : [answerUsage]),
  ])
}

function sumsOf(usages: readonly Usage[]): Sums {
  const sum = (of: (usage: Usage) => number | undefined) =>
    usages.reduce((total, usage) => total + (of(usage) ?? 0), 0)
  return {
    requests: usages.length,
    input: sum(({ inputTokens }) => inputTokens),
    read: sum(({ cacheReadTokens }) => cacheReadTokens),
    written: sum(({ cacheWriteTokens }) => cacheWriteTokens),
    output: sum(({ outputTokens }) => outputTokens),
  }
}

type Numbers = Readonly<Record<string, number>>
type Row = readonly [input: number, read: number, written: number, output: number]

function total(rows: readonly Row[]): Sums {
  const sum = (at: number) => rows.reduce((all, row) => all + (row[at] as number), 0)
  return { requests: rows.length, input: sum(0), read: sum(1), written: sum(2), output: sum(3) }
}

/** Every object under a key, at any depth. */
function objectsAt(value: unknown, key: string): JsonObject[] {
  if (Array.isArray(value)) return value.flatMap((item) => objectsAt(item, key))
  if (!isJsonObject(value)) return []
  return Object.entries(value).flatMap(([name, member]) =>
    name === key && isJsonObject(member) ? [member] : objectsAt(member, key),
  )
}

function linesOf(text: string): JsonObject[] {
  return text.split('\n').flatMap((line) => {
    try {
      return [JSON.parse(line) as JsonObject]
    } catch {
      return []
    }
  })
}

function claudeCode(text: string): Sums {
  const lastOfMessage = new Map<string, Numbers>()
  for (const line of linesOf(text)) {
    const message = line.message as { id: string; usage?: Numbers; model: string } | undefined
    if (line.type !== 'assistant' || message?.usage === undefined) continue
    if (message.model !== '<synthetic>') lastOfMessage.set(message.id, message.usage)
  }
  return total(
    [...lastOfMessage.values()].map((usage): Row => {
      const read = usage.cache_read_input_tokens ?? 0
      const written = usage.cache_creation_input_tokens ?? 0
      return [(usage.input_tokens ?? 0) + read + written, read, written, usage.output_tokens ?? 0]
    }),
  )
}

/** By file name: sums over the raw text. */
const INDEPENDENT: Readonly<Record<string, (text: string) => Sums>> = {
  'claude-code/session-long.jsonl': claudeCode,
  'claude-code/session-orphan-result.jsonl': claudeCode,
  'claude-code/edge-cases-unparsable-line.jsonl': claudeCode,
  'codex/session-small.jsonl': (text) =>
    total(
      linesOf(text)
        .flatMap((line) => objectsAt(line, 'last_token_usage') as Numbers[])
        .filter((usage) => (usage.input_tokens as number) > 0)
        .map((usage) => [
          usage.input_tokens as number,
          usage.cached_input_tokens as number,
          0,
          usage.output_tokens as number,
        ]),
    ),
  'gemini/gemini-cli-session.json': (text) =>
    total(
      (objectsAt(JSON.parse(text), 'tokens') as Numbers[])
        .filter(({ total: all }) => all)
        .map((tokens) => [
          (tokens.input as number) + (tokens.tool as number),
          tokens.cached as number,
          0,
          (tokens.total as number) - (tokens.input as number) - (tokens.tool as number),
        ]),
    ),
  'anthropic-messages/cline-session.json': (text) =>
    total(
      (objectsAt(JSON.parse(text), 'metrics') as Numbers[]).map((metrics) => [
        metrics.inputTokens as number,
        metrics.cacheReadTokens as number,
        metrics.cacheWriteTokens as number,
        metrics.outputTokens as number,
      ]),
    ),
  'openai-chat/kimi-cli-scikit-learn.jsonl': (text) => {
    const lines = linesOf(text).filter(({ role }) => role === '_usage' || role === 'assistant')
    return total(
      lines.flatMap(({ role }, at): Row[] => {
        if (role !== 'assistant') return []
        const before = lines[at - 1]?.token_count as number
        return [[before, 0, 0, (lines[at + 1]?.token_count as number) - before]]
      }),
    )
  },
  'other/openhands-events.json': (text) => {
    const answers = objectsAt(JSON.parse(text), 'model_response')
    const byId = new Map(answers.map((answer) => [answer.id, answer.usage as Numbers]))
    return total(
      [...byId.values()].map((usage) => [
        usage.prompt_tokens as number,
        usage.cache_read_input_tokens as number,
        usage.cache_creation_input_tokens as number,
        usage.completion_tokens as number,
      ]),
    )
  },
}

if (!HAS_CORPUS) {
  test.skip(`usage of published transcripts: there is no ${CORPUS_FOLDER}`, () => {})
}

describe.skipIf(!HAS_CORPUS)('published transcripts', () => {
  const named = CORPUS_FILES.filter(({ name }) => INDEPENDENT[name] !== undefined)

  test('all files with sums are there', () => {
    expect(named.map(({ name }) => name).sort()).toEqual(Object.keys(INDEPENDENT).sort())
  })

  test.each(named)('$name has the usage in the raw file', (file: TranscriptFile) => {
    const text = readTranscript(file)
    expect(sumsOf(usagesOf(readDocument(text)))).toEqual(INDEPENDENT[file.name]?.(text))
  })

  const session = join(CORPUS_FOLDER, '../more-formats/pi-session.jsonl')
  test.skipIf(!existsSync(session))(
    'pi-session.jsonl has the usage and turns in the raw file',
    () => {
      const text = readFileSync(session, 'utf8')
      const document = readDocument(text)
      const usages = linesOf(text)
        .flatMap((line) => objectsAt(line, 'usage') as Numbers[])
        .map(({ input = 0, cacheRead = 0, cacheWrite = 0, output = 0 }): Row => {
          return [input + cacheRead + cacheWrite, cacheRead, cacheWrite, output]
        })
      expect(sumsOf(usagesOf(document))).toEqual(total(usages.filter(([input]) => input > 0)))
      const [conversation] = document.conversations
      expect([conversation?.turnCount, conversation?.results.length]).toEqual([369, 373])
      expect(document.problems).toEqual([])
    },
  )

  test('session-long.jsonl has its charged tokens', () => {
    const file = named.find(({ name }) => name === 'claude-code/session-long.jsonl')
    expect(claudeCode(readTranscript(file as TranscriptFile))).toEqual({
      requests: 219,
      input: 23_326_960,
      read: 22_577_493,
      written: 732_319,
      output: 19_874,
    })
  })
})

const read = (document: unknown) =>
  readDocument(typeof document === 'string' ? document : JSON.stringify(document))
const lines = (values: readonly unknown[]) =>
  values.map((value) => JSON.stringify(value)).join('\n')
const PROMPT = { role: 'user', content: 'List the files.' }
const CALL = {
  role: 'assistant',
  content: null,
  tool_calls: [{ id: 'a', type: 'function', function: { name: 'ls', arguments: '{}' } }],
}
const RESULT = { role: 'tool', tool_call_id: 'a', content: 'a.ts' }

const codexItem = (payload: object) => ({ type: 'response_item', payload })
const codexCount = (total: number) => ({
  type: 'event_msg',
  payload: {
    type: 'token_count',
    info: {
      total_token_usage: { total_tokens: total },
      last_token_usage: {
        input_tokens: total * 100,
        cached_input_tokens: total * 10,
        output_tokens: total,
      },
    },
  },
})

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

/** A document, and the usage of each answer in it: input, read, written, one-hour part, output, reasoning. */
const CASES: readonly (readonly [string, unknown, readonly (readonly unknown[])[]])[] = [
  [
    'Claude Code: the last line of a message',
    lines([
      { type: 'user', sessionId: 's', message: { role: 'user', content: 'Go.' } },
      ...[1, 90].map((output) => ({
        type: 'assistant',
        sessionId: 's',
        message: {
          id: 'm',
          role: 'assistant',
          model: 'claude-opus-4-5',
          content: [{ type: 'text', text: 'Yes.' }],
          usage: {
            input_tokens: 3,
            cache_read_input_tokens: 1000,
            cache_creation_input_tokens: 70,
            cache_creation: { ephemeral_5m_input_tokens: 50, ephemeral_1h_input_tokens: 20 },
            output_tokens: output,
          },
        },
      })),
    ]),
    [[1073, 1000, 70, 20, 90, undefined]],
  ],
  [
    'chat completions: a log of requests with answers',
    lines([
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
  [
    'Codex: the last count before the next answer, and none of a request that is counted again',
    lines([
      { type: 'session_meta', payload: { id: 's' } },
      codexCount(1),
      codexItem({ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Go.' }] }),
      codexItem({ type: 'function_call', call_id: 'a', name: 'ls', arguments: '{}' }),
      { type: 'event_msg', payload: { type: 'token_count', info: null } },
      codexCount(2),
      codexCount(2),
      codexCount(3),
      codexItem({ type: 'function_call_output', call_id: 'a', output: 'a.ts' }),
      {
        type: 'compacted',
        payload: {
          message: '',
          replacement_history: [
            { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'So.' }] },
          ],
        },
      },
      codexCount(4),
      codexItem({ type: 'function_call', call_id: 'b', name: 'ls', arguments: '{}' }),
      { type: 'event_msg', payload: { type: 'token_count', info: { total_token_usage: 5 } } },
    ]),
    [[200, 20, undefined, undefined, 2, undefined]],
  ],
  [
    'Kimi CLI: the counts around an answer, as far as they are stated',
    lines([
      PROMPT,
      { role: '_usage', token_count: 40 },
      CALL,
      { role: '_checkpoint', id: 1 },
      { role: '_usage', token_count: 49 },
      RESULT,
      { role: 'assistant', content: 'Yes.' },
      { role: '_usage', token_count: 70 },
      { role: '_usage', token_count: 80 },
      { role: 'assistant', content: 'Or no.' },
      { role: '_usage', token_count: 60 },
    ]),
    [
      [40, undefined, undefined, undefined, 9, undefined],
      [undefined, undefined, undefined, undefined, undefined, undefined],
      [undefined, undefined, undefined, undefined, undefined, undefined],
    ],
  ],
  [
    'Cline: 0 tokens written are not reported',
    [
      { role: 'user', content: [{ type: 'text', text: 'Go.' }] },
      {
        role: 'assistant',
        content: [{ type: 'tool_use', id: 'a', name: 'ls', input: {} }],
        metrics: { inputTokens: 9, outputTokens: 2, cacheReadTokens: 4, cacheWriteTokens: 0 },
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'a.ts' }] },
    ],
    [[9, 4, undefined, undefined, 2, undefined]],
  ],
  [
    'OpenTelemetry: numbers in strings, and none in an object without known names',
    SPAN,
    [[70, undefined, undefined, undefined, undefined, undefined]],
  ],
]

describe('usage is read', () => {
  test.each(CASES)('%s', (_, document, expected) => {
    const found = usagesOf(read(document)).map((usage) => [
      usage.inputTokens,
      usage.cacheReadTokens,
      usage.cacheWriteTokens,
      usage.cacheWriteHourTokens,
      usage.outputTokens,
      usage.reasoningTokens,
    ])
    expect(found).toEqual(expected)
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

  test('of the whole run, where only that is stated', () => {
    const { conversations } = read({
      trajectory: [{ action: 'ls', observation: 'a.ts', response: 'ls' }],
      history: [
        PROMPT,
        { role: 'assistant', content: 'ls', action: 'ls', message_type: 'action' },
        PROMPT,
      ],
      info: {
        model_stats: { instance_cost: 0.5, tokens_sent: 900, tokens_received: 40, api_calls: 3 },
      },
    })
    expect(conversations[0]?.usageTotal).toMatchObject({
      requests: 3,
      inputTokens: 900,
      outputTokens: 40,
      statedCost: 0.5,
    })
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

  test('of codex exec: the last turn of each thread, which has all turns before it', () => {
    const turn = (input: number) => ({
      type: 'turn.completed',
      usage: { input_tokens: input, cached_input_tokens: input - 10, output_tokens: 5 },
    })
    const item = { id: 'i', type: 'agent_message', text: 'Yes.' }
    const { conversations } = read(
      lines([
        { type: 'thread.started', thread_id: 't' },
        { type: 'item.completed', item },
        turn(100),
        turn(250),
        { type: 'thread.started', thread_id: 'u' },
        turn(40),
      ]),
    )
    expect(conversations[0]?.usageTotal).toMatchObject({
      inputTokens: 290,
      cacheReadTokens: 270,
      outputTokens: 10,
    })
  })

  test('numbers that are not stated stay unknown', () => {
    const answer = { ...CALL, usage: { completion_tokens: 7, prompt_tokens: null } }
    const [usage] = usagesOf(read([PROMPT, answer, RESULT]))
    expect(usage).toMatchObject({ outputTokens: 7 })
    expect(usage?.inputTokens).toBeUndefined()
    expect(usagesOf(read([PROMPT, { ...CALL, usage: { prompt_tokens: -1 } }, RESULT]))).toEqual([])
  })
})

describe('usage of agents', () => {
  const reading = (path: string) =>
    usagesOf(readDocument(readFileSync(join(import.meta.dirname, path), 'utf8'))).map((usage) => [
      usage.inputTokens,
      usage.cacheReadTokens,
      usage.outputTokens,
      usage.statedCost,
    ])

  test('Copilot CLI: the usage event of a call counts, otherwise its output alone', () => {
    expect(reading('copilot/cases/events.jsonl')).toEqual([
      [900, 512, 20, undefined],
      [undefined, undefined, 3, undefined],
    ])
  })

  test('a VS Code chat states the tokens of the last round of a request', () => {
    expect(reading('copilot/cases/chat.json')).toEqual([
      [120, undefined, 4, undefined],
      [900, undefined, 20, undefined],
    ])
  })

  test('Qwen Code: an answer on several lines is one request', () => {
    expect(reading('qwen-code/cases/rewind-and-compression.jsonl')).toEqual([
      [50, 0, 10, undefined],
      [100, 40, 20, undefined],
    ])
  })

  test('Kimi Code: the end of a step states it, the input without the cache', () => {
    expect(reading('kimi-code/cases/wire.jsonl')).toEqual([
      [150, 50, 20, undefined],
      [5, 0, 1, undefined],
    ])
  })

  test('Agents SDK: each response has its own, or the run a total', () => {
    expect(reading('agents-sdk/cases/run-state.json')).toEqual([
      [100, 40, 20, undefined],
      [150, 0, 5, undefined],
    ])
    const states = readFileSync(
      join(import.meta.dirname, 'agents-sdk/cases/states-on-lines.jsonl'),
      'utf8',
    )
    const totals = readDocument(states).conversations.map(({ usageTotal }) => usageTotal)
    expect(totals[0]).toMatchObject({ inputTokens: 300, outputTokens: 30, requests: 3 })
    expect(totals[1]).toMatchObject({ inputTokens: 7, requests: undefined })
  })

  test('ATIF: a step has its own; a trajectory without any has a total', () => {
    expect(reading('atif/cases/trajectory.json')).toEqual([[1100, 1000, 30, 0.005]])
    const text = readFileSync(join(import.meta.dirname, 'atif/cases/trajectory.json'), 'utf8')
    const [, subagent] = readDocument(text).conversations
    expect(subagent?.usageTotal).toMatchObject({ inputTokens: 70, statedCost: 0.001 })
  })

  test('Pydantic AI: the input has the cache; older names are read', () => {
    expect(reading('pydantic-ai/cases/messages.json')).toEqual([
      [1100, 1000, 30, undefined],
      [1200, undefined, 20, undefined],
    ])
  })

  test('Goose: a session has a total, without a number of requests', () => {
    const content = [{ type: 'toolRequest', id: 'a', toolCall: { value: { name: 'read' } } }]
    const text = JSON.stringify({
      accumulated_input_tokens: 900,
      accumulated_output_tokens: 40,
      accumulated_cost: 0.01,
      conversation: [{ role: 'assistant', content }],
    })
    const { usageTotal } = readDocument(text).conversations[0] ?? {}
    expect(usageTotal).toMatchObject({ inputTokens: 900, outputTokens: 40, statedCost: 0.01 })
    expect(usageTotal?.requests).toBeUndefined()
  })

  test('opencode: each step has its own; the input leaves out the cache, the total tells of reasoning', () => {
    expect(reading('opencode/cases/export.json')).toEqual([
      [1100, 1000, 30, 0.005],
      [1150, 1000, 5, undefined],
      [10, 0, 3, undefined],
    ])
  })
})
