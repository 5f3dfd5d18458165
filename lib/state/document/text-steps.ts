/** The kinds of changes to the source text. */
import { LINK_DEFAULTS } from '@/lib/core/share/link/settings-link'
import type { Edit } from '@/lib/core/text/span'
import { FIRST_VISIT_POLICY } from '../policy/policy-slice'
import type { PlaygroundState } from '../store'
import type { PolicyChange, SourceText } from './document-slice'
import { hasText, type LazySource, lazySource, sourcesOf } from './remembered-source'

/** Labels of text changes in the undo history. Drafts store them. */
export type TextStep =
  | 'open'
  | 'sample'
  | 'type'
  | 'paste'
  | 'format'
  | 'clear'
  | 'read_as'
  | 'take_body'
  | 'repair'

/**
 * The document that a change results in; undefined for a new one. Each document has its own draft, so all samples
 * count as one document, and so does an unchanged file that is opened again or brought back.
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
    case 'repair':
      return source.document
    case 'sample':
      return source.origin.kind === 'sample' ? source.document : undefined
    case 'open':
    case 'paste': {
      const seen = new Set<number>()
      for (const known of [lazySource(source), ...sourcesOf(history.past, source)]) {
        const isNamed = known.name === next.name && known.origin.kind === next.origin.kind
        if (isNamed && !seen.has(known.id) && hasText(known, next.text)) return known.document
        seen.add(known.id)
      }
      return undefined
    }
  }
}

/**
 * The policy change that comes with a new text. The policy of the first visit was chosen for its sample, so other documents
 * get the default. An edit of a text that is not read yet keeps the change of that text.
 */
export function policyChangeAfter(
  { source, read, policy }: Pick<PlaygroundState, 'source' | 'read' | 'policy'>,
  step: TextStep,
  { text, origin }: Pick<SourceText, 'text' | 'origin'>,
): PolicyChange | undefined {
  const isFirstSample = source.origin.kind === 'none' && origin.kind === 'sample'
  if (isFirstSample) return undefined
  const isOther = ['open', 'sample', 'paste', 'clear'].includes(step) || text === ''
  if (!isOther) return read?.source.document === source.document ? undefined : source.policyChange
  return policy === FIRST_VISIT_POLICY ? { before: policy, after: LINK_DEFAULTS } : undefined
}

/** The newest source in the undo history that had this text. */
export function earlierSource(
  { source, history }: Pick<PlaygroundState, 'source' | 'history'>,
  text: string,
): LazySource | undefined {
  for (const earlier of sourcesOf(history.past, source)) if (hasText(earlier, text)) return earlier
  return undefined
}

/** True if edits replace all of a text, except for white space around it. */
export function coversAll(edits: readonly Edit[], text: string): boolean {
  const [first] = edits
  if (first === undefined) return false
  return text.slice(0, first.start).trim() === '' && text.slice(first.end).trim() === ''
}
