import type { Conversation, Message } from '@/lib/core/conversation/conversation'
import { readValueAt } from '@/lib/core/text/embedded-json'
import { formatJson } from '@/lib/core/text/format-json'
import type { TextSlices } from '@/lib/core/text/span'

/** The readable content of a message, without its results. */
export interface MessageContent {
  readonly texts: readonly string[]
  readonly reasoning: string | undefined
  readonly calls: readonly CallContent[]
  /** The message as JSON, if it has none of the above. */
  readonly json: string | undefined
}

/** Shorter JSON stays on one line. */
const LONGEST_LINE = 120

interface CallContent {
  readonly name: string
  /** As written; a value that is not a string, as JSON. */
  readonly arguments: string
}

/** Reads the content of one message from the source text. Only messages in view are read. */
export function messageContent(
  source: TextSlices,
  conversation: Pick<Conversation, 'messages' | 'calls'>,
  index: number,
  hasResults: boolean,
): MessageContent {
  const message = conversation.messages[index] as Message
  const texts = message.contents
    .map((place) => textOf(readValueAt(source, place)))
    .filter((text) => text !== '')
  const reasoning = message.reasoning
    .map((place) => textOf(readValueAt(source, place)))
    .join('\n\n')
  const calls = conversation.calls
    .filter((call) => call.message === index)
    .map(({ name, argumentsLocation }) => ({
      name: name ?? '?',
      arguments:
        argumentsLocation === undefined ? '' : textOf(readValueAt(source, argumentsLocation)),
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

function asJson(source: TextSlices, message: Message): string {
  return [message, ...message.otherPieces]
    .map((piece) =>
      piece.encoded === 0
        ? source.slice(piece.start, piece.end)
        : JSON.stringify(readValueAt(source, piece)),
    )
    .map((text) => (text.length > LONGEST_LINE ? formatJson(text) : text))
    .join('\n')
}
