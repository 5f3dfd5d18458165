import { isSameList } from '@/lib/core/conversation/same-list'
import type { Jobs } from '@/lib/worker/jobs'
import type { Playground } from '../playground'
import { sessionsOf, shownFilesOf } from './file-list-rows'
import type { createFileListStore, createFileListWorkers } from './file-list-store'

/** Keeps the setting for all sessions shown. Returns what is called when they may have changed. */
export function createFleetRecommender(
  { getState: get, setState: set }: ReturnType<typeof createFileListStore>,
  workers: Pick<ReturnType<typeof createFileListWorkers>, 'run'>,
  playground: Playground,
) {
  let last: Jobs['recommendFleet']['input'] | undefined
  return async (): Promise<void> => {
    const { advice } = playground.store.getState()
    const files = shownFilesOf({ ...get(), sorting: undefined })
    const job = { sums: sessionsOf(files).map(({ sums }) => sums), advice }
    // The window plays no part in the sums, so applying a setting changes nothing here.
    if (last?.advice === advice && isSameList(last.sums, job.sums)) return
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
  }
}
