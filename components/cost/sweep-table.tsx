import { Table2 } from 'lucide-react'
import { useState } from 'react'
import type { MaskWindow } from '@/lib/core/replay/masking-plan'
import { lossAt, pointAt, type Sweep, type SweepPoint } from '@/lib/core/replay/sweep'
import { knownRuleOf } from '@/lib/state/costs/cost-terms'
import { SWEEP_AXES, type SweepAxis } from '@/lib/state/costs/costs-slice'
import {
  bestPointOf,
  knownAxis,
  sweepChartOf,
  tableBatches,
  tableWindows,
  valueOn,
} from '@/lib/state/costs/sweep-chart'
import { sweepOf } from '@/lib/state/policy/policy-view'
import { useDeferredState, usePlaygroundState, useView } from '../playground-context'
import { IconButton } from '../ui/icon-button'
import { Popover } from '../ui/popover'
import { SegmentedControl } from '../ui/segmented-control'
import { Select } from '../ui/select'

/** The table for the session shown. */
function SweepTable() {
  const swept = useDeferredState(sweepOf)
  const axis = useDeferredState((state) => state.sweepAxis)
  const best = useDeferredState(bestPointOf)
  return swept && <TableOfSweep swept={swept} wanted={axis} best={best} />
}

interface TableOfSweepProps {
  readonly swept: Sweep
  readonly wanted: SweepAxis
  readonly best: SweepPoint | undefined
}

const ENDS = ['best', 'worst'] as const

/**
 * Table of a sweep: change compared with sending everything, by window and batch; of costs also the change at worst, if
 * everything lost is fetched again. A cell applies both.
 */
export function TableOfSweep({ swept, wanted, best }: TableOfSweepProps) {
  const { t, format, actions } = useView('cost.chart')
  const policy = useDeferredState((state) => state.policy)
  const axis = knownAxis(wanted, swept)
  const before = valueOn(axis, swept.before)
  const [end, setEnd] = useState<(typeof ENDS)[number]>('best')
  const hasEnds = axis !== 'tokens' && swept.rows.some(({ uses }) => uses.some((n) => n > 0))
  const isWorst = hasEnds && end === 'worst'
  const valueAt = (setting: MaskWindow) => {
    const point = pointAt(swept, setting)
    const value = point && valueOn(axis, point.total)
    if (!isWorst || value === undefined) return value
    const again = lossAt(swept, setting)?.[axis]
    return again === undefined ? undefined : value + again
  }
  const batches = tableBatches(policy.batchTurns, best)
  const formatValue = axis === 'tokens' ? format.number : format.money

  return (
    <div className="flex flex-col gap-3 text-sm">
      {hasEnds && (
        <SegmentedControl
          label={t('ends')}
          value={end}
          options={ENDS.map((value) => ({ value, label: t(`end.${value}`) }))}
          onValueChange={setEnd}
        />
      )}
      <p className="text-soft">{t('tableNote', { value: formatValue(before) })}</p>
      <div className="max-w-full overflow-x-auto">
        <table className="w-full border-separate border-spacing-0 text-right">
          <thead>
            <tr className="text-faint text-xs">
              <th scope="col" className="pr-2 pb-1 text-left font-normal max-sm:pr-0">
                {t('window')}
              </th>
              {batches.map((batch) => (
                <th key={batch} scope="col" className="px-1.5 pb-1 font-normal max-sm:px-1">
                  {t('batch', { n: batch })}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {tableWindows(swept, policy.windowTurns).map((windowTurns) => (
              <tr key={windowTurns}>
                <th scope="row" className="pr-2 text-left font-medium max-sm:pr-0">
                  {windowTurns}
                </th>
                {batches.map((batchTurns) => {
                  const after = valueAt({ windowTurns, batchTurns })
                  const isKnown = after !== undefined && before !== undefined
                  const isSet =
                    policy.windowTurns === windowTurns && policy.batchTurns === batchTurns
                  const isBest = best?.windowTurns === windowTurns && best.batchTurns === batchTurns
                  const tone =
                    !isKnown || after === before ? '' : after < before ? 'text-good' : 'text-warn'
                  return (
                    <td key={batchTurns} className="p-0">
                      <button
                        type="button"
                        aria-pressed={isSet}
                        title={formatValue(after)}
                        className={`w-full cursor-pointer rounded-sm px-1.5 py-0.5 text-right max-sm:px-1 hover:bg-line/60 aria-pressed:bg-accent-tint ${tone} ${isBest ? 'font-semibold underline decoration-2 underline-offset-3' : ''}`}
                        onClick={() => actions.applyWindow({ windowTurns, batchTurns })}
                      >
                        {format.change(before, after)}
                      </button>
                    </td>
                  )
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  )
}

/** Caption of the chart: a choice of the value shown, and a table of the values. */
export function SweepCaption() {
  const { t, actions } = useView('cost.chart')
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
        trigger={<IconButton label={t('numbers')} disabled={!hasSweep} icon={Table2} />}
      >
        <SweepTable />
      </Popover>
    </span>
  )
}
