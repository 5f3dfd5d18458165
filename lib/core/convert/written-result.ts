import type { ToolResult } from '../conversation/conversation'
import { isErrorValue } from '../conversation/error-rules'
import { compactJson } from '../text/compact-json'
import { jsonTextAt, readPlace } from '../text/embedded-json'

/** A result's content in chat completions, and how it came about. */
export interface WrittenResult {
  readonly content: string | readonly { readonly type: 'text'; readonly text: string }[]
  readonly isValue: boolean
  readonly isJoined: boolean
}

/**
 * Writes a result as it is. A value is JSON text, its numbers as written; but one that holds a single text and nothing
 * else is that text, as the programs that wrap texts into objects mean it. `beside` are the texts of its message that
 * are its own, where it is no text.
 */
export function writeResult(
  source: string,
  result: ToolResult,
  beside: readonly string[],
): WrittenResult {
  const { slots, twins, shape, valueAt } = result
  const texts = slots
    .slice(0, slots.length - twins)
    .map((slot) => readPlace(source, slot) as string)
  if (valueAt !== undefined) {
    const value = readPlace(source, valueAt)
    if (typeof value === 'string') return { content: value, isValue: false, isJoined: false }
    const [only, ...others] = texts
    const isWrapped = others.length === 0 && !isErrorValue(value) && !holdsMore(value)
    if (only !== undefined && isWrapped) return { content: only, isValue: false, isJoined: false }
    const content = compactJson(jsonTextAt(source, valueAt))
    return { content, isValue: true, isJoined: false }
  }
  const all = shape === 'other' ? beside : texts
  if (shape === 'text_parts') {
    const content = all.map((text) => ({ type: 'text', text }) as const)
    return { content, isValue: false, isJoined: false }
  }
  return { content: all.join('\n'), isValue: false, isJoined: all.length > 1 }
}

/** A placeholder in a result's place, in the shape it has. */
export function writePlaceholder(
  { shape, slots, twins }: ToolResult,
  placeholder: string,
): WrittenResult['content'] {
  if (shape !== 'text_parts') return placeholder
  return slots
    .slice(0, slots.length - twins)
    .map((_, part) => ({ type: 'text', text: part === 0 ? placeholder : '' }) as const)
}

/** Whether a value holds anything but texts: a number, true, false. */
function holdsMore(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.values(value).some(holdsMore)
  return typeof value === 'number' || typeof value === 'boolean'
}
