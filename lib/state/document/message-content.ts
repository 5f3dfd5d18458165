import type { Conversation, Message } from '@/lib/core/conversation/conversation'
import { readValueAt } from '@/lib/core/text/embedded-json'
import { formatJson } from '@/lib/core/text/format-json'
import { isWithinPair, type Offset, type TextSlices } from '@/lib/core/text/span'

/** Shorter JSON stays on one line. */
const LONGEST_LINE = 120

/** Reads the content of one message, without its results, from the source text. Only messages in view are read. */
export function messageContent(
  source: TextSlices,
  conversation: Pick<Conversation, 'messages' | 'calls'>,
  index: number,
  hasResults: boolean,
) {
  const message = conversation.messages[index] as Message
  const texts = message.contents
    .map((place) => textOf(readValueAt(source, place)))
    .filter((text) => text !== '')
  const reasoning = message.reasoning
    .map((place) => textOf(readValueAt(source, place)))
    .join('\n\n')
  const calls = conversation.calls
    .filter((call) => call.message === index)
    .map(({ name, argumentsSpan }) => ({
      name: name ?? '?',
      arguments: argumentsSpan === undefined ? '' : textOf(readValueAt(source, argumentsSpan)),
    }))
  const isSilent = texts.length === 0 && calls.length === 0 && reasoning === ''
  return {
    texts,
    reasoning: reasoning === '' ? undefined : reasoning,
    calls,
    /** The message as JSON, if it has none of the above. */
    json: isSilent && !hasResults ? asJson(source, message) : undefined,
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function asJson(source: TextSlices, message: Message): string {
  return [message, ...message.otherSpans]
    .map((piece) =>
      piece.encoded === 0
        ? source.slice(piece.start, piece.end)
        : JSON.stringify(readValueAt(source, piece)),
    )
    .map((text) => (text.length > LONGEST_LINE ? formatJson(text) : text))
    .join('\n')
}

/** Cuts a text after a number of lines or UTF-16 units, whichever comes first; never within a surrogate pair. */
export function clampText(text: string, lines: number, units: number) {
  let end = 0
  for (let line = 0; line < lines && end < units; line++) {
    const next = text.indexOf('\n', end)
    if (next < 0) {
      end = text.length + 1
      break
    }
    end = next + 1
  }
  const cut = Math.min(units, Math.max(0, end - 1))
  if (cut >= text.length) return { text, isWhole: true }
  return { text: text.slice(0, isWithinPair(text, cut) ? cut - 1 : cut), isWhole: false }
}

const LINE_END = /[\r\n]/
/** UTF-16 units on each side. */
const REACH = 32

/** The character at an offset (empty at the end of a line) and the line around it, cut to what fits a narrow screen, never within a surrogate pair. */
export function lineExcerpt(text: string, offset: Offset) {
  const from = cutAt(text, Math.max(0, offset - REACH))
  const before = text.slice(from, offset).split(LINE_END).at(-1) ?? ''
  const code = text.codePointAt(offset)
  const found = code === undefined ? '' : String.fromCodePoint(code)
  if (found === '' || LINE_END.test(found)) return { before, found: '', after: '' }
  const start = offset + found.length
  const [after = ''] = text.slice(start, cutAt(text, start + REACH)).split(LINE_END, 1)
  return { before, found, after }
}

function cutAt(text: string, at: Offset): Offset {
  return isWithinPair(text, at) ? at - 1 : at
}
