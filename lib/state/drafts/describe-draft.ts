import { singleEdit } from '@/lib/core/text/edits'
import type { DocumentSlice, SourceText } from '../document/document-slice'
import type { RememberedSource } from '../document/remembered-source'
import { currentReadOf } from '../document/selectors'
import type { HistoryStep } from '../history'
import { type PolicySlice, policyOnceRead, type Snapshot } from '../policy/policy-slice'
import { memoizeOf, type PlaygroundState } from '../store'
import type {
  DraftBody,
  StoredDocument,
  StoredSource,
  StoredStep,
  TextRef,
  TextsInStore,
} from './restore-draft'
import { DRAFT_VERSION, newKey } from './restore-draft'

type DescribedState = DocumentSlice &
  PolicySlice &
  Partial<Pick<PlaygroundState, 'linkConversation' | 'mechanism' | 'model'>>

/** Edits are known by themselves, a full text by the id of its source. */
function ownerOf({ id, text }: RememberedSource): unknown {
  return typeof text === 'string' ? id : text
}

/** Bytes of a text in UTF-8. */
export const bytesOf = memoizeOf(({ file, text }: SourceText) => (file ?? new Blob([text])).size)

/** Describes the page's state as a draft, and knows the drafts of its documents and where its texts are stored. */
export function createDescriber() {
  const drafts = new Map<number, string>()
  const revisions = new Map<string, string>()
  /** Id of a document's draft; a new id for a new document. */
  const draftOf = (document: number): string => {
    const draft = drafts.get(document) ?? newKey()
    drafts.set(document, draft)
    return draft
  }
  let refs = new Map<unknown, TextRef>()
  /** The newest present text of each document that is stored in full. */
  let wholes = new Map<number, { readonly key: string; readonly text: string }>()

  return {
    draftOf,
    /** The last revision of a draft that this tab knows. */
    revisionOf: (draft: string) => revisions.get(draft),
    learnDraft: (document: number, draft: string, revision: string | undefined) => {
      drafts.set(document, draft)
      if (revision !== undefined) revisions.set(draft, revision)
    },
    /** Gives the document a new draft, because another tab has the old one. */
    part: (document: number) => void drafts.delete(document),
    /** Registers a stored text. */
    learn: (source: RememberedSource, ref: TextRef) => void refs.set(ownerOf(source), ref),
    /** Registers the text that a document's present one is a difference from, or itself. */
    learnWhole: (document: number, key: string, text: string) =>
      void wholes.set(document, { key, text }),
    /** The draft of a state. Texts that are not stored are added: in full, as edits, or as a difference. */
    describe: (state: DescribedState, { stored, added }: TextsInStore) => {
      const isStored = (key: string | undefined) =>
        key === undefined || stored.has(key) || added.has(key)

      const add = ({ document, text, pieces }: RememberedSource): TextRef => {
        const key = newKey()
        if (typeof text !== 'string') {
          added.set(key, { edits: text })
          return { key }
        }
        const whole = wholes.get(document)
        if (whole !== undefined && isStored(whole.key)) {
          const edit = singleEdit(whole.text, text) ?? { start: 0, end: 0, text: '' }
          if (edit.text.length <= text.length / 2) {
            const { start, end, text: inserted } = edit
            added.set(key, { base: whole.key, span: { start, end }, text: inserted })
            return { key, base: whole.key }
          }
        }
        added.set(key, { text: pieces ?? text })
        return { key }
      }

      const placed = new Map<unknown, TextRef>()
      const refOf = (source: RememberedSource): TextRef => {
        const known = refs.get(ownerOf(source))
        // Another tab may have deleted the text, or there was no space to write it.
        const isKnown = known !== undefined && isStored(known.key) && isStored(known.base)
        const ref = isKnown ? known : add(source)
        placed.set(ownerOf(source), ref)
        return ref
      }

      const revision = newKey()
      const { past, future } = state.history
      const steps = [...past, ...future].map(({ snapshot }) => snapshot.source)
      const ids = [...new Set([state.source, ...steps].map(({ document }) => document))]
      const documents = ids.map((id): StoredDocument => {
        const draft = draftOf(id)
        const isOwn = id === state.source.document
        const extras = state.extras[id]
        return { draft, revision: isOwn ? revision : revisions.get(draft), extras }
      })
      const sources: StoredSource[] = []
      const addSource = (source: RememberedSource): number => {
        const { name, origin, readAs } = source
        const document = ids.indexOf(source.document)
        return sources.push({ text: refOf(source), name, origin, readAs, document }) - 1
      }
      const present = addSource(state.source)
      const { text, ...first } = sources[present] as StoredSource
      if (text.base === undefined)
        wholes.set(state.source.document, { key: text.key, text: state.source.text })
      const stepsOf = (steps: readonly HistoryStep<Snapshot>[]): StoredStep[] => {
        let [id, source] = [state.source.id, present]
        const nearestFirst = steps.toReversed().map(({ label, snapshot }) => {
          if (snapshot.source.id !== id) source = addSource(snapshot.source)
          id = snapshot.source.id
          const { policyFrom, mechanism, chosen } = snapshot
          const policy = policyOnceRead(snapshot.source, snapshot.policy)
          return { label, policy, policyFrom, mechanism, chosen, source }
        })
        return nearestFirst.reverse()
      }
      const body: DraftBody = {
        version: DRAFT_VERSION,
        past: stepsOf(past),
        future: stepsOf(future),
        documents,
        sources,
        source: present,
        policy: policyOnceRead(state.source, state.policy),
        policyFrom: state.policyFrom,
        mechanism: state.mechanism,
        pinned: state.pinned,
        model: state.model,
        conversation: state.linkConversation ?? state.conversation,
      }
      refs = placed
      wholes = new Map([...wholes].filter(([document]) => ids.includes(document)))
      const model = currentReadOf(state)?.model
      const record = {
        version: DRAFT_VERSION,
        id: draftOf(state.source.document),
        revision,
        name: first.name,
        origin: first.origin,
        formatLabel: model?.formatLabel,
        turns: model?.conversations.reduce((turns, { turnCount }) => turns + turnCount, 0),
        bytes: bytesOf(state.source),
        keptAt: Date.now(),
        texts: [...new Set(sources.flatMap(({ text: { key, base = key } }) => [key, base]))],
      }
      return { record, body }
    },
  }
}
