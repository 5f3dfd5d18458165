/** Transcripts of any size, made of the recorded sample sessions; ids and results differ from copy to copy. */
import { readFileSync } from 'node:fs'

interface Call {
  readonly id: string
}

interface SampleMessage {
  readonly role: string
  readonly content?: unknown
  readonly tool_calls?: readonly Call[]
  readonly tool_call_id?: string
}

const SAMPLE = new URL('../../../public/samples/coding-session.json', import.meta.url)

/** Returns the messages of the sample's copy with this number: 70 turns, about 200 kB. */
function copyOf(messages: readonly SampleMessage[], copy: number): SampleMessage[] {
  return messages.map((message) => ({
    ...message,
    ...(message.tool_calls && {
      tool_calls: message.tool_calls.map((call) => ({ ...call, id: `${call.id}_${copy}` })),
    }),
    ...(message.tool_call_id !== undefined && {
      tool_call_id: `${message.tool_call_id}_${copy}`,
      content: `Copy ${copy}\n${message.content}`,
    }),
  }))
}

/** One indented list of messages with about `length` characters: 50 million have 17,000 turns. */
export function longArray(length: number): string {
  const { messages } = readSample()
  const copies: string[] = []
  for (let size = 0; size < length; size += copies.at(-1)?.length ?? 0) {
    const copied = JSON.stringify(copyOf(messages, copies.length), null, 2)
    copies.push(copied.slice(2, -2))
  }
  return `[\n${copies.join(',\n')}\n]\n`
}

/** JSON Lines, each the request body of another session, with about `length` characters: 50 million have 272 sessions. */
export function manySessions(length: number): string {
  const { messages, ...body } = readSample()
  const lines: string[] = []
  for (let size = 0; size < length; size += lines.at(-1)?.length ?? 0) {
    lines.push(JSON.stringify({ ...body, messages: copyOf(messages, lines.length) }))
  }
  return lines.join('\n')
}

function readSample(): { readonly messages: readonly SampleMessage[] } {
  return JSON.parse(readFileSync(SAMPLE, 'utf8'))
}
