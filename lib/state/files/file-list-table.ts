import { isSameList } from '@/lib/core/conversation/same-list'
import type { Problem } from '@/lib/core/problem'
import type { AdviceSettings, Recommendation } from '@/lib/core/replay/recommend'
import { csvText } from '@/lib/core/report/escape-text'
import type { Playground } from '../playground'
import {
  FIGURES,
  figureOf,
  figureOfRow,
  fileListTotalsOf,
  sessionsOf,
  shownFilesOf,
} from './file-list-rows'
import { COLUMNS, type createFileListStore, type FileListState } from './file-list-store'
import type { createFileListWorkers } from './file-list-workers'

type Cell = string | number | undefined

/**
 * The shown table: one line per file and a last line `all`, with unrounded numbers. The last column has a file's
 * problem; before it, the table of costs has the recommended setting.
 */
export function fileListCsv(
  state: FileListState,
  /** Describes a problem in English, of which the page does not load the words at first. */
  sentenceOf: (problem: Problem) => string,
): string {
  const columns = COLUMNS[state.view]
  const all = fileListTotalsOf(state).row
  const setting = (recommendation: Recommendation | undefined): Cell[] => {
    if (state.view === 'request') return []
    const point = recommendation?.state === 'mask' ? recommendation.point : undefined
    return [point?.windowTurns, point?.batchTurns]
  }
  const rows: Cell[][] = [
    [
      ...columns.map((column) => (column === 'name' ? 'file' : FIGURES[column][0])),
      ...(state.view === 'request' ? [] : ['recommended_window', 'recommended_batch']),
      'not_read_because',
    ],
    ...shownFilesOf(state).map((file) => [
      ...columns.map((column) => figureOf(file, column)),
      ...setting(file.state.state === 'measured' ? file.state.measure.recommendation : undefined),
      file.state.state === 'failed' ? sentenceOf(file.state.problem) : undefined,
    ]),
    columns.map((column) => (column === 'name' ? 'all' : figureOfRow(all, column))),
  ]
  return csvText(rows)
}

interface Recommended {
  readonly sums: readonly string[]
  readonly advice: AdviceSettings
}

/** Keeps the setting for all sessions shown; `renew` is called when they may have changed. */
export function createFleetRecommender(
  { getState: get, setState: set }: ReturnType<typeof createFileListStore>,
  workers: Pick<ReturnType<typeof createFileListWorkers>, 'run'>,
  playground: Playground,
) {
  let last: Recommended | undefined
  const isLast = ({ sums, advice }: Recommended) =>
    last?.advice === advice && isSameList(last.sums, sums)

  return {
    renew: async (): Promise<void> => {
      const { advice } = playground.store.getState()
      const files = shownFilesOf({ ...get(), sorting: undefined })
      const job = { sums: sessionsOf(files).map(({ sums }) => sums), advice }
      // The window plays no part in the sums, so applying a setting changes nothing here.
      if (isLast(job)) return
      last = job
      if (job.sums.length === 0) return set({ fleet: { state: 'none' } })
      set({ fleet: { state: 'working' } })
      try {
        const fleet = await workers.run('recommendFleet', job)
        if (last !== job) return
        if (fleet === undefined) last = undefined
        set({ fleet: fleet === undefined ? { state: 'none' } : { state: 'done', fleet } })
      } catch {
        if (last === job) set({ fleet: { state: 'failed' } })
      }
    },
  }
}
