import { derivedUuid } from './derived-id'
import type { FormatWriter } from './format-writer'
import type { RecordedMessage, RecordedSession } from './recorded-session'

const MODEL = 'claude-sonnet-4.5'

/** A session's events, each naming the one before; a hook repeats each result. */
export const copilotCliSession: FormatWriter = {
  format: 'copilot-cli',
  file: 'events.jsonl',
  write: ({ system, messages, startedAt }: RecordedSession) => {
    const start = {
      type: 'session.start',
      data: {
        sessionId: derivedUuid('copilot session'),
        version: 1,
        producer: 'copilot-agent',
        startTime: new Date(startedAt).toISOString(),
        selectedModel: MODEL,
        context: { cwd: '/home/user/text-box' },
      },
    }
    const events = [
      { at: 0, event: start },
      { at: 0, event: { type: 'system.message', data: { content: system, role: 'system' } } },
      ...messages.flatMap((message, at) => eventsOf(message, at).map((event) => ({ at, event }))),
    ]
    const lines = events.map(({ at, event }, index) => ({
      ...event,
      id: eventId(index),
      timestamp: new Date(startedAt + at * 1000).toISOString(),
      parentId: index === 0 ? null : eventId(index - 1),
    }))
    return `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`
  },
}

function eventId(index: number): string {
  return derivedUuid(`copilot event ${index}`)
}

function eventsOf(message: RecordedMessage, at: number): object[] {
  if (message.role === 'user') {
    const { text } = message
    return [{ type: 'user.message', data: { content: text, transformedContent: text } }]
  }
  if (message.role === 'assistant') {
    const { text, calls } = message
    const toolRequests = calls.map(({ id, name, arguments: written }) => {
      return { toolCallId: id, name, arguments: written, type: 'function' }
    })
    const messageId = derivedUuid(`copilot message ${at}`)
    return [
      { type: 'assistant.message', data: { messageId, content: text, toolRequests, model: MODEL } },
    ]
  }
  const { callId, toolName, parts, isError } = message.result
  const content = parts.join('\n')
  const hook = { toolName, toolResult: { resultType: 'success', textResultForLlm: content } }
  const outcome = isError
    ? { success: false, error: { message: content, code: 'failure' } }
    : { success: true, result: { content, detailedContent: content } }
  return [
    { type: 'tool.execution_start', data: { toolCallId: callId, toolName } },
    { type: 'hook.start', data: { hookType: 'postToolUse', input: hook } },
    { type: 'tool.execution_complete', data: { toolCallId: callId, ...outcome } },
  ]
}
