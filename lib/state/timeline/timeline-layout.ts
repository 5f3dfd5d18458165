/** Layout of the timeline's marks, in whole device pixels. */

import type { Conversation, ToolResult } from '@/lib/core/conversation/conversation'
import type { Decision, Reason } from '@/lib/core/policy/decide'
import { memoizeOf } from '../store'

/** Kinds of marks on the timeline; `kept` covers all reasons other than the window and errors. */
export const MARK_KINDS = [
  'system',
  'user',
  'assistant',
  'other',
  'in_window',
  'kept',
  'masked',
  'kept_error',
  'broken',
] as const

export type MarkKind = (typeof MARK_KINDS)[number]

const KIND_OF_REASON: Partial<Readonly<Record<Reason, MarkKind>>> = {
  masked: 'masked',
  in_window: 'in_window',
  kept_error: 'kept_error',
  orphan: 'broken',
  no_call_id: 'broken',
}

export function kindOfReason(reason: Reason): MarkKind {
  return KIND_OF_REASON[reason] ?? 'kept'
}

const KIND_OF_ROLE: ReadonlyMap<string, MarkKind> = new Map([
  ['system', 'system'],
  ['developer', 'system'],
  ['user', 'user'],
  ['assistant', 'assistant'],
  ['model', 'assistant'],
])

/** Kinds by message; a message with results has the kind of its longest result. */
export function markKinds(conversation: Conversation, decisions: readonly Decision[] | undefined) {
  const kinds = conversation.messages.map(({ role }) => KIND_OF_ROLE.get(role) ?? 'other')
  const longest = new Map<number, ToolResult>()
  for (const [index, result] of conversation.results.entries()) {
    const known = longest.get(result.message)
    if (known !== undefined && known.length >= result.length) continue
    longest.set(result.message, result)
    const reason = decisions?.[index]?.reason
    kinds[result.message] = reason === undefined ? 'kept' : kindOfReason(reason)
  }
  return kinds
}

export interface TimelineInput {
  /** Tokens by message, before and after masking. */
  readonly before: readonly number[]
  readonly after: readonly number[]
  readonly kinds: readonly MarkKind[]
}

/** Size in device pixels; `scale` is device pixels per page pixel. */
export interface TimelineSize {
  readonly width: number
  readonly height: number
  readonly scale: number
}

/** A mark for one message, or for all messages that share a pixel. */
export type TimelineColumn = { readonly x: number; readonly width: number } & ReturnType<
  typeof markOf
>

const WIDEST_MARK = 14
const LOWEST_MARK = 3
/** Marks are true to scale up to `TIMES_USUAL` times the tokens of the message at this quantile. */
const USUAL_SHARE = 0.97
const TIMES_USUAL = 2.5

/** True if some marks are cut at the top. */
export function hasCutMarks(before: readonly number[]): boolean {
  const top = tallest(before)
  return before.some((tokens) => tokens > top)
}

/** One mark per message if each has at least one page pixel, else one per pixel. */
export function layoutTimeline(input: TimelineInput, size: TimelineSize): TimelineColumn[] {
  const count = input.before.length
  if (count === 0 || size.width <= 0) return []
  const heights = heightScale(input.before, size)
  const marks = Math.min(count, Math.max(1, Math.floor(size.width / size.scale)))
  const slot = size.width / marks
  const gap = slot >= 3 * size.scale ? size.scale : 0
  return Array.from({ length: marks }, (_, mark) => {
    const from = Math.floor((mark * count) / marks)
    const until = Math.max(from + 1, Math.floor(((mark + 1) * count) / marks))
    const x = Math.round(mark * slot)
    const room = Math.round((mark + 1) * slot) - x - gap
    const width = Math.min(room, WIDEST_MARK * size.scale)
    return { x: x + Math.floor((room - width) / 2), width, ...markOf(input, heights, from, until) }
  })
}

/**
 * Heights grow with the square root of tokens. A few very large messages are cut at the top, because otherwise one
 * pasted file would flatten all other marks.
 */
function heightScale(before: readonly number[], { height, scale }: TimelineSize) {
  const top = tallest(before)
  const lowest = Math.min(height, LOWEST_MARK * scale)
  return {
    /** Tokens of the tallest mark. */
    top,
    heightOf: (tokens: number) =>
      Math.min(height, Math.max(lowest, Math.round(Math.sqrt(tokens / top) * height))),
  }
}

type Heights = ReturnType<typeof heightScale>

/**
 * Tokens of the tallest mark. Memoized, because sorting is the slowest part of a layout and a slider does not change
 * it.
 */
const tallest = memoizeOf((before: readonly number[]): number => {
  const sorted = Float64Array.from(before).sort()
  const most = sorted.at(-1) ?? 1
  const usual = sorted[Math.ceil((sorted.length - 1) * USUAL_SHARE)] ?? most
  return Math.max(1, Math.min(most, usual * TIMES_USUAL))
})

function heightsOf(
  { before, after, kinds }: TimelineInput,
  message: number,
  { heightOf, top }: Heights,
) {
  const tokens = before[message] ?? 0
  const whole = heightOf(tokens)
  const isCut = tokens > top
  if (kinds[message] !== 'masked') return { height: whole, ghostHeight: 0, isCut }
  const height = heightOf(after[message] ?? 0)
  return { height, ghostHeight: whole > height ? whole : 0, isCut }
}

/** In a shared pixel, results come before user messages, and those before the rest. */
function weightOf(kind: MarkKind, tokens: number): number {
  if (kind === 'user') return 1e9 + tokens
  return ['system', 'assistant', 'other'].includes(kind) ? tokens : 1e12 + tokens
}

/** The mark of the messages in a range. */
function markOf(input: TimelineInput, heights: Heights, from: number, until: number) {
  const { before, kinds } = input
  const kind = dominantKind(input, from, until)
  const mark = {
    /** Height of what is sent, and before masking; 0 if nothing is masked. */
    ...{ height: 0, ghostHeight: 0 },
    /** True if the mark is taller than the strip and cut at the top. */
    isCut: false,
    kind,
    /** Index of the message that a click selects: the only one, or the largest of the mark's kind. */
    message: from,
    /** True if it includes a kept error (or a broken result), whatever its kind. */
    ...{ hasError: false, hasBroken: false },
  }
  for (let at = from; at < until; at++) {
    if (kinds[at] === 'kept_error') mark.hasError = true
    if (kinds[at] === 'broken') mark.hasBroken = true
    if (kinds[at] !== kind) continue
    const own = heightsOf(input, at, heights)
    mark.height = Math.max(mark.height, own.height)
    mark.ghostHeight = Math.max(mark.ghostHeight, own.ghostHeight)
    mark.isCut ||= own.isCut
    const { message } = mark
    if (kinds[message] !== kind || (before[at] ?? 0) > (before[message] ?? 0)) mark.message = at
  }
  return mark
}

function dominantKind({ before, kinds }: TimelineInput, from: number, until: number): MarkKind {
  const weights = new Map<MarkKind, number>()
  let dominant: MarkKind = kinds[from] ?? 'other'
  for (let at = from; at < until; at++) {
    const kind = kinds[at] ?? 'other'
    const weight = (weights.get(kind) ?? 0) + weightOf(kind, before[at] ?? 0)
    weights.set(kind, weight)
    if (weight > (weights.get(dominant) ?? 0)) dominant = kind
  }
  return dominant
}

/** The mark at a position from 0 to 1; undefined if there are none. */
export function columnAt(columns: readonly TimelineColumn[], place: number) {
  const at = Math.floor(place * columns.length)
  return columns[Math.min(columns.length - 1, Math.max(0, at))]
}
