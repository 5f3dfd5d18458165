/** A recorded session reads as the same requests, whether each line has all of its messages or only what it adds. */
import { expect, test } from 'vitest'
import { createSessions } from '../../replay/sessions'
import { countConversation } from '../../tokens/count-conversation'
import { readDocument } from '../read-document'

const RECORD = { at: '2026-11-28T20:00:00.000Z', path: '/v1', status: 200, masking: 'unchanged' }

const chat = {
  key: 'messages',
  shared: { model: 'gpt-5', tools: [{ type: 'function', function: { name: 'read' } }] },
  first: [{ role: 'user', content: 'Read all' }],
  turnOf: (at: number) => [
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: `c${at}`, type: 'function', function: { name: 'read', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: `c${at}`, content: `part ${at}` },
  ],
  usageOf: (at: number) => ({ prompt_tokens: 100 * at, completion_tokens: at }),
}
const anthropic = {
  ...chat,
  shared: { model: 'claude-sonnet-4-5', max_tokens: 9 },
  turnOf: (at: number) => [
    { role: 'assistant', content: [{ type: 'tool_use', id: `c${at}`, name: 'read', input: {} }] },
    {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: `c${at}`, content: `part ${at}` }],
    },
  ],
  usageOf: (at: number) => ({ input_tokens: 100 * at, output_tokens: at }),
}
const responses = {
  key: 'input',
  shared: { model: 'gpt-5', instructions: 'Be brief.' },
  first: [{ role: 'user', content: [{ type: 'input_text', text: 'Read all' }] }],
  turnOf: (at: number) => [
    { type: 'function_call', call_id: `c${at}`, name: 'read', arguments: '{}' },
    { type: 'function_call_output', call_id: `c${at}`, output: `part ${at}` },
  ],
  usageOf: (at: number) => ({ input_tokens: 100 * at, output_tokens: at }),
}
const gemini = {
  key: 'contents',
  shared: { systemInstruction: { parts: [{ text: 'Be brief.' }] } },
  first: [{ role: 'user', parts: [{ text: 'Read all' }] }],
  turnOf: (at: number) => [
    { role: 'model', parts: [{ functionCall: { name: 'read', args: {} } }] },
    {
      role: 'user',
      parts: [{ functionResponse: { name: 'read', response: { output: `part ${at}` } } }],
    },
  ],
  usageOf: (at: number) => ({ promptTokenCount: 100 * at, candidatesTokenCount: at }),
}

const read = (text: string) => {
  const { format, conversations, problems } = readDocument(text)
  const counts = conversations.map((one) => countConversation(one, ({ length }) => length))
  const sessions = createSessions(conversations, counts)
  const of = sessions.map(({ conversation, requests }) => ({
    requests: requests.map(({ end, turnCount, answer, usage }) => {
      return { end, turnCount, answer, usage: [usage?.inputTokens, usage?.outputTokens] }
    }),
    results: conversation.results.map(({ callId, turn, chars }) => [callId, turn, chars]),
    schemas: conversations.at(-1)?.toolSchemas,
  }))
  return { of, format, problems, conversations }
}

test.each(Object.entries({ chat, anthropic, responses, gemini }))(
  'of %s',
  (name, { key, shared, first, turnOf, usageOf }) => {
    const usage = name === 'gemini' ? 'usageMetadata' : 'usage'
    const recordOf = (turns: number, isGrown: boolean) => {
      const added = turns === 0 ? first : turnOf(turns)
      const before = Array.from({ length: turns }, (_, at) =>
        at === 0 ? first : turnOf(at),
      ).flat()
      const request = isGrown ? { [key]: added } : { ...shared, [key]: [...before, ...added] }
      const response = { [usage]: usageOf(turns + 1) }
      return {
        ...RECORD,
        masked_results: 0,
        ...(isGrown && { continues: true }),
        request,
        response,
      }
    }
    const textOf = (isGrown: (turns: number) => boolean) =>
      [0, 1, 2, 3].map((turns) => `${JSON.stringify(recordOf(turns, isGrown(turns)))}\n`).join('')
    const whole = read(textOf(() => false))
    const grown = read(textOf((turns) => turns > 0))
    expect(whole.of).toHaveLength(1)
    expect(whole.of[0]?.requests).toHaveLength(4)
    expect(grown.of).toEqual(whole.of)
    expect([grown.format, grown.problems]).toEqual([whole.format, []])
    expect(grown.conversations).toHaveLength(1)
    // Written whole after the proxy was started again: a session of its own, and what follows continues it.
    const again = read(textOf((turns) => turns > 0 && turns !== 2))
    expect(again.of.map(({ requests }) => requests.length)).toEqual([2, 2])
  },
)
