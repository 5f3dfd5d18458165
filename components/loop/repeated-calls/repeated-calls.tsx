'use client'

import { useTranslations } from 'use-intl'
import type { RepeatedCallsReport } from '@/lib/core/loop/repeated-calls-report'
import { conversationOf } from '@/lib/state/document/selectors'
import { findingsOf } from '@/lib/state/loop/loop-findings'
import { turnTimeOf } from '@/lib/state/loop/loop-settings'
import { loopReportOf } from '@/lib/state/loop/repeated-calls'
import { usePlaygroundState } from '../../playground-context'
import { useIsNarrow } from '../../shell/use-is-narrow'
import { Collapsible } from '../../ui/collapsible'
import { conversationKeyOf, useShownOf } from '../../use-shown'
import { FindingsTable } from './findings-table'
import { GuardFields } from './guard-fields'
import { SavedFigures } from './saved-figures'

/** Repeated calls of the conversation shown, and the calls that guards would have stopped. */
export function RepeatedCalls() {
  // The filter and the open rows are those of one conversation.
  return <FindingsOfConversation key={usePlaygroundState(conversationKeyOf)} />
}

function FindingsOfConversation() {
  const t = useTranslations('loop.repeatedCalls')
  const isNarrow = useIsNarrow()
  const conversation = usePlaygroundState(conversationOf)
  const settings = usePlaygroundState(({ loop }) => loop.settings)
  const current = usePlaygroundState(loopReportOf)
  const currentFindings = usePlaygroundState(findingsOf)
  // While a limit is dragged, the last findings stay visible.
  const key = usePlaygroundState(conversationKeyOf)
  const { shown: report } = useShownOf(current, key)
  const { shown: findings } = useShownOf(currentFindings, key)

  if (conversation === undefined) return <Note>{t('empty')}</Note>
  const isTurnless = conversation.turnCount === 0
  if (isTurnless && current === undefined) return <Note>{t('noTurns')}</Note>
  if (report === undefined || findings === undefined) return <Note>{t('working')}</Note>
  // Results that answer no call can repeat an error too.
  if (isTurnless && findings.length === 0) return <Note>{t('noTurns')}</Note>
  const on = Object.values(settings.guards).filter(Boolean).length
  const all = Object.keys(settings.guards).length
  const sentence = <RepeatedCallsSentence report={report} />
  return (
    <div className="flex min-h-0 flex-1 gap-6 max-lg:flex-col max-lg:gap-3">
      {isNarrow && (
        <>
          <SavedFigures report={report} />
          <Collapsible
            label={t('guards.label')}
            trailing={<span>{t('guards.summary', { on, all })}</span>}
          >
            <GuardFields report={report} />
          </Collapsible>
        </>
      )}
      <div className="flex min-h-0 min-w-0 flex-1 flex-col pb-3">
        {findings.length > 0 ? (
          <FindingsTable findings={findings} sentence={sentence} />
        ) : (
          <div className="max-w-prose">
            <p className="font-medium">{t('nothingTitle')}</p>
            <p className="mt-1 mb-2 text-soft">
              {t('nothing', {
                calls: report.calls,
                turns: conversation.turnCount,
                limit: settings.limits.callsPerBatch,
                errors: settings.fewestErrors,
              })}
            </p>
            {sentence}
          </div>
        )}
      </div>
      {isNarrow === false && (
        <div className="w-76 shrink-0 overflow-y-auto border-line border-l pb-4 pl-5 max-xl:w-62 xl:-mt-9.5">
          <div className="border-line xl:mr-8 border-b pb-2">
            <SavedFigures report={report} />
          </div>
          <GuardFields report={report} />
        </div>
      )}
    </div>
  )
}

function Note({ children }: { readonly children: string }) {
  return <p className="max-w-prose text-soft">{children}</p>
}

/** The clock of the guards, and the conversation the findings are about. */
function RepeatedCallsSentence({ report }: { readonly report: RepeatedCallsReport }) {
  return (
    <p className="min-w-0 flex-1 basis-80 text-soft text-sm">
      <ClockSentence report={report} /> <ShownSentence />
    </p>
  )
}

function ClockSentence({ report }: { readonly report: RepeatedCallsReport }) {
  const t = useTranslations('loop.repeatedCalls.clock')
  const settings = usePlaygroundState(({ loop }) => loop.settings)
  const turns = usePlaygroundState(conversationOf)?.turnCount ?? 0
  if (report.clock === 'timestamps') return t('timestamps')
  const seconds = turnTimeOf(settings) / 1000
  return report.timedTurns === 0
    ? t('turn_order', { seconds })
    : t('turn_order_some', { seconds, turns, timed: report.timedTurns })
}

function ShownSentence() {
  const t = useTranslations('loop.repeatedCalls')
  const at = usePlaygroundState(({ conversation }) => conversation)
  const count = usePlaygroundState(({ read }) => read?.model.conversations.length ?? 0)
  return count > 1 ? t('shown', { at: at + 1, count }) : null
}
