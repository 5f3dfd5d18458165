import { singleEdit } from '@/lib/core/text/edits'
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
  type TextToStore,
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

export interface StoredTexts {
  /** Keys of stored texts. */
  readonly stored: ReadonlySet<string>
  /** Texts to store, by key. */
  readonly added: Map<string, TextToStore>
}

type SourceId = Pick<LazySource, 'id' | 'document'>

/** Decides how texts are stored: in full, or as the difference from the newest full text of the same document. */
export function createTextSaver() {
  const refs = new Map<number, TextRef>()
  const wholes = new Map<number, { readonly key: string; readonly text: string }>()

  const isStored = (key: string, { stored, added }: StoredTexts) =>
    stored.has(key) || added.has(key)

  const add = (source: LazySource, places: StoredTexts): TextRef => {
    const key = newKey()
    const text = source.makeText()
    const whole = wholes.get(source.document)
    if (whole !== undefined && isStored(whole.key, places)) {
      const edit = singleEdit(whole.text, text) ?? { start: 0, end: 0, text: '' }
      if (edit.text.length <= text.length / 2) {
        const { start, end, text: added } = edit
        places.added.set(key, { base: whole.key, span: { start, end }, text: added })
        return { key, base: whole.key, size: added.length }
      }
    }
    places.added.set(key, { text: source.pieces ?? text })
    wholes.set(source.document, { key, text })
    return { key, base: undefined, size: text.length }
  }

  return {
    /** Location of a text; adds the text to `added` if it is not stored. */
    place: (source: LazySource, places: StoredTexts): TextRef => {
      const known = refs.get(source.id)
      const isWhole = known?.base === undefined || isStored(known.base, places)
      // Another tab may have deleted the text, or there was no space to write it.
      if (known !== undefined && isStored(known.key, places) && isWhole) return known
      const ref = add(source, places)
      refs.set(source.id, ref)
      return ref
    },
    /** Stored size of a text in UTF-16 units; its length if it is not stored yet. */
    sizeOf: (source: LazySource): number => refs.get(source.id)?.size ?? source.length,
    /** Registers a stored text; `whole` is the text it is a difference from, or itself. */
    learn: (source: SourceId, ref: TextRef, whole: string) => {
      refs.set(source.id, ref)
      wholes.set(source.document, { key: ref.base ?? ref.key, text: whole })
    },
    /** Forgets all texts except these, and the full texts of other documents. */
    retain: (sources: readonly SourceId[]) => {
      const ids = new Set(sources.map(({ id }) => id))
      const documents = new Set(sources.map(({ document }) => document))
      for (const id of refs.keys()) if (!ids.has(id)) refs.delete(id)
      for (const document of wholes.keys()) if (!documents.has(document)) wholes.delete(document)
    },
  }
}
