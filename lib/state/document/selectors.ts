/** What is known of the open document before it is masked: its texts, counts and conversation, and if it is current. */
import type { Conversation, Message, ToolResult } from '@/lib/core/conversation/conversation'
import { readValueAt } from '@/lib/core/text/embedded-json'
import { formatJson } from '@/lib/core/text/format-json'
import { indexLines } from '@/lib/core/text/lines'
import { isWithinPair, type Offset, type TextSlices } from '@/lib/core/text/span'
import type { ConversationCounts } from '@/lib/core/tokens/count-conversation'
import { memoize, memoizeOf, type PlaygroundState } from '../store'
import type { ReadSource, SourceText } from './document-slice'

/** The text of a source, from which parts can be read without joining it. */
export function slicesOf({ text, pieces }: SourceText): TextSlices {
  return pieces ?? text
}

/** Reads the texts of a result from the source text. */
export function textsOfResult(
  text: TextSlices,
  { spans, duplicates }: Pick<ToolResult, 'spans' | 'duplicates'>,
): readonly string[] {
  return spans.slice(0, spans.length - duplicates).map((span) => readValueAt(text, span) as string)
}

/** The texts of a result, joined. */
export function textOfResult(text: TextSlices, result: Pick<ToolResult, 'spans' | 'duplicates'>) {
  return textsOfResult(text, result).join('')
}

/** Token counts by conversation; undefined until counted. */
export function countsOf({ read, counted }: PlaygroundState) {
  return counted?.source === read?.source.id ? counted?.counts : undefined
}

/** Counts of a conversation, which may come before those of the others. */
export function countsAt(state: PlaygroundState, at: number): ConversationCounts | undefined {
  const { read, countedFirst: first } = state
  const isFirst = first?.source === read?.source.id && first?.conversation === at
  return countsOf(state)?.[at] ?? (isFirst ? first?.counts : undefined)
}

/** The shown conversation; undefined if none is read. */
export function conversationOf({ read, conversation }: PlaygroundState): Conversation | undefined {
  return read?.model.conversations[conversation]
}

type NamedAndShown = Pick<PlaygroundState, 'source' | 'read'>

/** The document read from the present text; undefined while that text is being read or is broken. */
export function currentReadOf({ source, read }: NamedAndShown): ReadSource | undefined {
  return read?.source.id === source.id ? read : undefined
}

/** True if the shown document was read from the present text. Only then can it be copied, saved or shared. */
export function isCurrent(state: NamedAndShown): boolean {
  return currentReadOf(state) !== undefined
}

/** True if the header names another document than the shown one, which is still being read. */
export function isAwaited(state: NamedAndShown & Pick<PlaygroundState, 'reading'>): boolean {
  const { source, read, reading } = state
  if (read === undefined || reading.state === 'failed' || isCurrent(state)) return false
  return read.source.document !== source.document || read.source.name !== source.name
}

/** True if no transcript is open. Before the first one is opened, one is awaited. */
export function isBlank({ source }: Pick<PlaygroundState, 'source'>): boolean {
  return source.text === '' && source.origin.kind !== 'none'
}

/** True if the shown document must be dimmed: another one is awaited, or the text cannot be read since it was. */
export function isOutdated(state: PlaygroundState): boolean {
  return (state.reading.state === 'failed' && state.read !== undefined) || isAwaited(state)
}

/** The line index of a text. Remembers the last text, which several views share. */
export const lineIndexOf = memoize(indexLines, 1)

/** The results that the client itself cleared in later requests. */
export const clearedResults = memoizeOf(({ results }: Conversation) =>
  results.flatMap(({ clearedAt }, index) => (clearedAt === undefined ? [] : [index])),
)

/** What affects counting or masking: parts that are not text, and results with duplicates; each kind once, with its messages. */
export const conversationNotes = memoizeOf(({ messages, results }: Conversation) => {
  const nonText = messages.flatMap(({ nonTextParts }, index) => (nonTextParts > 0 ? [index] : []))
  const repeated = results.flatMap(({ duplicates, message }) => (duplicates > 0 ? [message] : []))
  const nonTextParts = messages.reduce((total, message) => total + message.nonTextParts, 0)
  const all = [
    { kind: 'non_text' as const, count: nonTextParts, messages: nonText },
    { kind: 'repeated' as const, count: repeated.length, messages: [...new Set(repeated)] },
  ]
  return all.filter(({ count }) => count > 0)
})

/** True for a text that cannot be read, unless an earlier version of it could. */
export function isUnreadable({ reading, read, source }: PlaygroundState): boolean {
  const isOther = read?.source.document !== source.document
  return reading.state === 'failed' && source.text !== '' && isOther
}

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
