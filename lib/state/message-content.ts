import type { Conversation, Message } from '@/lib/core/conversation/conversation'
import { readPlace } from '@/lib/core/text/embedded-json'
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
  /** As written; values that are no text as JSON. */
  readonly arguments: string
}

/** Reads one message out of the source text; called for messages that are looked at only. */
export function messageContent(
  source: string,
  conversation: Pick<Conversation, 'messages' | 'calls'>,
  index: number,
  hasResults: boolean,
): MessageContent {
  const message = conversation.messages[index] as Message
  const texts = message.contents
    .map((place) => textOf(readPlace(source, place)))
    .filter((text) => text !== '')
  const reasoning = message.reasoning.map((place) => textOf(readPlace(source, place))).join('\n\n')
  const calls = conversation.calls
    .filter((call) => call.message === index)
    .map(({ name, argumentsAt }) => ({
      name: name ?? '?',
      arguments: argumentsAt === undefined ? '' : textOf(readPlace(source, argumentsAt)),
    }))
  const isSilent = texts.length === 0 && calls.length === 0 && reasoning === ''
  return {
    texts,
    reasoning: reasoning === '' ? undefined : reasoning,
    calls,
    json: isSilent && !hasResults ? asJson(source, message) : undefined,
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function asJson(source: string, message: Message): string {
  return [message, ...message.more]
    .map((piece) =>
      piece.encoded === 0
        ? source.slice(piece.start, piece.end)
        : JSON.stringify(readPlace(source, piece)),
    )
    .map((text) => (text.length > LONGEST_LINE ? formatJson(text) : text))
    .join('\n')
}
