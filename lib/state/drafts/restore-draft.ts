import { FORMAT_IDS } from '@/lib/core/formats/format-ids'
import { checkSetting } from '@/lib/core/policy/check-setting'
import { type MaskPolicy, POLICY_FIELDS } from '@/lib/core/policy/policy'
import { LINK_DEFAULTS } from '@/lib/core/share/link/settings-link'
import { applyEdits, type Edit, type TextSlices, type TextSpan } from '@/lib/core/text/span'
import type { DocumentExtras, DocumentOrigin, SourceText } from '../document/document-slice'
import { type RememberedSource, rememberSource, walkTexts } from '../document/remembered-source'
import type { HistoryStep } from '../history'
import type { Resumed } from '../playground'
import type { Snapshot } from '../policy/policy-slice'
import type { PlaygroundState } from '../store'

/**
 * Records of a draft in the database. Texts have records of their own, so that moving a slider does not write the
 * transcript again. An edited text is stored as its difference from an earlier one, a step of the undo history as it is
 * remembered.
 */

/** A browser copies a value of the database in one block of the main thread. */
export const CHARS_OF_PART = 1_000_000

export const DRAFT_VERSION = 1

/** The text stored under `base`, with one span replaced. */
interface TextDifference {
  readonly base: string
  readonly span: TextSpan
  readonly text: string
}

/** Edits of the text of the next step: the neighbour on the side of the present. */
interface TextEdits {
  readonly edits: readonly Edit[]
}

/** A text before it is stored, once and for all; a long one is read in parts. */
export type TextToStore = { readonly text: TextSlices } | TextDifference | TextEdits

/** The texts that a draft can refer to. */
export interface TextsInStore {
  /** Keys of stored texts. */
  readonly stored: ReadonlySet<string>
  /** Texts to store, by key. */
  readonly added: Map<string, TextToStore>
}

/** A text as it is loaded: one that was stored in parts is not joined. */
export type WholeText = Pick<SourceText, 'text' | 'pieces' | 'file'>

export type LoadedText = WholeText | TextDifference | TextEdits

export interface TextRef {
  readonly key: string
  /** Key of the text it is a difference from; undefined if it is stored without one. */
  readonly base?: string | undefined
}

/** Facts for the list of drafts, which reads no texts. */
export interface DraftSummary {
  readonly id: string
  readonly name: string
  readonly origin: DocumentOrigin
  /** Undefined until the text is read, or if it cannot be read. */
  readonly formatLabel: string | undefined
  readonly turns: number | undefined
  /** Size of the text as UTF-8. */
  readonly bytes: number
  /** When it was last saved, in milliseconds since 1970. */
  readonly keptAt: number
  /** Higher than that of every draft written before, whatever the clock says; older versions wrote none. */
  readonly order?: number
}

export const byNewest = (one: DraftSummary, other: DraftSummary): number =>
  (other.order ?? 0) - (one.order ?? 0) || other.keptAt - one.keptAt

export interface DraftRecord extends DraftSummary {
  readonly version: number
  /** New with every write; shows whether another tab has written meanwhile. */
  readonly revision: string
  /** Key of a conversation saved without being opened; undefined once the user has worked on it. */
  readonly thread?: string
  /** Keys of all texts of the draft. */
  readonly texts: readonly string[]
}

export interface StoredSource extends Pick<SourceText, 'name' | 'origin' | 'readAs'> {
  readonly text: TextRef
  /** Index in `documents`. */
  readonly document: number
}

/** Older versions wrote less of it. */
export interface StoredStep extends Partial<Pick<Snapshot, 'policyFrom' | 'mechanism' | 'chosen'>> {
  readonly label: string
  readonly policy: MaskPolicy
  /** Index in `sources`. */
  readonly source: number
}

export interface StoredDocument {
  readonly draft: string
  /** Revision of that draft at the time of writing. */
  readonly revision: string | undefined
  readonly extras: DocumentExtras | undefined
}

export interface DraftBody
  extends Pick<PlaygroundState, 'policy' | 'pinned' | 'model' | 'conversation'>,
    Partial<Pick<PlaygroundState, 'policyFrom' | 'mechanism'>> {
  readonly version: number
  readonly documents: readonly StoredDocument[]
  readonly sources: readonly StoredSource[]
  /** Index in `sources`. */
  readonly source: number
  readonly past: readonly StoredStep[]
  readonly future: readonly StoredStep[]
}

