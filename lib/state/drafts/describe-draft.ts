import { singleEdit } from '@/lib/core/text/edits'
import { type LazySource, lazySource, sourcesOf } from '../document/remembered-source'
import { currentReadOf } from '../document/selectors'
import type { HistoryStep } from '../history'
import { policyOnceRead, type Snapshot } from '../policy/policy-slice'
import type { PlaygroundState } from '../store'
import type { DraftNames } from './draft-locks'
import {
  DRAFT_VERSION,
  type DraftBody,
  newKey,
  type StoredDocument,
  type StoredSource,
  type StoredStep,
  type TextRef,
  type TextToStore,
} from './draft-records'

/** Limit on the characters stored for undo, besides the present text. */
export const MAX_CHARS_FOR_UNDO = 50_000_000

export type DescribedDraft = ReturnType<typeof describeDraft>

/** Builds the draft of the page's present state. */
export function describeDraft(
  state: PlaygroundState,
  { draftOf, revisionOf }: Pick<DraftNames, 'draftOf' | 'revisionOf'>,
  bytes: number,
  texts: ReturnType<typeof createTextSaver>,
  stored: StoredTexts,
) {
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
      sources.push({ text: texts.place(source, stored), name, origin, readAs, document })
    })
  const source = indexOfSource(lazySource(state.source))
  const seen = new Set([state.source.id])
  let chars = 0
  /** The most recent steps whose texts fit the limit. */
  const keepSteps = (steps: readonly HistoryStep<Snapshot>[]): StoredStep[] => {
    const nearestFirst: StoredStep[] = []
    for (const source of sourcesOf(steps, state.source)) {
      if (!seen.has(source.id)) chars += texts.sizeOf(source)
      if (chars > MAX_CHARS_FOR_UNDO) break
      seen.add(source.id)
      const { label, snapshot } = steps.at(-1 - nearestFirst.length) as HistoryStep<Snapshot>
      const policy = policyOnceRead(source, snapshot.policy)
      nearestFirst.push({ label, policy, source: indexOfSource(source) })
    }
    return nearestFirst.reverse()
  }
  const [past, future] = [keepSteps(state.history.past), keepSteps(state.history.future)]
  const body: DraftBody = {
    version: DRAFT_VERSION,
    past,
    future,
    documents,
    sources,
    source,
    policy: policyOnceRead(state.source, state.policy),
    pinned: state.pinned,
    model: state.model,
    conversation: state.linkConversation ?? state.conversation,
  }
  const keys = sources.flatMap(({ text }) =>
    text.base === undefined ? [text.key] : [text.key, text.base],
  )
  const record = {
    ...factsOf(state),
    version: DRAFT_VERSION,
    id: draftOf(state.source.document),
    revision,
    bytes,
    keptAt: Date.now(),
    texts: [...new Set(keys)],
  }
  const { history } = state
  /** Undo steps whose texts are too large. */
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
