'use client'

import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import type { RepeatedCallsReport } from '@/lib/core/loop/repeated-calls-report'
import type { ReplaySide } from '@/lib/core/replay/replay'
import { loopSavingsOf } from '@/lib/state/loop/loop-savings'
import { useReportTexts } from '../../cost/drawer/use-report-texts'
import { useComputedState } from '../../use-computed-state'
import { conversationKeyOf, useShownOf } from '../../use-shown'

const SELECTORS = [loopSavingsOf]

/** Savings of the guards: stopped calls, tokens of their results, and the cost of the session. */
export function SavedFigures({ report }: { readonly report: RepeatedCallsReport }) {
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
function Session({
  label,
  was,
  guarded,
}: {
  readonly label: string
  readonly was: ReplaySide | undefined
  readonly guarded: ReplaySide | undefined
}) {
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
