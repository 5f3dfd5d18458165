/** The kinds of changes to the source text, and the undo history after one. */

import { LINK_DEFAULTS } from '@/lib/core/share/link/settings-link'
import { lineEdits } from '@/lib/core/text/edits'
import type { Edit } from '@/lib/core/text/span'
import { type History, limitHistory, remember } from '../history'
import type { PolicyFrom, Snapshot } from '../policy/policy-slice'
import type { PlaygroundState } from '../store'
import type { PolicyChange, SourceText } from './document-slice'
import type { RememberedSource } from './remembered-source'
import { editNext, rememberSource, sizeOfEdits, walkTexts } from './remembered-source'

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

/** Steps to another document. */
const OPENING: readonly TextStep[] = ['open', 'sample', 'paste', 'clear']

/**
 * The document that a change results in; undefined for a new one. Each document has its own draft, so all samples
 * count as one document, and so does an unchanged file that is opened again or brought back.
 */
export function documentAfter(
  { source, history }: Pick<PlaygroundState, 'source' | 'history'>,
  step: TextStep,
  next: Pick<SourceText, 'text' | 'name' | 'origin'>,
): number | undefined {
  if (step === 'sample') return source.origin.kind === 'sample' ? source.document : undefined
  if (step !== 'open' && step !== 'paste') return source.document
  const isNamed = ({ name, origin }: Pick<SourceText, 'name' | 'origin'>) =>
    name === next.name && origin.kind === next.origin.kind
  if (isNamed(source) && source.text === next.text) return source.document
  return earlierSource({ source, history }, next.text, isNamed)?.document
}

/**
 * The policy that comes with a new text, and who chose it. Unless the user or a link did, another document gets the default
 * until its own is known. An edit of a text that is not read yet keeps the change of that text.
 */
export function policyAfter(
  { source, read, policy, policyFrom: from }: PlaygroundState,
  step: TextStep,
  { text, origin, document }: Pick<SourceText, 'text' | 'origin' | 'document'>,
): { readonly change?: PolicyChange | undefined; readonly from: PolicyFrom } {
  if (source.origin.kind === 'none' && origin.kind === 'sample') return { from }
  const isOther = OPENING.includes(step) || text === ''
  if (!isOther) {
    const isRead = read?.source.document === source.document
    return { change: isRead ? undefined : source.policyChange, from }
  }
  if (from === 'default' || from === 'session')
    return { change: { before: policy, after: LINK_DEFAULTS }, from: 'default' }
  return { from: from === 'user' && document !== source.document ? { name: source.name } : from }
}

/** The newest source in the undo history that had this text, of those that are meant. */
export function earlierSource(
  { source, history }: Pick<PlaygroundState, 'source' | 'history'>,
  text: string,
  isMeant: (earlier: RememberedSource) => boolean = () => true,
): RememberedSource | undefined {
  const walk = walkTexts(source.text)
  for (const { snapshot } of history.past.toReversed()) {
    const earlier = snapshot.source
    walk.step(earlier.text)
    if (isMeant(earlier) && walk.length() === text.length && walk.make() === text) return earlier
  }
  return undefined
}

/** True if edits replace all of a text, except for white space around it. */
export function coversAll(edits: readonly Edit[], text: string): boolean {
  const [first] = edits
  if (first === undefined) return false
  return text.slice(0, first.start).trim() === '' && text.slice(first.end).trim() === ''
}

/** Limit on what the steps hold, in UTF-16 units: about six versions of a text of 10 MB, or one of 50 MB. */
const MAX_CHARS_REMEMBERED = 60_000_000

/**
 * The undo history after a change of the source text. `edits` turn the text before into `next`, if they are known. Drops the
 * oldest steps over the limit.
 */
export function rememberText(
  state: Pick<
    PlaygroundState,
    'history' | 'policy' | 'policyFrom' | 'mechanism' | 'source' | 'model'
  >,
  next: string,
  label: TextStep,
  gesture?: string,
  edits: readonly Edit[] = lineEdits(state.source.text, next),
): History<Snapshot> {
  const { history, policy, policyFrom, mechanism, source, model } = state
  const merge = ({ source: earlier, ...kept }: Snapshot) => ({
    ...kept,
    source: editNext(earlier, source.text, edits),
  })
  const chosen = OPENING.includes(label) ? { model } : undefined
  const remembered = rememberSource(source, next, edits)
  const snapshot = { policy, policyFrom, mechanism, chosen, source: remembered }
  const changed = remember(history, snapshot, label, gesture, merge)
  const sizeOf = ({ source: { text } }: Snapshot) =>
    typeof text === 'string' ? text.length : sizeOfEdits(text)
  return limitHistory(changed, sizeOf, MAX_CHARS_REMEMBERED)
}
