'use client'

import { type PointerEvent, useMemo, useRef, useState } from 'react'
import { type MarkKind, markPath, type ScatterChart } from '@/lib/core/report/scatter-layout'
import { shownFilesOf } from '@/lib/state/files/file-list-rows'
import { listedSessionsOf } from '@/lib/state/files/fleet-sessions'
import { Mark, PAGE_COLOURS, Scatter, scatterLayout } from '../cost/drawer/report/charts'
import { useDeferredState, useFileListState } from '../playground-context'
import { ChartReader } from '../ui/chart-reader'
import { useWidth } from '../ui/use-width'
import { describeSession, sessionsChart, useFleetTexts } from './fleet-texts'

const HEIGHT = 200

/** Each session's cost before and after masking with the policy in use; the table of files has the same figures. */
export function FleetChart() {
  const texts = useFleetTexts()
  const { t } = texts
  const box = useRef<HTMLDivElement>(null)
  const width = useWidth(box)
  const policy = useDeferredState((state) => state.policy)
  const files = useFileListState((state) => state.files)
  const filter = useFileListState((state) => state.filter)
  const isRenewing = useFileListState(({ work }) => work !== undefined)
  const { sessions } = listedSessionsOf(shownFilesOf({ files, filter, sorting: undefined }))
  // The arrow keys go from left to right.
  const order = useMemo(
    () => sessions.toSorted((one, other) => one.before - other.before),
    [sessions],
  )
  const chart = useMemo(() => sessionsChart(texts, order, policy), [texts, order, policy])
  const last = sessions.length - 1
  const [pointed, setPointed] = useState<number>()
  const at = pointed === undefined ? undefined : Math.min(pointed, last)
  const session = order[at ?? last]
  if (session === undefined) return null
  const reading = describeSession(texts, session)
  return (
    <section aria-label={chart.title} aria-busy={isRenewing} className={isRenewing ? 'faded' : ''}>
      <h3 className="font-medium">{chart.title}</h3>
      <p className="flex flex-wrap gap-x-4">
        {chart.legend.map(({ kind, label }) => (
          <span key={kind} className="text-soft text-sm">
            <MarkSwatch kind={kind} /> {label}
          </span>
        ))}
      </p>
      <ChartReader
        ref={box}
        label={t('chart.reader')}
        keys={t('chart.keys')}
        text={reading}
        at={at}
        last={last}
        onPlace={setPointed}
        className="mt-1 rounded-sm outline-offset-4"
        style={{ minHeight: HEIGHT }}
      >
        {width > 0 && <SessionScatter chart={chart} width={width} at={at} onPoint={setPointed} />}
      </ChartReader>
      <p className="wrap-anywhere mt-1 min-h-9 text-soft text-sm lg:min-h-5" aria-hidden>
        {at === undefined ? t('chart.hint') : reading}
      </p>
    </section>
  )
}

/** A mark as in the chart, for its legend. */
function MarkSwatch({ kind }: { readonly kind: MarkKind }) {
  return (
    <svg width={11} height={11} aria-hidden className="inline-block align-[-1px]">
      <Mark path={markPath({ x: 5.5, y: 6, kind })} kind={kind} colours={PAGE_COLOURS} />
    </svg>
  )
}

interface SessionScatterProps {
  readonly chart: ScatterChart
  readonly width: number
  /** Index of the selected point. */
  readonly at: number | undefined
  readonly onPoint: (at: number | undefined) => void
}

function SessionScatter({ chart, width, at, onPoint }: SessionScatterProps) {
  const layout = useMemo(() => scatterLayout(chart, width, HEIGHT), [chart, width])
  const onPointer = (event: PointerEvent<SVGSVGElement>) => {
    const { left, top } = event.currentTarget.getBoundingClientRect()
    onPoint(layout.nearestTo(event.clientX - left, event.clientY - top))
  }
  return (
    <svg
      width={width}
      height={HEIGHT}
      aria-hidden
      className="block touch-pan-y text-xs"
      onPointerMove={onPointer}
      onPointerDown={onPointer}
      onPointerLeave={() => onPoint(undefined)}
    >
      <Scatter chart={chart} layout={layout} colours={PAGE_COLOURS} at={at} />
    </svg>
  )
}
