'use client'

import { useMemo, useRef, useState } from 'react'
import { shownFilesOf } from '@/lib/state/files/file-list-rows'
import { listedSessionsOf } from '@/lib/state/files/fleet-sessions'
import { useDeferredState, useFileListState } from '../playground-context'
import { ChartReader } from '../ui/chart-reader'
import { useWidth } from '../ui/use-width'
import { describeSession, sessionsChart, useFleetTexts } from './fleet-texts'
import { MarkSwatch, ScatterChart } from './scatter-chart'

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
        {width > 0 && (
          <ScatterChart chart={chart} width={width} height={HEIGHT} at={at} onPoint={setPointed} />
        )}
      </ChartReader>
      <p className="wrap-anywhere mt-1 min-h-9 text-soft text-sm lg:min-h-5" aria-hidden>
        {at === undefined ? t('chart.hint') : reading}
      </p>
    </section>
  )
}
