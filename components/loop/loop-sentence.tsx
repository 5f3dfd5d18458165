import { useFormatter, useTranslations } from 'use-intl'
import { loopReportOf } from '@/lib/state/loop/repeated-calls'
import { DrawerSentence } from '../drawer/drawer-sentence'
import { useShown } from '../use-shown'
import { useFound } from './use-found'

const OTHERS = ['cycle', 'error', 'beyond', 'id'] as const

/** What was found in the calls and what it costs. Renders nothing if nothing was found. */
export function LoopSentence() {
  const t = useTranslations('loop.repeatedCalls.sentence')
  const format = useFormatter()
  const { repeats, others, broken, problems, added } = useFound()
  const { shown: report } = useShown(loopReportOf)
  const tokens = report?.repeats.reduce((sum, repeat) => sum + repeat.tokens, 0) ?? 0
  const parts = [
    repeats > 0 && t('repeats', { count: repeats, tokens }),
    ...OTHERS.map((kind) => {
      const count = others.filter((finding) => finding.kind === kind).length
      return count > 0 && t(`others.${kind}`, { count })
    }),
    broken > 0 && t('broken', { count: broken }),
    problems > 0 && t('problems', { count: problems }),
    added > 0 && t('added', { count: added }),
  ].filter((part) => part !== false)
  if (parts.length === 0) return null
  return (
    <DrawerSentence>
      {t('found', { calls: report?.calls ?? 0, parts: format.list(parts) })}
    </DrawerSentence>
  )
}
