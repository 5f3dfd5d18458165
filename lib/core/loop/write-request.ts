import { STYLE_MESSAGES } from './loop-texts'
import type { NextRequest } from './next-request'
import { type PlainMessage, plainTextOf, type RequestContent, type RequestMessage } from './request'

/** Writes a request for people: the command that sends it, and the log of its structure. */

/** Linux limits an argument to 131,072 bytes; longer bodies are sent through standard input. */
const MAX_ARGUMENT_BYTES = 100_000

const BYTES_PER_UNIT = 3

/** Writes a curl command for POSIX shells. The body is the request as one line of JSON, the key `$OPENAI_API_KEY`. */
export function writeCurl(request: unknown, url = DEFAULT_ENDPOINT): string {
  const body = JSON.stringify(request)
  const head = [
    `curl ${quoted(url)}`,
    `-H ${quoted('Content-Type: application/json')}`,
    '-H "Authorization: Bearer $OPENAI_API_KEY"',
  ]
  const isShort = body.length * BYTES_PER_UNIT <= MAX_ARGUMENT_BYTES
  if (isShort) return `${[...head, `--data-binary ${quoted(body)}`].join(' \\\n  ')}\n`
  // The body is one line of JSON, so it never equals END_OF_BODY. Some shells expand `!` from the history.
  const lines = [...head, "--data-binary @- <<'END_OF_BODY'"].join(' \\\n  ')
  return `${lines}\n${body.replaceAll('!', '\\u0021')}\nEND_OF_BODY\n`
}

export const DEFAULT_ENDPOINT = 'https://api.openai.com/v1/chat/completions'

/** In single quotes only the quote itself is special. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

const SHOWN_CHARS = 100

/** Writes the structure of a request as lines of text: system, style and its steps, history, user, calls, results, tools. */
export function writeRequestLog(
  built: Pick<NextRequest, 'request' | 'history' | 'calls' | 'style'>,
): string {
  const { request, history, calls, style } = built
  const { messages } = request
  const isDefault = Object.values(STYLE_MESSAGES).some((one) => one === style)
  const plain = messages.filter(isPlain)
  const system = plain.find(({ role, content }) => role !== 'user' && content !== style)
  const turnAt = messages.findLastIndex((message) => 'tool_calls' in message)
  const user = messages
    .slice(0, turnAt)
    .filter(isPlain)
    .findLast(({ role }) => role === 'user')
  const results = messages.slice(turnAt + 1).filter(({ role }) => role === 'tool')
  const failed = results.filter(({ content }) =>
    content?.toString().startsWith('{"success":false,'),
  ).length
  const lines = [
    `system: ${system === undefined ? 'none' : clipped(system.content)}`,
    `style: ${style === undefined ? 'left out by setting' : `${style.length} characters`}`,
    `structure: ${isDefault ? '4 steps, required' : style === undefined ? 'not asked for' : 'as the custom style says'}`,
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

function clipped(content: RequestContent): string {
  const line = plainTextOf(content).replace(/\s+/g, ' ').trim()
  return line.length > SHOWN_CHARS ? `${line.slice(0, SHOWN_CHARS)}…` : line
}
