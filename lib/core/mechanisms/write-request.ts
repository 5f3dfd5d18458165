/** A request as a mechanism sends it, as a body of chat completions. */
import type { HistoryMessage, SessionHistory } from './history'
import type { Becomes } from './mechanism'
import type { MechanismRun } from './run-mechanism'

/** The last request of a session. A summary that a model would write is a text in brackets that gives its length. */
export function writeLastRequest(history: SessionHistory, run: MechanismRun): object {
  const { model } = history.session.conversation
  const picture = run.steps.at(-1)?.picture
  const messages = history.messages.slice(0, history.ends.at(-1)).flatMap((message, at) => {
    const becomes = picture?.get(at)
    const isGone = becomes?.isRemoved && becomes.summaryTokens === undefined
    return isGone ? [] : [written(message, becomes)]
  })
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
