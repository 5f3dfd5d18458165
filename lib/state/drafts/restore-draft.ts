import { isFormatId } from '@/lib/core/formats/reading/format'
import { checkSetting } from '@/lib/core/policy/check-setting'
import type { MaskPolicy } from '@/lib/core/policy/policy'
import { POLICY_FIELDS } from '@/lib/core/policy/policy-fields'
import { LINK_DEFAULTS } from '@/lib/core/share/link/settings-link'
import { applyEdits } from '@/lib/core/text/span'
import type { DocumentExtras, SourceText } from '../document/document-slice'
import type { HistoryStep } from '../history'
import type { Resumed } from '../playground'
import type { Snapshot } from '../policy/policy-slice'
import type { LoadedDraft, StoredStep, TextRef } from './draft-records'

export interface RestoredDraft {
  readonly resumed: Resumed
  readonly documents: readonly {
    readonly document: number
    readonly draft: string
    readonly revision: string | undefined
  }[]
  /** Location of each text in the database, and the text it is a difference from. */
  readonly texts: readonly {
    readonly source: SourceText
    readonly ref: TextRef
    readonly base: string | undefined
  }[]
  /** Number of undo steps whose texts are missing. */
  readonly stepsLost: number
}

/** Turns a stored draft into the page's state; undefined if its present text is missing. */
export function restoreDraft(
  { body, record, texts }: LoadedDraft,
  newId: () => number,
): RestoredDraft | undefined {
  const documents = body.documents.map(({ draft, revision, extras }) => ({
    document: newId(),
    draft,
    revision: draft === record.id ? record.revision : revision,
    extras,
  }))
  const found = new Map<string, string>()
  const sources = body.sources.map(({ text: ref, name, origin, readAs, document: index }) => {
    const base = ref.base === undefined ? undefined : textOf(texts, ref.base, found)
    const text = textOf(texts, ref.key, found)
    const owner = documents[index]
    if (text === undefined || owner === undefined) return undefined
    const { document } = owner
    const known = isFormatId(readAs) ? readAs : undefined
    const source: SourceText = { id: newId(), document, text, name, origin, readAs: known }
    return { source, ref, base }
  })
  const present = sources[body.source]
  if (present === undefined) return undefined
  const past = restoredSteps(body.past, sources)
  const future = restoredSteps(body.future, sources)
  const extras = documents.flatMap(({ document, extras }): [number, DocumentExtras][] =>
    extras === undefined ? [] : [[document, extras]],
  )
  return {
    resumed: {
      source: present.source,
      policy: restoredPolicy(body.policy),
      pinned: body.pinned && restoredPolicy(body.pinned),
      linkConversation: body.conversation,
      history: { past, future },
      model: body.model,
      extras: Object.fromEntries(extras),
    },
    documents,
    texts: sources.filter((source) => source !== undefined),
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

/** The most recent steps, up to the first whose text is missing. */
function restoredSteps(
  steps: readonly StoredStep[],
  sources: readonly ({ readonly source: SourceText } | undefined)[],
): HistoryStep<Snapshot>[] {
  const lost = steps.findLastIndex(({ source }) => sources[source] === undefined)
  return steps.slice(lost + 1).map(({ label, policy, source }) => ({
    label,
    snapshot: {
      policy: restoredPolicy(policy),
      source: (sources[source] as { readonly source: SourceText }).source,
    },
    gesture: undefined,
  }))
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
