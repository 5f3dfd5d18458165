import { isFormatId } from '@/lib/core/formats/format'
import { checkSetting } from '@/lib/core/policy/check-setting'
import type { MaskPolicy } from '@/lib/core/policy/policy'
import { POLICY_FIELDS } from '@/lib/core/policy/policy-fields'
import { LINK_DEFAULTS } from '@/lib/core/share/settings-link'
import { applyEdits } from '@/lib/core/text/span'
import type { HistoryStep } from '../history'
import type { Resumed } from '../playground'
import type { DocumentExtras, Snapshot, SourceText } from '../store'
import type { KeptStep, LoadedDraft, TextRef } from './draft-records'

export interface RevivedDraft {
  readonly resumed: Resumed
  readonly documents: readonly {
    readonly document: number
    readonly draft: string
    readonly revision: string | undefined
  }[]
  /** Where each text is kept, with the whole text it is a difference from. */
  readonly texts: readonly {
    readonly source: SourceText
    readonly ref: TextRef
    readonly base: string | undefined
  }[]
  /** Undo steps whose texts are not there any more. */
  readonly stepsLost: number
}

/** A draft as the page's state; undefined when its present text is not there any more. */
export function reviveDraft(
  { body, record, texts }: LoadedDraft,
  newId: () => number,
): RevivedDraft | undefined {
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
  const past = revivedSteps(body.past, sources)
  const future = revivedSteps(body.future, sources)
  const extras = documents.flatMap(({ document, extras }): [number, DocumentExtras][] =>
    extras === undefined ? [] : [[document, extras]],
  )
  return {
    resumed: {
      source: present.source,
      policy: revivedPolicy(body.policy),
      pinned: body.pinned && revivedPolicy(body.pinned),
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
  const kept = texts.get(key)
  if (kept === undefined) return undefined
  const base = 'base' in kept ? textOf(texts, kept.base, found) : undefined
  if ('base' in kept && base === undefined) return undefined
  const text =
    'base' in kept ? applyEdits(base ?? '', [{ ...kept.span, text: kept.text }]) : kept.text
  found.set(key, text)
  return text
}

/** The steps nearest to now, up to the first whose text is gone: beyond it undo would skip. */
function revivedSteps(
  steps: readonly KeptStep[],
  sources: readonly ({ readonly source: SourceText } | undefined)[],
): HistoryStep<Snapshot>[] {
  const lost = steps.findLastIndex(({ source }) => sources[source] === undefined)
  return steps.slice(lost + 1).map(({ label, policy, source }) => ({
    label,
    snapshot: {
      policy: revivedPolicy(policy),
      source: (sources[source] as { readonly source: SourceText }).source,
    },
    gesture: undefined,
  }))
}

/** Another version of the page may have kept it: what it did not know, or knew otherwise, is at its default. */
function revivedPolicy(kept: Partial<MaskPolicy>): MaskPolicy {
  let policy = LINK_DEFAULTS
  for (const field of POLICY_FIELDS) {
    const checked = checkSetting(field, kept[field.key])
    if (checked.state !== 'invalid') policy = { ...policy, [field.key]: checked.value }
  }
  return policy
}
