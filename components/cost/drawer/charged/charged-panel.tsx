'use client'

import { useTranslations } from 'use-intl'
import { type Charge, chargeIfMasked } from '@/lib/core/replay/charged/charge'
import type { Replay } from '@/lib/core/replay/replay'
import type { ChargedFacts } from '@/lib/core/report/report-facts'
import { useFigureFormat } from '../../../use-figure-format'
import { CalibrationFields } from './calibration-fields'
import { ChargeParts } from './charge-parts'
import { ChargedRequests } from './charged-requests'

export interface ChargedPanelProps {
  readonly replayed: Replay
  readonly charged: ChargedFacts | undefined
}

/** What was charged beside the replay, and why a plain count differs; nothing without usage. */
export function ChargedPanel({ replayed, charged }: ChargedPanelProps) {
  const t = useTranslations('charged')
  if (charged === undefined) return null
  const { charge, explained } = charged
  return (
    <section aria-label={t('title')} className="flex flex-col gap-3">
      <div>
        <h3 className="font-medium">{t('title')}</h3>
        <p className="max-w-[80ch] text-soft text-sm">
          {t('intro', { known: charge.requests, all: replayed.requests.length })}
        </p>
      </div>
      <ChargeFigures charge={charge} replayed={replayed} />
      <div className="grid gap-x-10 gap-y-4 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        {explained.length > 0 && <ChargeParts requests={explained} />}
        <CalibrationFields />
      </div>
      {explained.length > 0 && <ChargedRequests requests={explained} />}
    </section>
  )
}

interface ChargeFiguresProps {
  readonly charge: Charge
  readonly replayed: Replay
}

function ChargeFigures({ charge, replayed }: ChargeFiguresProps) {
  const t = useTranslations('charged.figures')
  const format = useFigureFormat()
  const { before, after } = replayed
  const masked = chargeIfMasked(charge, replayed)
  /** Changed as the replay is, like the cost. */
  const maskedTokens =
    charge.inputTokens === undefined || before.tokens === 0
      ? undefined
      : Math.round((charge.inputTokens * after.tokens) / before.tokens)
  const change = (from: number | undefined, to: number | undefined) =>
    from === undefined || to === undefined ? undefined : format.change(from, to)
  const figures = [
    {
      label: t('charged'),
      cost: charge.inputCost,
      note: t('tokens', { tokens: format.number(charge.inputTokens) }),
      change: undefined,
    },
    {
      label: t('masked'),
      cost: masked,
      note: t('tokens', { tokens: format.number(maskedTokens) }),
      change: change(charge.inputCost, masked),
    },
    {
      label: t('replayed'),
      cost: before.costs.cached,
      note: t('tokens', { tokens: format.number(before.tokens) }),
      change: change(charge.inputCost, before.costs.cached),
    },
    {
      label: t('output'),
      cost: charge.outputCost,
      note: t('outputTokens', { tokens: format.number(charge.outputTokens) }),
      change: undefined,
    },
  ]
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-2 sm:grid-cols-4">
      {figures.map(({ label, cost, note, change: shown }) => (
        <div key={label} className="min-w-0 border-line border-l-2 pl-2.5">
          <dt className="text-soft text-sm">{label}</dt>
          <dd>
            <span className="font-semibold text-lg tabular-nums">{format.money(cost)}</span>
            {shown !== undefined && <span className="ml-1.5 text-soft text-sm">{shown}</span>}
            <span className="block text-soft text-sm">{note}</span>
          </dd>
        </div>
      ))}
    </dl>
  )
}
