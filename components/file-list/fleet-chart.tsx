import { useMemo } from 'react'
import { type MarkKind, markPath } from '@/lib/core/report/scatter-layout'
import { shownFilesOf } from '@/lib/state/files/file-list-rows'
import { type ListedSession, listedSessionsOf } from '@/lib/state/files/fleet-sessions'
import { Mark, PAGE_COLOURS, PageChart } from '../cost/drawer/report/charts'
import { useDeferredState, useFileListState } from '../playground-context'
import { ChartReader } from '../ui/chart-reader'
import { describeSession, sessionsChart, useFleetTexts } from './fleet-texts'

const HEIGHT = 200

/** Each session's cost before and after masking with the policy in use; the table of files has the same figures. */
export function FleetChart() {
  const texts = useFleetTexts()
  const { t } = texts
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
  if (order.length === 0) return null
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
        label={t('chart.reader')}
        keys={t('chart.keys')}
        hint={t('chart.hint')}
        read={(at) => describeSession(texts, order[at] as ListedSession)}
        last={order.length - 1}
        className="mt-1"
        style={{ minHeight: HEIGHT }}
        noteClass="wrap-anywhere lg:min-h-5"
      >
        {(place) => <PageChart {...place} chart={chart} height={HEIGHT} />}
      </ChartReader>
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
