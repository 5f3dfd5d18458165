import type { NextRequest } from './next-request'
import type { PlainMessage, RequestContent, RequestMessage } from './request-message'

const SHOWN_CHARS = 100

/** Writes the structure of a request as lines of text: system, style, history, user, calls, results, tools. */
export function writeRequestLog(
  { request, history, calls }: Pick<NextRequest, 'request' | 'history' | 'calls'>,
  style: string,
): string {
  const { messages } = request
  const plain = messages.filter(isPlain)
  const system = plain.find(({ role, content }) => role !== 'user' && content !== style)
  const turnAt = messages.findLastIndex((message) => 'tool_calls' in message)
  const user = messages
    .slice(0, turnAt)
    .filter(isPlain)
    .findLast(({ role }) => role === 'user')
  const results = messages.slice(turnAt + 1).filter(({ role }) => role === 'tool')
  const failed = results.filter(isFailure).length
  const lines = [
    `system: ${system === undefined ? 'none' : clipped(system.content)}`,
    style.trim() === '' ? 'style: none' : `style: ${style.length} characters`,
    `history: ${history.sent} of ${history.all} messages`,
    `user: ${user === undefined ? 'none' : clipped(user.content)}`,
    `calls: ${calls.length} (${calls.map(({ name, id }) => `${name} ${id}`).join(', ')})`,
    `results: ${results.length}, ${failed} failed`,
    `tools: ${request.tools === undefined ? 'omitted' : `none, tool_choice ${request.tool_choice}`}`,
    `model: ${request.model ?? 'none'}, temperature ${request.temperature}, stream ${request.stream}`,
  ]
  return `${lines.join('\n')}\n`
}

function isPlain(message: RequestMessage): message is PlainMessage {
  return message.role !== 'assistant' && message.role !== 'tool'
}

function isFailure({ content }: RequestMessage): boolean {
  return typeof content === 'string' && content.startsWith('{"success":false,')
}

function clipped(content: RequestContent): string {
  const text = typeof content === 'string' ? content : content.map((part) => part.text).join('')
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > SHOWN_CHARS ? `${line.slice(0, SHOWN_CHARS)}…` : line
}
