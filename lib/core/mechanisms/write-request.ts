/** A request as a mechanism sends it, as a body of chat completions. */
import type { HistoryMessage, SessionHistory } from './history'
import type { MessageEdit, MessageEdits } from './mechanism'

/** A request with these edits, as text alone. A summary that a model would write is a text in brackets with its length. */
export function writeRequest(
  { session, messages, ends }: SessionHistory,
  edits: MessageEdits,
  request: number,
): object {
  const { model } = session.conversation
  const written = messages.slice(0, ends[request]).flatMap((message, at) => {
    const edit = edits.get(at)
    const isGone = edit?.isRemoved && edit.summary === undefined
    return isGone ? [] : [writeMessage(message, edit)]
  })
  return { ...(model !== undefined && { model }), messages: written }
}

function writeMessage(
  { role, content, calls, callId }: HistoryMessage,
  edit: MessageEdit = {},
): object {
  if (edit.summary !== undefined)
    return { role: 'user', content: `[A summary of ${edit.summary.tokens} tokens]` }
  const text = edit.content ?? content
  if (role === 'tool') return { role, tool_call_id: callId, content: text }
  const asked = calls.flatMap(({ id, name, arguments: written }, position) => {
    const now = edit.calls?.[position]
    if (now === null) return []
    return [{ id, type: 'function', function: { name, arguments: now ?? written } }]
  })
  if (asked.length === 0) return { role, content: text }
  return { role, content: text === '' ? null : text, tool_calls: asked }
}
