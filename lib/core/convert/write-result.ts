import { addToGroup } from '../conversation/add-to-group'
import type { Conversation, ToolResult } from '../conversation/conversation'
import { isErrorValue } from '../conversation/error-rules'
import type { LinkedMessages } from '../conversation/link-messages'
import { embeddedJsonText, readValueAt } from '../text/embedded-json'
import { compactJson } from '../text/json'
import type { TextSlices } from '../text/span'

/** The content of a result in chat completions. */
export interface WrittenResult {
  readonly content: string | readonly { readonly type: 'text'; readonly text: string }[]
  /** True if a JSON value is written as text. */
  readonly isValue: boolean
  /** True if several texts are joined to one. */
  readonly isJoined: boolean
}

/**
 * Writes a result that is not masked. A value becomes JSON text with its numbers unchanged, but a value that contains
 * only one text becomes that text, since programs wrap texts into objects. `beside` are the texts of its message, for a
 * result that has no text.
 */
export function writeResult(
  source: TextSlices,
  result: ToolResult,
  beside: readonly string[],
): WrittenResult {
  const { spans, duplicates, shape, valueSpan } = result
  const texts = spans
    .slice(0, spans.length - duplicates)
    .map((span) => readValueAt(source, span) as string)
  if (valueSpan !== undefined) {
    const value = readValueAt(source, valueSpan)
    if (typeof value === 'string') return { content: value, ...PLAIN }
    const [only, ...others] = texts
    const isWrapped = others.length === 0 && !isErrorValue(value) && !holdsMore(value)
    if (only !== undefined && isWrapped) return { content: only, ...PLAIN }
    const content = compactJson(embeddedJsonText(source, valueSpan))
    return { content, isValue: true, isJoined: false }
  }
  const all = shape === 'other' ? beside : texts
  if (shape === 'text_parts') {
    const content = all.map((text) => ({ type: 'text', text }) as const)
    return { content, ...PLAIN }
  }
  return { content: all.join('\n'), isValue: false, isJoined: all.length > 1 }
}

/** Writes a placeholder in the shape of the result that it replaces. */
export function writePlaceholder(
  { shape, spans, duplicates }: ToolResult,
  placeholder: string,
): WrittenResult['content'] {
  if (shape !== 'text_parts') return placeholder
  return spans
    .slice(0, spans.length - duplicates)
    .map((_, part) => ({ type: 'text', text: part === 0 ? placeholder : '' }) as const)
}

/** True if a value contains a number, true or false. */
function holdsMore(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.values(value).some(holdsMore)
  return typeof value === 'number' || typeof value === 'boolean'
}

const PLAIN = { isValue: false, isJoined: false } as const

/**
 * Finds the message that each result must follow: the last one before it that makes its call, otherwise the first one
 * after it. A result is not moved if only other results are between it and that message.
 */
export function placeResults({ messages, calls, results }: LinkedMessages) {
  const askers = new Map<string | number, number[]>()
  for (const { id, link, message } of calls) {
    const key = id ?? link
    if (key !== undefined) addToGroup(askers, key, message)
  }
  const holdsResult = new Set(results.map(({ message }) => message))
  const runStart = startsOfRuns(messages, holdsResult)
  /** The results written after each message, in the order of the conversation. */
  const after = new Map<number, number[]>()
  /** Ids of the calls that have a result, or their numbers instead. */
  const answered = new Set<string | number | undefined>()
  /** Number of results that are not directly after the message that makes their call. */
  let moved = 0
  /** Number of results without an id, or whose id no call has; they stay with their message. */
  let orphans = 0
  for (const [index, { callId, link, message }] of results.entries()) {
    const key = callId ?? link
    const found = key === undefined ? undefined : askers.get(key)
    const asker = found?.findLast((at) => at <= message) ?? found?.[0]
    if (asker === undefined) orphans++
    else {
      answered.add(key)
      const isBehind = asker === message || asker === runStart[message]
      if (!isBehind) moved++
    }
    addToGroup(after, asker ?? message, index)
  }
  return { after, moved, orphans, answered }
}

/** For each message that holds results, the message before the run of such messages. */
function startsOfRuns(messages: Conversation['messages'], holdsResult: ReadonlySet<number>) {
  const starts: number[] = []
  for (const [index, { isAssistant }] of messages.entries()) {
    const before = index - 1
    const goesOn = holdsResult.has(before) && messages[before]?.isAssistant === false
    starts.push(!isAssistant && goesOn ? (starts[before] as number) : before)
  }
  return starts
}
