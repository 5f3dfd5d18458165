import { FORMAT_IDS } from '@/lib/core/formats/format-ids'
import { checkSetting } from '@/lib/core/policy/check-setting'
import { type MaskPolicy, POLICY_FIELDS } from '@/lib/core/policy/policy'
import { LINK_DEFAULTS } from '@/lib/core/share/link/settings-link'
import { applyEdits } from '@/lib/core/text/span'
import type { DocumentExtras, SourceText } from '../document/document-slice'
import { type LazySource, lazyText, rememberSource } from '../document/remembered-source'
import type { HistoryStep } from '../history'
import type { Resumed } from '../playground'
import type { Snapshot } from '../policy/policy-slice'
import type { LoadedDraft, StoredStep } from './draft-records'

export type RestoredDraft = NonNullable<ReturnType<typeof restoreDraft>>

/** Turns a stored draft into the page's state; undefined if its present text is missing. */
export function restoreDraft({ body, record, texts }: LoadedDraft, newId: () => number) {
  const documents = body.documents.map(({ draft, revision, extras }) => ({
    document: newId(),
    draft,
    revision: draft === record.id ? record.revision : revision,
    extras,
  }))
  const bases = new Map<string, string>()
  const sources = body.sources.map(({ text: ref, name, origin, readAs, document: index }) => {
    const stored = texts.get(ref.key)
    const whole = textOf(texts, ref.base ?? ref.key, bases)
    const owner = documents[index]
    if (stored === undefined || whole === undefined || owner === undefined) return undefined
    const isEdited = 'base' in stored
    const edits = isEdited ? [{ ...stored.span, text: stored.text }] : []
    const known = FORMAT_IDS.find((id) => id === readAs)
    const source: LazySource = {
      ...{ id: newId(), document: owner.document, name, origin, readAs: known },
      ...(isEdited ? {} : { pieces: stored.pieces, file: stored.file }),
      // The texts of all steps together can be many times the transcript.
      ...lazyText(whole, edits),
    }
    return { source, ref, whole }
  })
  const present = sources[body.source]
  if (present === undefined) return undefined
  const source = withText(present.source)
  const past = restoredSteps(body.past, sources, source)
  const future = restoredSteps(body.future, sources, source)
  const extras = documents.flatMap(({ document, extras }): [number, DocumentExtras][] =>
    extras === undefined ? [] : [[document, extras]],
  )
  const resumed: Resumed = {
    source,
    policy: restoredPolicy(body.policy),
    pinned: body.pinned && restoredPolicy(body.pinned),
    linkConversation: body.conversation,
    history: { past, future },
    model: body.model,
    extras: Object.fromEntries(extras),
  }
  return {
    resumed,
    documents,
    /** Location of each text in the database, and the text it is a difference from, or itself. */
    texts: sources.filter((source) => source !== undefined),
    /** Number of undo steps whose texts are missing. */
    stepsLost: body.past.length - past.length + body.future.length - future.length,
  }
}

function textOf(
  texts: LoadedDraft['texts'],
  key: string,
  found: Map<string, string>,
): string | undefined {
  const known = found.get(key)
  if (known !== undefined) return known
  const stored = texts.get(key)
  if (stored === undefined) return undefined
  const base = 'base' in stored ? textOf(texts, stored.base, found) : undefined
  if ('base' in stored && base === undefined) return undefined
  const text =
    'base' in stored ? applyEdits(base ?? '', [{ ...stored.span, text: stored.text }]) : stored.text
  found.set(key, text)
  return text
}

function withText({ makeText, length: _, ...facts }: LazySource): SourceText {
  return { ...facts, text: makeText() }
}

/** The most recent steps, up to the first whose text is missing. */
function restoredSteps(
  steps: readonly StoredStep[],
  sources: readonly ({ readonly source: LazySource } | undefined)[],
  present: SourceText,
): HistoryStep<Snapshot>[] {
  let next = present
  const restored: HistoryStep<Snapshot>[] = []
  for (const { label, policy, source: index } of steps.toReversed()) {
    const found = sources[index]?.source
    if (found === undefined) break
    // Comparing joins the text, and its pieces would hold it again.
    const source = found.id === next.id ? next : { ...withText(found), pieces: undefined }
    const remembered = rememberSource(source, next.text, found.id === next.id ? [] : undefined)
    const snapshot = { policy: restoredPolicy(policy), source: remembered }
    restored.push({ label, snapshot, gesture: undefined })
    next = source
  }
  return restored.reverse()
}

/** Another version of the page may have stored it, so invalid or missing settings get their defaults. */
function restoredPolicy(stored: Partial<MaskPolicy>): MaskPolicy {
  let policy = LINK_DEFAULTS
  for (const field of POLICY_FIELDS) {
    const checked = checkSetting(field, stored[field.key])
    if (checked.state !== 'invalid') policy = { ...policy, [field.key]: checked.value }
  }
  return policy
}
