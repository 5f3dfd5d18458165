/** Texts of the undo history: as edits of the text of the next step, so that typing does not hold the text again. */
import { composeEdits, invertEdits, lineEdits } from '@/lib/core/text/edits'
import { applyEdits, type Edit } from '@/lib/core/text/span'
import { copyText } from '@/lib/core/text/text-pieces'
import type { SourceText } from './document-slice'

/** A source in the undo history. */
export interface RememberedSource extends Omit<SourceText, 'text'> {
  /** In full, or edits of the next text: that of the neighbouring step on the side of the present. */
  readonly text: string | readonly Edit[]
}

/**
 * A source whose text is made when it is asked for. It is no getter: engines keep a getter, and all that it refers to, as
 * long as they keep an object that was copied from its object.
 */
export interface LazySource extends Omit<SourceText, 'text'> {
  /** Of the text, in UTF-16 units. */
  readonly length: number
  readonly makeText: () => string
}

interface Step {
  readonly snapshot: { readonly source: RememberedSource }
}

/** What an edit holds besides its text, in UTF-16 units. */
const EDIT_SIZE = 40

/**
 * A source as the undo history holds it beside the next text. `change` turns its text into the next, if edits are known;
 * a full text is the next one.
 */
export function rememberSource(
  source: SourceText,
  next: string,
  change: string | readonly Edit[] = next,
): RememberedSource {
  const { text } = source
  const back = typeof change === 'string' ? lineEdits(next, text) : invertEdits(change, text)
  if (sizeOfEdits(back) >= text.length / 2) return source
  return { ...source, text: copyEdits(back), pieces: undefined }
}

/** A remembered source after its next text, `next`, was edited. */
export function editNext(
  source: RememberedSource,
  next: string,
  edits: readonly Edit[],
): RememberedSource {
  if (typeof source.text === 'string') return source
  return { ...source, text: copyEdits(composeEdits(invertEdits(edits, next), source.text)) }
}

/** The source that was remembered beside this one. */
export function restoreSource(remembered: RememberedSource, next: SourceText): SourceText {
  if (remembered.id === next.id) return next
  const { text } = remembered
  return { ...remembered, text: typeof text === 'string' ? text : applyEdits(next.text, text) }
}

export function lazySource({ text, ...facts }: SourceText): LazySource {
  return { ...facts, length: text.length, makeText: () => text }
}

/** The sources of steps before or after the present one, nearest first. */
export function* sourcesOf(steps: readonly Step[], present: SourceText): Generator<LazySource> {
  let base = present.text
  let edits: readonly Edit[] = []
  for (const { snapshot } of steps.toReversed()) {
    const { text, ...facts } = snapshot.source
    if (typeof text === 'string') {
      base = text
      edits = []
    } else edits = composeEdits(edits, text)
    yield { ...facts, ...lazyText(base, edits) }
  }
}

/** The text that edits make. */
export function lazyText(
  base: string,
  edits: readonly Edit[],
): Pick<LazySource, 'length' | 'makeText'> {
  const added = edits.reduce((sum, { start, end, text }) => sum + text.length - (end - start), 0)
  return { length: base.length + added, makeText: () => applyEdits(base, edits) }
}

/** True if a source has a text. The text of a source is made only if it is as long. */
export function hasText({ length, makeText }: LazySource, text: string): boolean {
  return length === text.length && makeText() === text
}

/** What edits hold, in UTF-16 units. */
export function sizeOfEdits(edits: readonly Edit[]): number {
  return edits.reduce((size, { text }) => size + EDIT_SIZE + text.length, 0)
}

function copyEdits(edits: readonly Edit[]): readonly Edit[] {
  return edits.map(({ start, end, text }) => ({ start, end, text: copyText(text) }))
}
