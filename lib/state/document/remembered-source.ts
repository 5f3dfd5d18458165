/** Texts of the undo history: as edits of the text of the next step, so that typing does not hold the text again. */
import { composeEdits, invertEdits, lineEdits } from '@/lib/core/text/edits'
import { applyEdits, copyText, type Edit } from '@/lib/core/text/span'
import type { SourceText } from './document-slice'

/** A source in the undo history. */
export interface RememberedSource extends Omit<SourceText, 'text'> {
  /** In full, or edits of the next text: that of the neighbouring step on the side of the present. */
  readonly text: string | readonly Edit[]
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
export function editNext(source: RememberedSource, next: string, edits: readonly Edit[]) {
  if (typeof source.text === 'string') return source
  return { ...source, text: copyEdits(composeEdits(invertEdits(edits, next), source.text)) }
}

/** The source that was remembered beside this one. */
export function restoreSource(remembered: RememberedSource, next: SourceText): SourceText {
  if (remembered.id === next.id) return next
  const { text } = remembered
  return { ...remembered, text: typeof text === 'string' ? text : applyEdits(next.text, text) }
}

/** Walks over remembered texts, from the present one on. A text is made only when it is asked for. */
export function walkTexts(present: string) {
  let base = present
  let edits: readonly Edit[] = []
  return {
    step: (text: RememberedSource['text']) => {
      const isWhole = typeof text === 'string'
      edits = isWhole ? [] : composeEdits(edits, text)
      if (isWhole) base = text
    },
    length: () =>
      edits.reduce((sum, { start, end, text }) => sum + text.length - (end - start), base.length),
    make: () => applyEdits(base, edits),
  }
}

/** What edits hold, in UTF-16 units. */
export function sizeOfEdits(edits: readonly Edit[]): number {
  return edits.reduce((size, { text }) => size + EDIT_SIZE + text.length, 0)
}

function copyEdits(edits: readonly Edit[]): readonly Edit[] {
  return edits.map(({ start, end, text }) => ({ start, end, text: copyText(text) }))
}
