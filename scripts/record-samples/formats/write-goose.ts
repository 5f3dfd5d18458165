import type { FormatWriter } from './format-writer'
import type { RecordedMessage } from './recorded-session'

/** The export of a session; each result is a user message of its own. */
export const gooseSession: FormatWriter = {
  format: 'goose',
  file: 'session.json',
  write: ({ messages, startedAt }) => {
    const conversation = messages.map((message, at) => ({
      id: `msg_${at}`,
      role: message.role === 'assistant' ? 'assistant' : 'user',
      created: startedAt / 1000 + at,
      content: partsOf(message),
      metadata: { userVisible: true, agentVisible: true },
    }))
    const session = {
      id: '20261122_1',
      working_dir: '/home/user/text-box',
      name: 'Text box',
      conversation,
      message_count: conversation.length,
      provider_name: 'anthropic',
      model_config: { model_name: 'claude-sonnet-4-5' },
    }
    return `${JSON.stringify(session, null, 2)}\n`
  },
}

function partsOf(message: RecordedMessage): object[] {
  if (message.role === 'user') return [{ type: 'text', text: message.text }]
  if (message.role === 'assistant') {
    const { text, calls } = message
    const requests = calls.map(({ id, name, arguments: written }) => {
      const toolCall = { status: 'success', value: { name, arguments: written } }
      return { type: 'toolRequest', id, toolCall }
    })
    return [...(text === '' ? [] : [{ type: 'text', text }]), ...requests]
  }
  const { callId, parts, isError } = message.result
  const content = parts.map((text) => ({ type: 'text', text }))
  const toolResult = { status: 'success', value: { content, isError } }
  return [{ type: 'toolResponse', id: callId, toolResult }]
}
