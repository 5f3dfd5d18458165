'use client'

import { useTranslations } from 'use-intl'
import type { LoopReport } from '@/lib/core/loop/loop-report'
import { turnTimeOf } from '@/lib/state/loop-settings'
import { conversationOf } from '@/lib/state/selectors'
import { usePlaygroundState } from '../../playground-context'

/** By which clock the guards were asked, and about which of the document's conversations. */
export function CirclesSentence({ report }: { readonly report: LoopReport }) {
  return (
    <p className="min-w-0 flex-1 basis-80 text-soft text-sm">
      <ClockSentence report={report} /> <ShownSentence />
    </p>
  )
}

function ClockSentence({ report }: { readonly report: LoopReport }) {
  const t = useTranslations('loop.circles.clock')
  const settings = usePlaygroundState(({ loop }) => loop.settings)
  const turns = usePlaygroundState(conversationOf)?.turnCount ?? 0
  if (report.clock === 'timestamps') return t('timestamps')
  const seconds = turnTimeOf(settings) / 1000
  return report.timedTurns === 0
    ? t('turn_order', { seconds })
    : t('turn_order_some', { seconds, turns, timed: report.timedTurns })
}

function ShownSentence() {
  const t = useTranslations('loop.circles')
  const at = usePlaygroundState(({ conversation }) => conversation)
  const count = usePlaygroundState(({ read }) => read?.model.conversations.length ?? 0)
  return count > 1 ? t('shown', { at: at + 1, count }) : null
}
