'use client'

import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import type { RepeatedCallsReport } from '@/lib/core/loop/repeated-calls-report'
import type { ReplaySide } from '@/lib/core/replay/replay'
import { conversationOf } from '@/lib/state/document/selectors'
import { findingsOf } from '@/lib/state/loop/loop-findings'
import { turnTimeOf } from '@/lib/state/loop/loop-settings'
import { loopReportOf, loopSavingsOf } from '@/lib/state/loop/repeated-calls'
import { useReportTexts } from '../../cost/drawer/use-report-texts'
import {
  conversationKeyOf,
  useComputedState,
  usePlaygroundState,
  useShownOf,
} from '../../playground-context'
import { useIsNarrow } from '../../shell/use-is-narrow'
import { Collapsible } from '../../ui/collapsible'
import { FindingsTable } from './findings-table'
import { GuardFields } from './guard-fields'

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

function Note({ children }: { children: string }) {
  return <p className="max-w-prose text-soft">{children}</p>
}

/** The clock of the guards, and the conversation the findings are about. */
function RepeatedCallsSentence({ report }: { report: RepeatedCallsReport }) {
  return (
    <p className="min-w-0 flex-1 basis-80 text-soft text-sm">
      <ClockSentence report={report} /> <ShownSentence />
    </p>
  )
}

function ClockSentence({ report }: { report: RepeatedCallsReport }) {
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

const SELECTORS = [loopSavingsOf]

/** Savings of the guards: stopped calls, tokens of their results, and the cost of the session. */
export function SavedFigures({ report }: { report: RepeatedCallsReport }) {
  const t = useTranslations('loop.repeatedCalls.figures')
  const { format } = useReportTexts()
  const state = useComputedState(SELECTORS)
  const { shown: savings } = useShownOf(
    state && loopSavingsOf(state),
    state && conversationKeyOf(state),
  )
  const { stopped, calls } = report
  const tokens = stopped.reduce((sum, call) => sum + call.tokens, 0)
  return (
    <section aria-label={t('label')}>
      <dl className="flex flex-col gap-y-0.5">
        <Figure label={t('stopped')} value={format.number(stopped.length)}>
          {t('stoppedOf', { calls })}
        </Figure>
        <Figure label={t('results')} value={format.number(tokens)}>
          {t('tokens', { tokens })}
        </Figure>
        <Session
          label={t('unmasked')}
          was={savings?.was.before}
          guarded={savings?.guarded.before}
        />
        <Session label={t('masked')} was={savings?.was.after} guarded={savings?.guarded.after} />
      </dl>
      {stopped.length > 0 && <p className="mt-1.5 text-soft text-sm">{t('note')}</p>}
    </section>
  )
}

/** The session before and after the guards. */
function Session(props: {
  readonly label: string
  readonly was: ReplaySide | undefined
  readonly guarded: ReplaySide | undefined
}) {
  const { label, was, guarded } = props
  const t = useTranslations('loop.repeatedCalls.figures')
  const { format, rule } = useReportTexts()
  if (was === undefined || guarded === undefined) return <Figure label={label} value="–" />
  const tokens = guarded.tokens - was.tokens
  if (tokens === 0) return <Figure label={label} value={t('unchanged')} />
  const [before, after] = [was.costs.cached, guarded.costs.cached]
  const isPriced = before !== undefined && after !== undefined
  const amount = isPriced ? format.money(Math.abs(after - before)) : ''
  return (
    <Figure
      label={label}
      value={`${signOf(tokens)}${format.number(Math.abs(tokens))}`}
      tone={tokens < 0 ? 'text-good' : 'text-warn'}
      change={format.change(was.tokens, guarded.tokens)}
      {...(isPriced
        ? { below: t('cost', { cost: `${signOf(after - before)}${amount}`, rule }) }
        : {})}
    />
  )
}

const signOf = (change: number) => (change < 0 ? '−' : change > 0 ? '+' : '')

interface FigureProps {
  readonly label: string
  readonly value: string
  readonly tone?: string
  readonly change?: string
  readonly children?: ReactNode
  /** Shown on a separate line. */
  readonly below?: string
}

function Figure({ label, value, tone = '', change, children, below }: FigureProps) {
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-4">
      <dt className="text-soft">{label}</dt>
      <dd className="ml-auto whitespace-nowrap text-right">
        <span className="font-semibold">{value}</span>
        {change !== undefined && <span className={`ml-1.5 font-medium ${tone}`}>{change}</span>}
        {children !== undefined && <span className="text-soft"> {children}</span>}
        {below !== undefined && <span className="block text-soft text-sm">{below}</span>}
      </dd>
    </div>
  )
}