export interface LoadedDraft {
  readonly record: DraftRecord
  readonly body: DraftBody
  readonly texts: ReadonlyMap<string, LoadedText>
}

/** A random unique key. Unlike `crypto.randomUUID`, it also works on insecure pages. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Turns a stored draft into the page's state; undefined if its present text is missing. */
export function restoreDraft({ body, record, texts }: LoadedDraft, newId: () => number) {
  const documents = body.documents.map(({ draft, revision, extras }) => ({
    document: newId(),
    draft,
    revision: draft === record.id ? record.revision : revision,
    extras,
  }))
  const sourceAt = (index: number): RememberedSource | undefined => {
    const { text, name, origin, readAs, document } = body.sources[index] as StoredSource
    const stored = textOf(texts, text.key)
    const owner = documents[document]
    if (stored === undefined || owner === undefined) return undefined
    const known = FORMAT_IDS.find((id) => id === readAs)
    return { id: newId(), document: owner.document, name, origin, readAs: known, ...stored }
  }
  const { text = [], ...facts } = sourceAt(body.source) ?? {}
  if (typeof text !== 'string' || !('id' in facts)) return undefined
  const present: SourceText = { ...facts, text }
  const refOf = (index: number): TextRef => (body.sources[index] as StoredSource).text
  const placed: [RememberedSource, TextRef][] = [[present, refOf(body.source)]]

  /** The most recent steps, up to the first whose text is missing. */
  const restoredSteps = (steps: readonly StoredStep[]): HistoryStep<Snapshot>[] => {
    let [index, next]: [number, RememberedSource] = [body.source, present]
    const nextText = walkTexts(present.text)
    const restored: HistoryStep<Snapshot>[] = []
    for (const { label, policy, policyFrom = 'user', source: at, ...more } of steps.toReversed()) {
      // The text of the next step, unless another one is stored.
      let source: RememberedSource = { ...next, text: [], pieces: undefined }
      if (at !== index) {
        const found = sourceAt(at)
        if (found === undefined) break
        const { text } = found
        // Its pieces would hold the text again, and so would the text another one that it differs little from.
        source = { ...found, pieces: undefined }
        const isDifference = typeof text === 'string' && refOf(at).base !== undefined
        if (isDifference) source = rememberSource({ ...source, text }, nextText.make())
        nextText.step(text)
        placed.push([source, refOf(at)])
        index = at
        next = source
      }
      const snapshot = { ...more, policy: restoredPolicy(policy), policyFrom, source }
      restored.push({ label, snapshot, gesture: undefined })
    }
    return restored.reverse()
  }

  const [past, future] = [restoredSteps(body.past), restoredSteps(body.future)]
  const extras = documents.flatMap(({ document, extras }): [number, DocumentExtras][] =>
    extras === undefined ? [] : [[document, extras]],
  )
  const resumed: Resumed = {
    source: present,
    policy: restoredPolicy(body.policy),
    policyFrom: body.policyFrom ?? 'user',
    mechanism: body.mechanism,
    pinned: body.pinned && restoredPolicy(body.pinned),
    linkConversation: body.conversation,
    history: { past, future },
    model: body.model,
    extras: Object.fromEntries(extras),
  }
  const { key, base = key } = refOf(body.source)
  return {
    resumed,
    documents,
    placed,
    /** The text that the present one is a difference from, or itself. */
    whole: { key: base, text: textOf(texts, base)?.text as string },
    /** Number of undo steps whose texts are missing. */
    stepsLost: body.past.length - past.length + body.future.length - future.length,
  }
}

/** A stored text: in full, or as edits of the text of the next step. */
function textOf(
  texts: LoadedDraft['texts'],
  key: string,
): Pick<RememberedSource, 'text' | 'pieces' | 'file'> | undefined {
  const stored = texts.get(key)
  if (stored === undefined) return undefined
  if ('edits' in stored) return { text: stored.edits }
  if (!('base' in stored)) return stored
  const base = textOf(texts, stored.base)?.text
  if (typeof base !== 'string') return undefined
  return { text: applyEdits(base, [{ ...stored.span, text: stored.text }]) }
}

/** Another version of the page may have stored it, so invalid or missing settings get their defaults. */
export function restoredPolicy(stored: Partial<Record<keyof MaskPolicy, unknown>>): MaskPolicy {
  let policy = LINK_DEFAULTS
  for (const field of POLICY_FIELDS) {
    const checked = checkSetting(field, stored[field.key])
    if (checked.state !== 'invalid') policy = { ...policy, [field.key]: checked.value }
  }
  return policy
}
