import { Table2 } from 'lucide-react'
import { useId, useState } from 'react'
import { useTranslations } from 'use-intl'
import { batchNumber } from '@/lib/core/policy/policy'
import type { MaskWindow } from '@/lib/core/replay/prepare-replay'
import { lossAt, pointAt, type Sweep, type SweepPoint } from '@/lib/core/replay/sweep'
import { knownRuleOf } from '@/lib/state/costs/cost-terms'
import { SWEEP_AXES, type SweepAxis } from '@/lib/state/costs/costs-slice'
import { bestPointOf } from '@/lib/state/costs/session-advice'
import {
  knownAxis,
  sweepChartOf,
  tableBatches,
  tableWindows,
  valueOn,
} from '@/lib/state/costs/sweep-chart'
import { isOutdated } from '@/lib/state/document/selectors'
import { figuresOf, sweepInputOf, sweepOf } from '@/lib/state/policy/policy-view'
import { useDeferredState, usePlaygroundState, useShown, useView } from '../playground-context'
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

const ENDS = ['best', 'worst'] as const

/**
 * Table of a sweep: change compared with sending everything, by window and batch; of costs also the change at worst, if
 * everything lost is fetched again. A cell applies both.
 */
export function TableOfSweep(props: {
  readonly swept: Sweep
  readonly wanted: SweepAxis
  readonly best: SweepPoint | undefined
}) {
  const { swept, wanted, best } = props
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
                  {t('batch', { n: batchNumber({ batchTurns: batch }) })}
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

/**
 * Chart of the session cost by window, with one line per batch, as wide as the slider below it.
 * Above the dashed line, masking costs more than sending everything. A chart library would load with the page and
 * redraw fully on every step of a drag.
 */
export function SweepChart() {
  const { t, format } = useView('cost.chart')
  const verdict = useTranslations('verdict')
  const id = useId()
  const { shown, isOld: isAwaited } = useShown(sweepChartOf)
  const swept = useDeferredState(sweepOf)
  const batchSet = useDeferredState((state) => state.policy.batchTurns)
  const sideSet = useDeferredState((state) => figuresOf(state)?.after)
  const windowSet = useDeferredState(({ policy }) => (policy.enabled ? policy.windowTurns : 0))
  const best = useDeferredState(bestPointOf)
  const rule = useDeferredState(knownRuleOf)
  const isOld = useDeferredState(isOutdated) || isAwaited
  const hasJob = useDeferredState((state) => sweepInputOf(state) !== undefined)
  if (shown === undefined)
    return (
      <p className="h-18 text-faint text-sm">
        {hasJob && swept === undefined && verdict('pending')}
      </p>
    )
  const { axis, lines, risk, everything, placeOf } = shown
  const currentLine = lines.find(({ batchTurns }) => batchTurns === batchSet)
  const window = { windowTurns: windowSet, batchTurns: batchSet }
  const current: SweepPoint | undefined =
    (swept && pointAt(swept, window)) ?? (sideSet && { ...window, total: sideSet })
  // A point of other prices has no place on this scale.
  const place = current && !isAwaited ? placeOf(current) : undefined
  const isMoreExpensive = place !== undefined && place.y < everything - 1e-9

  return (
    <div
      role="img"
      aria-label={description()}
      aria-busy={isOld}
      className={`relative mb-0.5 h-18 w-full ${isOld ? 'faded' : ''}`}
    >
      <svg
        aria-hidden
        viewBox="0 0 1000 1000"
        preserveAspectRatio="none"
        className="absolute inset-0 size-full overflow-visible fill-none [&_path]:[vector-effect:non-scaling-stroke]"
      >
        <clipPath id={`${id}-above`}>
          <rect x="-10" y="-100" width="1020" height={everything * 1000 + 100} />
        </clipPath>
        <clipPath id={`${id}-cheaper`}>
          <rect x="-10" y={everything * 1000} width="1020" height={1100 - everything * 1000} />
        </clipPath>
        <path d={`M0 ${everything * 1000}H1000`} className="stroke-ghost" strokeDasharray="2 3" />
        {risk?.band !== undefined && <path d={risk.band} className="fill-bad/15" />}
        {risk !== undefined && (
          <path d={risk.lostUses} className="stroke-bad/70" strokeWidth="1" strokeDasharray="1 3" />
        )}
        {lines.map(({ batchTurns, path }) =>
          batchTurns === batchSet ? null : (
            <path key={batchTurns} d={path} className="stroke-ghost/55" strokeWidth="1" />
          ),
        )}
        {currentLine !== undefined &&
          (['above', 'cheaper'] as const).map((part) => (
            <path
              key={part}
              d={currentLine.path}
              clipPath={`url(#${id}-${part})`}
              className={part === 'above' ? 'stroke-warn' : 'stroke-good'}
              strokeWidth="1.75"
              strokeLinejoin="round"
            />
          ))}
      </svg>
      {best !== undefined && (
        <Dot place={placeOf(best)} className="size-2.5 border-2 border-good bg-paper" />
      )}
      {place !== undefined && (
        <>
          <span
            className="absolute -bottom-3 w-px bg-accent/60"
            style={{ left: `${place.x * 100}%`, top: `${place.y * 100}%` }}
          />
          <Dot
            place={place}
            className={`size-2 ring-2 ring-paper ${isMoreExpensive ? 'bg-warn' : 'bg-good'}`}
          />
        </>
      )}
    </div>
  )

  function description(): string {
    if (swept === undefined || current === undefined) return t('label')
    const formatValue = axis === 'tokens' ? format.number : format.money
    const value = ({ total }: Pick<SweepPoint, 'total'>) => formatValue(valueOn(axis, total))
    return [
      t(`described.${axis === 'cached' && rule === 'unknown' ? 'cachedUnknown' : axis}`),
      t('everything', { value: value({ total: swept.before }) }),
      t('set', { window: windowSet, batch: batchNumber(window), value: value(current) }),
      best === undefined
        ? ''
        : t('best', { window: best.windowTurns, batch: batchNumber(best), value: value(best) }),
    ].join(' ')
  }
}

function Dot({ place, className }: { place: { x: number; y: number }; className: string }) {
  return (
    <span
      className={`-translate-x-1/2 -translate-y-1/2 absolute rounded-full ${className}`}
      style={{ left: `${place.x * 100}%`, top: `${place.y * 100}%` }}
    />
  )
}
