/** How the provider server answers requests of Anthropic Messages. */
import { readDocument } from '../formats/read-document'
import { checkHistory } from '../integrity/check-history'
import type { JsonObject } from '../text/json-object'

/** Why the API would refuse the history of a body; undefined if it would not. */
export function anthropicProblem(text: string, body: JsonObject): string | undefined {
  if (typeof body.model !== 'string' || typeof body.max_tokens !== 'number')
    return 'no model or limit'
  const { format, conversations } = readDocument(text)
  if (format.id !== 'anthropic-messages' && format.id !== 'openai-chat') return format.id
  const found = conversations.flatMap((conversation) => checkHistory(conversation))
  return found.length === 0 ? undefined : found.map(({ rule }) => rule).join(', ')
}

/** The body of the answer, or its events if the client asked for a stream. */
export function anthropicAnswer(answer: string, tokens: number, isStream: boolean): string {
  const usage = { input_tokens: tokens, output_tokens: answer.length }
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'test' }
  const end = { stop_reason: 'end_turn', stop_sequence: null }
  if (!isStream) {
    return JSON.stringify({ ...message, ...end, content: [{ type: 'text', text: answer }], usage })
  }
  const started = { ...message, content: [], stop_reason: null, stop_sequence: null, usage }
  const events = [
    { type: 'message_start', message: started },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: answer } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: end, usage: { output_tokens: answer.length } },
    { type: 'message_stop' },
  ]
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('')
}
