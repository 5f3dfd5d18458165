'use client'

import { Table2 } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { knownRuleOf } from '@/lib/state/costs/cost-terms'
import { SWEEP_AXES, type SweepAxis } from '@/lib/state/costs/costs-slice'
import { sweepChartOf } from '@/lib/state/costs/sweep-chart'
import { sweepOf } from '@/lib/state/policy/policy-view'
import { useDeferredState, usePlayground, usePlaygroundState } from '../playground-context'
import { IconButton } from '../ui/icon-button'
import { Popover } from '../ui/popover'
import { Select } from '../ui/select'
import { SweepTable } from './sweep-table'

/** Caption of the chart: a choice of the value shown, and a table of the values. */
export function SweepCaption() {
  const t = useTranslations('cost.chart')
  const { actions } = usePlayground()
  const axis = usePlaygroundState((state) => state.sweepAxis)
  const shown = useDeferredState((state) => sweepChartOf(state)?.axis) ?? axis
  const rule = usePlaygroundState(knownRuleOf)
  const hasSweep = useDeferredState((state) => sweepOf(state) !== undefined)
  const nameOf = (value: SweepAxis) =>
    value === 'cached' && rule === 'unknown' ? 'cachedUnknown' : value
  return (
    <span className="-my-1 flex items-center gap-1">
      <Select
        label={t('axis')}
        kind="ghost"
        value={shown}
        onValueChange={actions.setSweepAxis}
        options={SWEEP_AXES.map((value) => ({
          value,
          label: t(`axes.${value}`),
          description: t(`axisNotes.${nameOf(value)}`),
        }))}
      />
      <Popover
        title={t(`described.${nameOf(shown)}`)}
        className="w-auto max-w-[min(44rem,calc(100vw-1rem))]"
        side="right"
        trigger={
          <IconButton label={t('numbers')} disabled={!hasSweep}>
            <Table2 aria-hidden />
          </IconButton>
        }
      >
        <SweepTable />
      </Popover>
    </span>
  )
}
