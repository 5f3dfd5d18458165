import { oneCallAtATime } from './adapt-session'
import type { FormatWriter } from './format-writer'

/** A row of ShareGPT, as fine-tuning tools read it: a call and its result are messages of their own. */
export const shareGpt: FormatWriter = {
  format: 'data-set',
  file: 'sharegpt.jsonl',
  writes: { because: 'ShareGPT has one call per message', adapt: oneCallAtATime },
  write: (session) => {
    const said = oneCallAtATime(session).messages.map((message): object => {
      if (message.role === 'user') return { from: 'human', value: message.text }
      if (message.role === 'tool') return { from: 'tool', value: message.result.parts.join('\n') }
      const calls = message.calls.map(
        ({ name, arguments: written }) =>
          `<tool_call>\n${JSON.stringify({ name, arguments: written })}\n</tool_call>`,
      )
      return { from: 'gpt', value: [message.text, ...calls].join('\n') }
    })
    const conversations = [{ from: 'system', value: session.system }, ...said]
    return `${JSON.stringify({ id: 'text-box', conversations })}\n`
  },
}

/** A row of SWE-smith: the messages are JSON in a string, with the members SWE-agent adds. */
export const sweSmithRow: FormatWriter = {
  format: 'swe-agent',
  file: 'swe-smith-rows.jsonl',
  write: ({ system, messages }) => {
    const agent = 'main'
    const said = messages.map((message): object => {
      if (message.role === 'user')
        return { role: 'user', content: message.text, agent, message_type: 'observation' }
      if (message.role === 'tool') {
        const { callId, parts } = message.result
        const content = parts.join('\n')
        return {
          role: 'tool',
          content,
          agent,
          message_type: 'observation',
          tool_call_ids: [callId],
        }
      }
      const tool_calls = message.calls.map(({ id, name, arguments: written }) => {
        return { id, type: 'function', function: { name, arguments: JSON.stringify(written) } }
      })
      const calls = tool_calls.length > 0 && { tool_calls }
      return { role: 'assistant', content: message.text, agent, message_type: 'action', ...calls }
    })
    const list = [
      { role: 'system', content: system, agent, message_type: 'system_prompt' },
      ...said,
    ]
    const row = { messages: JSON.stringify(list), instance_id: 'text-box', resolved: true }
    return `${JSON.stringify({ ...row, model: 'claude-sonnet-4-5', traj_id: 'text-box.1' })}\n`
  },
}
