import type { SourceText } from '../document/document-slice'
import { type LazySource, lazySource, sourcesOf } from '../document/remembered-source'
import { currentReadOf } from '../document/selectors'
import type { History, HistoryStep } from '../history'
import { policyOnceRead, type Snapshot } from '../policy/policy-slice'
import type { PlaygroundState } from '../store'
import type { DraftToSave } from './draft-database'
import type { DraftNames } from './draft-locks'
import {
  DRAFT_VERSION,
  type DraftBody,
  newKey,
  type StoredDocument,
  type StoredSource,
  type TextRef,
} from './draft-records'

/** Limit on the characters stored for undo, besides the present text. */
export const MAX_CHARS_FOR_UNDO = 50_000_000

export interface TextSizes {
  /** Location of a text in the database; adds the text if it is new. */
  readonly place: (source: LazySource) => TextRef
  /** Stored size of a text, in UTF-16 units. */
  readonly sizeOf: (source: LazySource) => number
}

export type DescribedDraft = ReturnType<typeof describeDraft>

/** Builds the draft of the page's present state. */
export function describeDraft(
  state: PlaygroundState,
  { draftOf, revisionOf }: Pick<DraftNames, 'draftOf' | 'revisionOf'>,
  bytes: number,
  { place, sizeOf }: TextSizes,
): DraftToSave & {
  /** Number of undo steps left out because their texts are too large. */
  readonly stepsLeftOut: number
} {
  const revision = newKey()
  const documents: StoredDocument[] = []
  const documentIndexes = new Map<number, number>()
  const indexOfDocument = (document: number) =>
    indexIn(documentIndexes, document, () => {
      const draft = draftOf(document)
      const isOwn = document === state.source.document
      const extras = state.extras[document]
      documents.push({ draft, revision: isOwn ? revision : revisionOf(draft), extras })
    })
  const sources: StoredSource[] = []
  const sourceIndexes = new Map<number, number>()
  const indexOfSource = (source: LazySource) =>
    indexIn(sourceIndexes, source.id, () => {
      const { name, origin, readAs } = source
      const document = indexOfDocument(source.document)
      sources.push({ text: place(source), name, origin, readAs, document })
    })
  const source = indexOfSource(lazySource(state.source))
  const { past, future } = stepsWithin(state.history, state.source, sizeOf)
  const keepSteps = (steps: readonly StepToStore[]) =>
    steps.map(({ step: { label, snapshot }, source }) => ({
      label,
      policy: policyOnceRead(source, snapshot.policy),
      source: indexOfSource(source),
    }))
  const body: DraftBody = {
    version: DRAFT_VERSION,
    past: keepSteps(past),
    future: keepSteps(future),
    documents,
    sources,
    source,
    policy: policyOnceRead(state.source, state.policy),
    pinned: state.pinned,
    model: state.model,
    conversation: state.linkConversation ?? state.conversation,
  }
  const texts = sources.flatMap(({ text }) =>
    text.base === undefined ? [text.key] : [text.key, text.base],
  )
  const record = {
    ...factsOf(state),
    version: DRAFT_VERSION,
    id: draftOf(state.source.document),
    revision,
    bytes,
    keptAt: Date.now(),
    texts: [...new Set(texts)],
  }
  const { history } = state
  const stepsLeftOut = history.past.length + history.future.length - past.length - future.length
  return { record, body, stepsLeftOut }
}

/** Facts for the list of drafts; undefined values if the text is not read. */
export function factsOf(state: PlaygroundState) {
  const { source } = state
  const model = currentReadOf(state)?.model
  return {
    name: source.name,
    origin: source.origin,
    formatLabel: model?.formatLabel,
    turns: model?.conversations.reduce((turns, { turnCount }) => turns + turnCount, 0),
  }
}

function indexIn(indexes: Map<number, number>, key: number, add: () => void): number {
  const known = indexes.get(key)
  if (known !== undefined) return known
  const index = indexes.size
  indexes.set(key, index)
  add()
  return index
}

interface StepToStore {
  readonly step: HistoryStep<Snapshot>
  readonly source: LazySource
}

/** The most recent steps whose texts fit the limit. */
function stepsWithin(
  { past, future }: History<Snapshot>,
  present: SourceText,
  sizeOf: TextSizes['sizeOf'],
): { readonly past: readonly StepToStore[]; readonly future: readonly StepToStore[] } {
  const seen = new Set([present.id])
  let chars = 0
  const nearest = (steps: readonly HistoryStep<Snapshot>[]) => {
    const nearestFirst: StepToStore[] = []
    for (const source of sourcesOf(steps, present)) {
      if (!seen.has(source.id)) chars += sizeOf(source)
      if (chars > MAX_CHARS_FOR_UNDO) break
      seen.add(source.id)
      const step = steps[steps.length - 1 - nearestFirst.length] as HistoryStep<Snapshot>
      nearestFirst.push({ step, source })
    }
    return nearestFirst.reverse()
  }
  return { past: nearest(past), future: nearest(future) }
}
