import type { Edit, Span } from './span'

/** A part of a text: a span of an earlier text, or a text of its own. */
type Part = Span | string

/** The edits that have the effect of `first` and then of `second`, whose offsets refer to the text after `first`. */
export function composeEdits(first: readonly Edit[], second: readonly Edit[]): readonly Edit[] {
  if (first.length === 0) return second
  if (second.length === 0) return first
  const parts = partsAfter(first)
  const composed: Part[] = []
  let at = 0
  /** Length already taken from the current part. */
  let taken = 0
  let position = 0
  const take = (until: number, isKept: boolean) => {
    while (position < until && at < parts.length) {
      const part = parts[at] as Part
      const left = lengthOf(part) - taken
      const length = Math.min(left, until - position)
      if (isKept) composed.push(partOf(part, taken, taken + length))
      position += length
      taken += length
      if (length < left) return
      at++
      taken = 0
    }
  }
  for (const { start, end, text } of second) {
    take(start, true)
    composed.push(text)
    take(end, false)
  }
  take(Number.POSITIVE_INFINITY, true)
  return editsOf(composed)
}

/** The edits that undo edits of `text`; their offsets refer to the edited text. */
export function invertEdits(edits: readonly Edit[], text: string): readonly Edit[] {
  let moved = 0
  return edits.map((edit) => {
    const start = edit.start + moved
    moved += edit.text.length - (edit.end - edit.start)
    return { start, end: start + edit.text.length, text: text.slice(edit.start, edit.end) }
  })
}

/** The last part has no end, since the length of the text is not known. */
function partsAfter(edits: readonly Edit[]): Part[] {
  const parts: Part[] = []
  let position = 0
  for (const { start, end, text } of edits) {
    if (start > position) parts.push({ start: position, end: start })
    if (text !== '') parts.push(text)
    position = end
  }
  parts.push({ start: position, end: Number.POSITIVE_INFINITY })
  return parts
}

function editsOf(parts: readonly Part[]): Edit[] {
  const edits: Edit[] = []
  let position = 0
  let text = ''
  for (const part of parts) {
    if (typeof part === 'string') text += part
    else {
      if (text !== '' || part.start > position)
        edits.push({ start: position, end: part.start, text })
      position = part.end
      text = ''
    }
  }
  return edits
}

function lengthOf(part: Part): number {
  return typeof part === 'string' ? part.length : part.end - part.start
}

function partOf(part: Part, start: number, end: number): Part {
  if (typeof part === 'string') return part.slice(start, end)
  return { start: part.start + start, end: part.start + end }
}
