import { readChatMessage } from '@/lib/core/conversation/chat-message'
import type { Message } from '@/lib/core/conversation/conversation'
import { formatJson } from '@/lib/core/text/format-json'

/** What a message says, to be read by people; the texts of its results are taken by their slots instead. */
export interface MessageContent {
  readonly texts: readonly string[]
  readonly reasoning: string | undefined
  readonly calls: readonly CallContent[]
  /** The message as JSON, where none of the above could be found in it. */
  readonly json: string | undefined
}

/** Bookkeeping between messages is short, and better left on its line. */
const LONGEST_LINE = 120

interface CallContent {
  readonly name: string
  /** As written. */
  readonly arguments: string
}

/** Reads one message out of the source text; called for messages that are looked at only. */
export function messageContent(
  source: string,
  { start, end }: Pick<Message, 'start' | 'end'>,
  hasResults: boolean,
): MessageContent {
  const text = source.slice(start, end)
  const value: unknown = JSON.parse(text)
  const read = readChatMessage(value)
  const texts = (read?.contents ?? []).filter((content) => content !== '')
  const calls = (read?.calls ?? []).map((call) => ({
    name: typeof call.name === 'string' ? call.name : '?',
    arguments: call.arguments,
  }))
  const reasoning = reasoningOf(value)
  const isSilent = texts.length === 0 && calls.length === 0 && reasoning === undefined
  return { texts, reasoning, calls, json: isSilent && !hasResults ? layOut(text) : undefined }
}

function layOut(json: string): string {
  return json.length > LONGEST_LINE ? formatJson(json) : json
}

function reasoningOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || !('reasoning_content' in value))
    return undefined
  const { reasoning_content: reasoning } = value
  return typeof reasoning === 'string' && reasoning !== '' ? reasoning : undefined
}
