'use client'

import { useTranslations } from 'use-intl'
import { conversationOf } from '@/lib/state/document/selectors'
import {
  type FindingGroup,
  historyFindingsOf,
  maskingFindingsOf,
  maskingProofOf,
} from '@/lib/state/integrity/history-findings'
import { useDeferredState, usePlaygroundState } from '../../playground-context'
import { Finding } from './finding'

/** What providers reject in the history shown, what masking adds, and the proof that it changes nothing else. */
export function Checks() {
  const t = useTranslations('integrity')
  const conversation = usePlaygroundState(conversationOf)
  const history = useDeferredState(historyFindingsOf)
  const added = useDeferredState(maskingFindingsOf)
  if (conversation === undefined) return <p className="text-soft">{t('empty')}</p>
  return (
    <div className="min-h-0 flex-1 overflow-y-auto pb-5">
      <Findings title={t('title')} groups={history} />
      {added.length > 0 && <Findings title={t('addedTitle')} groups={added} />}
      <Proof />
    </div>
  )
}

function Findings({
  title,
  groups,
}: {
  readonly title: string
  readonly groups: readonly FindingGroup[]
}) {
  const t = useTranslations('integrity')
  return (
    <section aria-label={title} className="not-first:mt-4">
      <h3 className="mb-1 font-medium text-soft text-sm">{title}</h3>
      {groups.length === 0 ? (
        <p className="max-w-prose">{t('nothing')}</p>
      ) : (
        <ul className="grid gap-x-10 gap-y-2.5 lg:grid-cols-2">
          {groups.map((group) => (
            <Finding key={group.rule} group={group} />
          ))}
        </ul>
      )}
    </section>
  )
}

function Proof() {
  const t = useTranslations('integrity')
  const proof = useDeferredState(maskingProofOf)
  if (proof === undefined) return null
  return proof.state === 'proven' ? (
    <p className="mt-4 max-w-prose text-soft text-sm">{t('proven', { strings: proof.strings })}</p>
  ) : (
    <p className="mt-4 max-w-prose text-bad">{t('refuted', { offset: proof.offset })}</p>
  )
}
