import type { ToolResult } from '../conversation/conversation'
import { isErrorValue } from '../conversation/error-rules'
import { compactJson } from '../text/compact-json'
import { embeddedJsonText, readValueAt } from '../text/embedded-json'
import type { TextSlices } from '../text/text-slices'

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
  const { slots, duplicates, shape, valueLocation } = result
  const texts = slots
    .slice(0, slots.length - duplicates)
    .map((slot) => readValueAt(source, slot) as string)
  if (valueLocation !== undefined) {
    const value = readValueAt(source, valueLocation)
    if (typeof value === 'string') return { content: value, isValue: false, isJoined: false }
    const [only, ...others] = texts
    const isWrapped = others.length === 0 && !isErrorValue(value) && !holdsMore(value)
    if (only !== undefined && isWrapped) return { content: only, isValue: false, isJoined: false }
    const content = compactJson(embeddedJsonText(source, valueLocation))
    return { content, isValue: true, isJoined: false }
  }
  const all = shape === 'other' ? beside : texts
  if (shape === 'text_parts') {
    const content = all.map((text) => ({ type: 'text', text }) as const)
    return { content, isValue: false, isJoined: false }
  }
  return { content: all.join('\n'), isValue: false, isJoined: all.length > 1 }
}

/** Writes a placeholder in the shape of the result that it replaces. */
export function writePlaceholder(
  { shape, slots, duplicates }: ToolResult,
  placeholder: string,
): WrittenResult['content'] {
  if (shape !== 'text_parts') return placeholder
  return slots
    .slice(0, slots.length - duplicates)
    .map((_, part) => ({ type: 'text', text: part === 0 ? placeholder : '' }) as const)
}

/** True if a value contains a number, true or false. */
function holdsMore(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.values(value).some(holdsMore)
  return typeof value === 'number' || typeof value === 'boolean'
}
