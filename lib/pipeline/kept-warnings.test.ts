import { expect, test } from 'vitest'
import { turnOf } from '../core/testing/conversation-of'
import { createKeptWarnings } from './kept-warnings'
import { maskRequestBody } from './mask-request'

const ON = { enabled: true, windowTurns: 1 }

const userOf = (content: unknown) => ({ role: 'user', content })
const turns = (count: number, turn: (id: string) => readonly object[]) =>
  Array.from({ length: count }, (_, at) => turn(`t${at}`)).flat()

/** A request to a model with three turns, whose answers have signed thinking. */
function bodyOf(model: string) {
  const thinking = { type: 'thinking', thinking: 'Next.', signature: 'c2lnbmVk' }
  const messages = turns(3, (id) => [
    { role: 'assistant', content: [thinking, { type: 'tool_use', id, name: 'read', input: {} }] },
    userOf([{ type: 'tool_result', tool_use_id: id, content: 'a line' }]),
  ])
  return JSON.stringify({ model, max_tokens: 9, messages: [userOf('go'), ...messages] })
}

/** Chat completions with results that are lists of one text. */
function chatOf(count: number) {
  const messages = turns(count, (id) => turnOf(id, [{ type: 'text', text: 'a line' }], 'read'))
  return JSON.stringify({ model: 'qwen3', messages: [userOf('go'), ...messages] })
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
  const masked = send(bodyOf('claude-opus-4-6'))
  expect([masked.maskedResults, said.length]).toEqual([2, 1])
  const body = bodyOf('claude-opus-5-5')
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
