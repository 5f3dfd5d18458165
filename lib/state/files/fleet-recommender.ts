import { isSameList } from '@/lib/core/conversation/same-list'
import type { AdviceSettings } from '@/lib/core/replay/recommend'
import type { Playground } from '../playground'
import { sessionsOf, shownFilesOf } from './file-list-rows'
import type { createFileListStore } from './file-list-store'
import type { createFileListWorkers } from './file-list-workers'

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
