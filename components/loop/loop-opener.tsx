'use client'

import { useTranslations } from 'use-intl'
import { historyFindingsOf, maskingFindingsOf } from '@/lib/state/integrity/history-findings'
import { findingsOf } from '@/lib/state/loop/loop-findings'
import { loopReportOf } from '@/lib/state/loop/repeated-calls'
import { DrawerOpener } from '../drawer/drawer-opener'
import { useLateState } from '../playground-context'
import { useLatest } from '../ui/use-latest'

/** Opens the drawer for tool calls. Its label counts the repeats or other findings, and the kinds of problems. */
export function LoopOpener() {
  const t = useTranslations('loop')
  const hasDocument = useLateState(({ read }) => read !== undefined)
  const latest = useLatest(useLateState(loopReportOf))
  const report = hasDocument ? latest : undefined
  const repeats = report?.repeats.length ?? 0
  const others = useLatest(useLateState(findingsOf))?.length ?? 0
  const problems = useLateState(historyFindingsOf).length + useLateState(maskingFindingsOf).length
  const foundCalls =
    repeats > 0
      ? t('repeats', { count: repeats })
      : report !== undefined && others > 0
        ? t('found', { count: others })
        : undefined
  const all = [foundCalls, problems > 0 && t('problems', { count: problems })].filter(Boolean)
  const found = all.length > 0 ? all.join(', ') : undefined
  return (
    <DrawerOpener drawer="loop">
      <span className="sr-only">
        {report === undefined ? t('title') : t('open', { found: found ?? t('nothing') })}
      </span>
      <span aria-hidden className="flex gap-1.5">
        <span className="font-medium text-ink">{t('title')}</span>
        {found !== undefined && <span className="max-sm:hidden">{found}</span>}
        {found !== undefined && <span className="sm:hidden">{(repeats || others) + problems}</span>}
      </span>
    </DrawerOpener>
  )
}
