import type { AdaptSession } from './format-writer'
import type { RecordedCall, RecordedMessage } from './recorded-session'

/** One call per message, each followed by its result; the first message has the text. */
export const oneCallAtATime: AdaptSession = (session) => {
  const results = new Map(
    session.messages.flatMap((message) =>
      message.role === 'tool' ? [[message.result.callId, message] as const] : [],
    ),
  )
  const messages = session.messages.flatMap((message): RecordedMessage[] => {
    if (message.role === 'tool') return []
    if (message.role === 'user' || message.calls.length < 2) {
      const [call] = message.role === 'assistant' ? message.calls : []
      const result = call === undefined ? undefined : results.get(call.id)
      return result === undefined ? [message] : [message, result]
    }
    return message.calls.flatMap((call, index): RecordedMessage[] => {
      const text = index === 0 ? message.text : ''
      const result = results.get(call.id)
      const said: RecordedMessage = { role: 'assistant', text, calls: [call] }
      return result === undefined ? [said] : [said, result]
    })
  })
  return { ...session, messages }
}

/** The messages up to the result of this many calls, rounded to complete turns. */
export const firstCalls =
  (count: number): AdaptSession =>
  (session) => {
    let seen = 0
    const end = session.messages.findIndex((message) => {
      if (message.role === 'assistant') seen += message.calls.length
      return seen > count
    })
    return end === -1 ? session : { ...session, messages: session.messages.slice(0, end) }
  }

/** Renames every call and its results. */
export const renameCalls =
  (nameOf: (call: RecordedCall) => string): AdaptSession =>
  (session) => {
    const names = new Map<string, string>()
    const messages = session.messages.map((message): RecordedMessage => {
      if (message.role === 'user') return message
      if (message.role === 'tool') {
        const toolName = names.get(message.result.callId) ?? message.result.toolName
        return { role: 'tool', result: { ...message.result, toolName } }
      }
      const calls = message.calls.map((call) => {
        const name = nameOf(call)
        names.set(call.id, name)
        return { ...call, name }
      })
      return { ...message, calls }
    })
    return { ...session, messages }
  }
