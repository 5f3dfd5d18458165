import { useMemo } from 'react'
import { useTranslations } from 'use-intl'
import type { BeforeAfter } from '@/lib/core/mask/measure-request'
import type { MaskPolicy } from '@/lib/core/policy/policy'
import type { FigureFormat } from '@/lib/core/report/figure-format'
import { MARK_KINDS, markKind, type ScatterChart } from '@/lib/core/report/scatter-layout'
import type { ListedSession } from '@/lib/state/files/fleet-sessions'
import { useFigureFormat } from '../use-figure-format'

/** Texts on all sessions, and number formats. */
export interface FleetTexts {
  readonly t: ReturnType<typeof useTranslations<'fleet'>>
  readonly format: FigureFormat
}

export function useFleetTexts(): FleetTexts {
  const t = useTranslations('fleet')
  const format = useFigureFormat()
  return useMemo(() => ({ t, format }), [t, format])
}

/** Chart of the cost of each session before and after masking. */
export function sessionsChart(
  { t, format }: FleetTexts,
  points: readonly BeforeAfter[],
  policy: MaskPolicy,
): ScatterChart {
  const kinds = points.map(markKind)
  return {
    title: t('chart.title', { policy: policyInWords(t, policy) }),
    points,
    formatTick: format.shortMoney,
    axes: { before: t('chart.before'), after: t('chart.after') },
    regions: { cheaper: t('chart.regions.cheaper'), costlier: t('chart.regions.costlier') },
    legend: MARK_KINDS.flatMap((kind) => {
      const count = kinds.filter((one) => one === kind).length
      return count === 0 ? [] : [{ kind, label: t(`chart.${kind}`, { count }) }]
    }),
  }
}

export function policyInWords(
  t: FleetTexts['t'],
  { enabled, windowTurns, batchTurns }: Pick<MaskPolicy, 'enabled' | 'windowTurns' | 'batchTurns'>,
): string {
  return t('chart.policy', {
    isOn: enabled && windowTurns > 0 ? 'yes' : 'no',
    window: windowTurns,
    batch: Math.max(1, batchTurns),
  })
}

export function describeSession({ t, format }: FleetTexts, session: ListedSession): string {
  const { file, conversation, before, after, isOneOfSeveral, measure } = session
  return t('chart.session', {
    file,
    hasOthers: String(isOneOfSeveral),
    conversation: conversation + 1,
    before: format.money(before, after),
    after: format.money(after, before),
    change: format.change(before, after),
    requests: measure.requests,
  })
}
