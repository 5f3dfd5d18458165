import { expect, test } from 'vitest'
import { createKeptWarnings } from './kept-warnings'
import { maskRequestBody } from './mask-request'

const ON = { enabled: true, windowTurns: 1 }

/** A request to a model with so many turns, whose answers have signed thinking. */
function bodyOf(model: string, turns: number, isSigned: boolean) {
  const thinking = { type: 'thinking', thinking: 'Next.', signature: 'c2lnbmVk' }
  const turn = (id: string) => [
    {
      role: 'assistant',
      content: [...(isSigned ? [thinking] : []), { type: 'tool_use', id, name: 'read', input: {} }],
    },
    {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: id, content: 'a line' }],
    },
  ]
  const messages = Array.from({ length: turns }, (_, at) => turn(`t${at}`)).flat()
  return JSON.stringify({
    model,
    max_tokens: 9,
    messages: [{ role: 'user', content: 'go' }, ...messages],
  })
}

/** The same as chat completions, with results that are lists of one text. */
function chatOf(turns: number) {
  const content = [{ type: 'text', text: 'a line' }]
  const turn = (id: string) => [
    { role: 'assistant', tool_calls: [{ id, function: { name: 'read', arguments: '{}' } }] },
    { role: 'tool', tool_call_id: id, content },
  ]
  const messages = Array.from({ length: turns }, (_, at) => turn(`t${at}`)).flat()
  return JSON.stringify({
    model: 'qwen3',
    messages: [{ role: 'user', content: 'go' }, ...messages],
  })
}

test('what a request keeps is said once, and how to lift it', () => {
  const said: string[] = []
  const warn = createKeptWarnings((sentence) => said.push(sentence))
  const send = (body: string, policy = {}) => {
    const { report } = maskRequestBody(body, { ...ON, ...policy })
    warn(report)
    return report
  }
  expect(send(chatOf(1)).reasons).toEqual({ in_window: 1 })
  expect(said).toEqual([])
  expect(send(chatOf(3)).reasons).toEqual({ non_text: 2, in_window: 1 })
  send(chatOf(4))
  expect(said).toEqual([
    'Nothing is masked, though results are older than the window: 2 non_text. text_parts = true masks lists of texts.',
  ])
  const masked = send(bodyOf('claude-opus-4-6', 3, true))
  expect([masked.maskedResults, said.length]).toEqual([2, 1])
  const body = bodyOf('claude-opus-5-5', 3, true)
  expect(send(body)).toMatchObject({
    outcome: 'unchanged',
    reasons: { before_signed_thinking: 2, in_window: 1 },
  })
  send(body)
  expect(said.slice(1)).toEqual([
    expect.stringMatching(/^Results kept as sent: 2\. Signed thinking/),
  ])
  const opted = { beforeSignedThinking: 'mask' as const }
  expect(send(body, opted).maskedResults).toBe(2)
})
