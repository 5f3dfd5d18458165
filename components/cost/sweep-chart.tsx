import { useId } from 'react'
import { useTranslations } from 'use-intl'
import { pointAt, type SweepPoint } from '@/lib/core/replay/sweep'
import { knownRuleOf } from '@/lib/state/costs/cost-terms'
import { bestPointOf, sweepChartOf, valueOn } from '@/lib/state/costs/sweep-chart'
import { isOutdated } from '@/lib/state/document/selectors'
import { figuresOf, sweepInputOf, sweepOf } from '@/lib/state/policy/policy-view'
import { useDeferredState, useShown, useView } from '../playground-context'

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
        {currentLine !== undefined && (
          <>
            <path
              d={currentLine.path}
              clipPath={`url(#${id}-above)`}
              className="stroke-warn"
              strokeWidth="1.75"
              strokeLinejoin="round"
            />
            <path
              d={currentLine.path}
              clipPath={`url(#${id}-cheaper)`}
              className="stroke-good"
              strokeWidth="1.75"
              strokeLinejoin="round"
            />
          </>
        )}
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
      t('set', { window: windowSet, batch: batchSet, value: value(current) }),
      best === undefined
        ? ''
        : t('best', { window: best.windowTurns, batch: best.batchTurns, value: value(best) }),
    ].join(' ')
  }
}

function Dot({
  place,
  className,
}: {
  readonly place: { readonly x: number; readonly y: number }
  readonly className: string
}) {
  return (
    <span
      className={`-translate-x-1/2 -translate-y-1/2 absolute rounded-full ${className}`}
      style={{ left: `${place.x * 100}%`, top: `${place.y * 100}%` }}
    />
  )
}
