import { FORMAT_IDS } from '@/lib/core/formats/format-ids'
import { checkSetting } from '@/lib/core/policy/check-setting'
import { type MaskPolicy, POLICY_FIELDS } from '@/lib/core/policy/policy'
import { LINK_DEFAULTS } from '@/lib/core/share/link/settings-link'
import { applyEdits } from '@/lib/core/text/span'
import type { DocumentExtras, SourceText } from '../document/document-slice'
import { type RememberedSource, rememberSource, walkTexts } from '../document/remembered-source'
import type { HistoryStep } from '../history'
import type { Resumed } from '../playground'
import type { Snapshot } from '../policy/policy-slice'
import type { LoadedDraft, StoredSource, StoredStep, TextRef } from './draft-records'

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
