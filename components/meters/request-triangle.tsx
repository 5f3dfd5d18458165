import { useEffect, useMemo, useRef, useState } from 'react'
import { batchNumber } from '@/lib/core/policy/policy'
import { requestTriangle, type SquareKind } from '@/lib/core/replay/request-triangle'
import { bestPointOf } from '@/lib/state/costs/session-advice'
import { preparedReplayOf, windowOf } from '@/lib/state/policy/policy-view'
import { useDeferredState, useView } from '../playground-context'
import { SegmentedControl } from '../ui/segmented-control'

const MOST = 120
const FILLS: Readonly<Record<SquareKind, string>> = {
  sent: 'fill-line',
  masked: 'fill-accent/45',
  again: 'fill-bad forced-colors:fill-[Mark]',
}
const KINDS = Object.keys(FILLS) as SquareKind[]
const MILLISECONDS_BEFORE = 900

/**
 * The requests of the session over its results: first with a window that moves every turn, then with the recommended step,
 * or the one in use, under which fewer results are paid for again.
 */
export function SessionTriangle() {
  const { t, format } = useView('verdict.details.triangle')
  const prepared = useDeferredState(preparedReplayOf)
  const best = useDeferredState(bestPointOf)
  const current = useDeferredState(windowOf)
  const [isSet, setSet] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const shown = best ?? current
  const window = shown?.windowTurns ?? 0
  const batch = shown?.batchTurns ?? 1
  const triangles = useMemo(
    () =>
      prepared &&
      window > 0 && {
        every: requestTriangle(prepared, { windowTurns: window, batchTurns: 1 }, MOST),
        set: requestTriangle(prepared, { windowTurns: window, batchTurns: batch }, MOST),
      },
    [prepared, window, batch],
  )
  useEffect(() => {
    const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches
    timer.current = setTimeout(setSet, isCalm ? 0 : MILLISECONDS_BEFORE, true)
    return () => clearTimeout(timer.current)
  }, [])
  if (!triangles || batch === 1 || triangles.every.columns === 0) return null
  const { every, set } = triangles
  const value = isSet ? 'set' : 'every'
  return (
    <figure>
      <figcaption className="mb-1.5">
        {t('caption', {
          every: format.shortNumber(every.tokensAgain),
          set: format.shortNumber(set.tokensAgain),
          batch: batchNumber({ batchTurns: batch }),
        })}
      </figcaption>
      <SegmentedControl
        label={t('label')}
        kind="quiet"
        value={value}
        options={(['every', 'set'] as const).map((one) => ({
          value: one,
          label: t(one, { batch: batchNumber({ batchTurns: batch }) }),
        }))}
        onValueChange={(next) => {
          clearTimeout(timer.current)
          setSet(next === 'set')
        }}
      />
      <svg
        role="img"
        aria-label={t('picture', { tokens: format.shortNumber((isSet ? set : every).tokensAgain) })}
        viewBox={`0 0 ${every.columns} ${every.rows}`}
        preserveAspectRatio="none"
        className="mt-1.5 block h-44 w-full"
      >
        <Squares triangle={every} isShown={!isSet} />
        <Squares triangle={set} isShown={isSet} />
      </svg>
      <ul className="mt-1 flex flex-wrap gap-x-4 text-soft">
        {KINDS.map((kind) => (
          <li key={kind} className="flex items-center gap-1.5">
            <svg aria-hidden className="size-2.5">
              <rect width="100%" height="100%" className={FILLS[kind]} />
            </svg>
            {t(`kinds.${kind}`)}
          </li>
        ))}
      </ul>
    </figure>
  )
}

function Squares(props: { triangle: ReturnType<typeof requestTriangle>; isShown: boolean }) {
  const { triangle, isShown } = props
  const paths = useMemo(
    () =>
      KINDS.map((kind) => ({
        kind,
        path: triangle.runs
          .filter((run) => run.kind === kind)
          .map(({ row, from, to }) => `M${from} ${row}H${to}V${row + 0.85}H${from}`)
          .join(''),
      })),
    [triangle],
  )
  return (
    <g className={`transition-opacity duration-700 ${isShown ? '' : 'opacity-0'}`}>
      {paths.map(({ kind, path }) => (
        <path key={kind} d={path} className={FILLS[kind]} />
      ))}
    </g>
  )
}
