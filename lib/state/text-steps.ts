/** The steps that change the text, and what they make of the document. */
import type { Edit } from '@/lib/core/text/span'
import type { PlaygroundState, SourceText } from './store'

/** Steps that stand in the undo history beside the settings' names. */
export type TextStep =
  | 'open'
  | 'sample'
  | 'type'
  | 'paste'
  | 'format'
  | 'clear'
  | 'read_as'
  | 'take_body'

/**
 * The document a step leads to; undefined for a new one. Each document leaves a draft, so looking through the samples
 * stays one, and a file opened again as it was is the one it was.
 */
export function documentAfter(
  { source, history }: Pick<PlaygroundState, 'source' | 'history'>,
  step: TextStep,
  next: Pick<SourceText, 'text' | 'name' | 'origin'>,
): number | undefined {
  switch (step) {
    case 'type':
    case 'format':
    case 'clear':
    case 'read_as':
    case 'take_body':
      return source.document
    case 'sample':
      return source.origin.kind === 'sample' ? source.document : undefined
    case 'open': {
      const known = [source, ...history.past.map(({ snapshot }) => snapshot.source)]
      const isSame = ({ text, name, origin }: SourceText) =>
        name === next.name && origin.kind === next.origin.kind && text === next.text
      return known.find(isSame)?.document
    }
    case 'paste':
      return undefined
  }
}

/** Whether edits leave nothing of a text; white space around them does not count. */
export function coversAll(edits: readonly Edit[], text: string): boolean {
  const [first] = edits
  if (first === undefined) return false
  return text.slice(0, first.start).trim() === '' && text.slice(first.end).trim() === ''
}
