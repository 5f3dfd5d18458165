import type { FormatWriter } from './format-writer'
import type { RecordedMessage, RecordedSession } from './recorded-session'

/** A request body of chat completions. */
export const openaiChatBody: FormatWriter = {
  format: 'openai-chat',
  file: 'request-body.json',
  write: ({ system, messages }: RecordedSession) => {
    const written = [{ role: 'system', content: system }, ...messages.map(chatMessage)]
    return `${JSON.stringify({ model: 'gpt-5', messages: written }, null, 2)}\n`
  },
}

/** A recorded message as a chat-completions message. */
export function chatMessage(message: RecordedMessage): object {
  switch (message.role) {
    case 'user':
      return { role: 'user', content: message.text }
    case 'assistant': {
      const calls = message.calls.map(({ id, name, arguments: written }) => ({
        id,
        type: 'function',
        function: { name, arguments: JSON.stringify(written) },
      }))
      return {
        role: 'assistant',
        content: message.text,
        ...(calls.length > 0 && { tool_calls: calls }),
      }
    }
    case 'tool': {
      const { callId, parts } = message.result
      return { role: 'tool', tool_call_id: callId, content: parts.join('\n') }
    }
  }
}
