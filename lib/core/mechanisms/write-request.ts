/** A request as a mechanism sends it, as a body of chat completions. */
import type { HistoryMessage, SessionHistory } from './history'
import type { Becomes } from './mechanism'
import { type MechanismRun, sentMessages } from './run-mechanism'

/** The last request of a session. A summary that a model would write is a text in brackets that gives its length. */
export function writeLastRequest(history: SessionHistory, run: MechanismRun): object {
  const { model } = history.session.conversation
  const messages = sentMessages(history, run).map(({ message, becomes }) =>
    written(message, becomes),
  )
  return { ...(model !== undefined && { model }), messages }
}

function written({ role, content, calls, callId }: HistoryMessage, becomes: Becomes = {}): object {
  const { summaryTokens } = becomes
  if (summaryTokens !== undefined)
    return { role: 'user', content: `[A summary of ${summaryTokens} tokens]` }
  const text = becomes.content ?? content
  if (role === 'tool') return { role, tool_call_id: callId, content: text }
  const asked = calls.flatMap(({ id, name, arguments: own }, position) => {
    const now = becomes.calls?.[position]
    if (now === null) return []
    return [{ id, type: 'function', function: { name, arguments: now ?? own } }]
  })
  if (asked.length === 0) return { role, content: text }
  return { role, content: text === '' ? null : text, tool_calls: asked }
}
