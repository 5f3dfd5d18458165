/** Usage as agents state it in their session files. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
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

const CASES: readonly UsageCase[] = [
  [
    'Claude Code: the last line of a message',
    jsonLines([
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
    'Codex: the last count before the next answer, and none of a request that is counted again',
    jsonLines([
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
    jsonLines([
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
]

/** Files, and of each answer in them: input, read, output, cost. */
const FILES: readonly UsageCase<string>[] = [
  [
    'Copilot CLI: the usage event of a call counts, otherwise its output alone',
    'copilot/cases/events.jsonl',
    [
      [900, 512, 20, undefined],
      [undefined, undefined, 3, undefined],
    ],
  ],
  [
    'a VS Code chat states the tokens of the last round of a request',
    'copilot/cases/chat.json',
    [
      [120, undefined, 4, undefined],
      [900, undefined, 20, undefined],
    ],
  ],
  [
    'Qwen Code: an answer on several lines is one request',
    'qwen-code/cases/rewind-and-compression.jsonl',
    [
      [50, 0, 10, undefined],
      [100, 40, 20, undefined],
    ],
  ],
  [
    'Kimi Code: the end of a step states it, the input without the cache',
    'kimi-code/cases/wire.jsonl',
    [
      [150, 50, 20, undefined],
      [5, 0, 1, undefined],
    ],
  ],
  [
    'Agents SDK: each response has its own',
    'agents-sdk/cases/run-state.json',
    [
      [100, 40, 20, undefined],
      [150, 0, 5, undefined],
    ],
  ],
  ['ATIF: a step has its own', 'atif/cases/trajectory.json', [[1100, 1000, 30, 0.005]]],
  [
    'Pydantic AI: the input has the cache; older names are read',
    'pydantic-ai/cases/messages.json',
    [
      [1100, 1000, 30, undefined],
      [1200, undefined, 20, undefined],
    ],
  ],
  [
    'opencode: each step has its own; the input leaves out the cache, the total tells of reasoning',
    'opencode/cases/export.json',
    [
      [1100, 1000, 30, 0.005],
      [1150, 1000, 5, undefined],
      [10, 0, 3, undefined],
    ],
  ],
]

const readFile = (path: string) => read(readFileSync(join(import.meta.dirname, path), 'utf8'))

describe('usage of answers', () => {
  test.each(CASES)('%s', (_, document, expected) => {
    expect(figuresOf(document)).toEqual(expected)
  })

  test.each(FILES)('%s', (_, path, expected) => {
    const figures = usagesOf(readFile(path)).map((usage) => [
      usage.inputTokens,
      usage.cacheReadTokens,
      usage.outputTokens,
      usage.statedCost,
    ])
    expect(figures).toEqual(expected)
  })
})

describe('usage of a whole run', () => {
  test('of SWE-agent, where only that is stated', () => {
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

  test('of codex exec: the last turn of each thread, which has all turns before it', () => {
    const turn = (input: number) => ({
      type: 'turn.completed',
      usage: { input_tokens: input, cached_input_tokens: input - 10, output_tokens: 5 },
    })
    const item = { id: 'i', type: 'agent_message', text: 'Yes.' }
    const { conversations } = read(
      jsonLines([
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

  test('of the Agents SDK, where a run has a total', () => {
    const totals = readFile('agents-sdk/cases/states-on-lines.jsonl').conversations.map(
      ({ usageTotal }) => usageTotal,
    )
    expect(totals[0]).toMatchObject({ inputTokens: 300, outputTokens: 30, requests: 3 })
    expect(totals[1]).toMatchObject({ inputTokens: 7, requests: undefined })
  })

  test('of ATIF, where no step has its own', () => {
    const [, subagent] = readFile('atif/cases/trajectory.json').conversations
    expect(subagent?.usageTotal).toMatchObject({ inputTokens: 70, statedCost: 0.001 })
  })

  test('of Goose, without a number of requests', () => {
    const content = [{ type: 'toolRequest', id: 'a', toolCall: { value: { name: 'read' } } }]
    const text = JSON.stringify({
      accumulated_input_tokens: 900,
      accumulated_output_tokens: 40,
      accumulated_cost: 0.01,
      conversation: [{ role: 'assistant', content }],
    })
    const { usageTotal } = read(text).conversations[0] ?? {}
    expect(usageTotal).toMatchObject({ inputTokens: 900, outputTokens: 40, statedCost: 0.01 })
    expect(usageTotal?.requests).toBeUndefined()
  })
})
