import { useId } from 'react'
import { figuresOf, limitsOf } from '@/lib/state/policy/policy-view'
import { CURVE_BOX, costCurveOf, type layoutCurve } from '@/lib/state/timeline/cost-curve'
import { useDeferredState, useShown, useView } from '../playground-context'

const LOWEST = 98

/** The cost of the session by place of the window's edge, which is from 0 to 1. */
export function CostCurve({ edge }: { readonly edge: number }) {
  const { t } = useView('timeline')
  const { shown: curve, isOld } = useShown(costCurveOf)
  const after = useDeferredState(figuresOf)?.after
  // With masking, the flag of the edge says what the curve is.
  const isOff = useDeferredState(({ policy }) => !policy.enabled || policy.windowTurns <= 0)
  const least = useShown(limitsOf).shown?.any?.cost
  if (curve === undefined) return <div className="h-(--curve)" />
  const now = curve.isPriced ? after?.costs.cached : after?.tokens
  return (
    <CurvePicture
      {...{ curve, isOld, least }}
      now={now === undefined ? undefined : { place: edge, value: now }}
      note={isOff ? t('byEdge') : undefined}
    />
  )
}

interface PlaceOnCurve {
  readonly place: number
  readonly value: number
}

/** A curve: green where it is less than without masking, else amber. A dot marks the present place. */
export function CurvePicture(props: {
  readonly curve: ReturnType<typeof layoutCurve>
  readonly isOld: boolean
  readonly now: PlaceOnCurve | undefined
  readonly best?: PlaceOnCurve | undefined
  /** What nothing goes below. */
  readonly least?: number | undefined
  /** Beside the line of the cost before. */
  readonly note?: string | undefined
}) {
  const { curve, isOld, now, best, least, note } = props
  const { t, format } = useView('timeline')
  const id = useId()
  const { path, area, before, isPriced, yOf } = curve
  const { width, height } = CURVE_BOX
  const styleOf = ({ place, value }: PlaceOnCurve) => ({
    left: `${place * 100}%`,
    top: `${Math.min(100, Math.max(0, yOf(value)))}%`,
  })
  // What no choice of moves goes below is never above the curve; far below, it stands at the edge.
  const floor = isPriced && least !== undefined ? Math.min(LOWEST, yOf(least)) : undefined
  const besideLine = `max-w-1/2 truncate ${before.y > 50 ? '-translate-y-full -mt-1' : 'mt-1'}`
  const parts = [
    { name: 'more', y: 0, height: before.y, line: 'stroke-warn', fill: 'fill-warn/12' },
    {
      name: 'less',
      y: before.y,
      height: height - before.y,
      line: 'stroke-good',
      fill: 'fill-good/12',
    },
  ]
  const unmasked = isPriced ? format.money(before.value) : format.shortNumber(before.value)
  const label = (top: number, className: string, text: string) => (
    <span
      aria-hidden
      className={`absolute bg-paper/80 text-xs leading-none ${className}`}
      style={{ top: `${top}%` }}
    >
      {text}
    </span>
  )
  return (
    <div className={`pointer-events-none relative h-(--curve) ${isOld ? 'faded' : ''}`}>
      <svg
        aria-hidden
        data-picture="curve"
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        className="block size-full fill-none [&_path]:[vector-effect:non-scaling-stroke]"
      >
        {parts.map((part) => (
          <g key={part.name} clipPath={`url(#${id}${part.name})`}>
            <clipPath id={`${id}${part.name}`}>
              <rect x="0" y={part.y} width={width} height={part.height} />
            </clipPath>
            <path d={area} className={part.fill} />
            <path d={path} className={part.line} strokeWidth="1.5" />
          </g>
        ))}
        <path
          d={`M0 ${before.y}H${width}`}
          strokeDasharray="2 3"
          className="stroke-faint"
          strokeWidth="1"
        />
        {floor !== undefined && (
          <path d={`M0 ${floor}H${width}`} className="stroke-good" strokeWidth="1" />
        )}
      </svg>
      {floor !== undefined &&
        label(
          floor,
          '-translate-y-full left-44 px-1 text-good max-sm:hidden',
          t('least', { value: format.money(least) }),
        )}
      {label(before.y, `left-0 pr-1 text-faint ${besideLine}`, t('unmasked', { value: unmasked }))}
      {note !== undefined && label(before.y, `right-0 pl-1 text-soft ${besideLine}`, note)}
      {best !== undefined && (
        <span className="-ml-1 -mt-1 absolute size-2 rounded-full bg-good" style={styleOf(best)} />
      )}
      {now !== undefined && (
        <span
          className="-ml-[5px] -mt-[5px] absolute size-2.5 rounded-full border-2 border-ink bg-paper"
          style={styleOf(now)}
        />
      )}
    </div>
  )
}
