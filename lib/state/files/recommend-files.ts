/** The prices of listed files, and one setting for all their sessions. */
import { loadPriceBook, type PriceBook } from '@/lib/core/replay/price-book'
import type { AdviceSettings } from '@/lib/core/replay/recommend'
import type { FileCosts, NeedsCosts } from '@/lib/worker/file-jobs'
import { costsOfFile } from '../costs/cost-terms'
import type { Playground } from '../playground'
import { sessionsOf, shownFilesOf } from './file-list-rows'
import type { createFileListStore } from './file-list-store'
import type { createFileListWorkers } from './file-list-workers'

/** Returns a function that gives a file the model and prices that the page would give it. */
export function createFileCosts({ store }: Playground) {
  let priceBook: Promise<PriceBook> | undefined
  return async (needs: NeedsCosts): Promise<FileCosts> => {
    priceBook ??= loadPriceBook(new Date().toISOString().slice(0, 10))
    return costsOfFile(store.getState(), await priceBook, needs)
  }
}

interface Recommended {
  readonly sums: readonly string[]
  readonly advice: AdviceSettings
}

/** Keeps the setting for all sessions shown; `renew` is called when they may have changed. */
export function createFleetRecommender(
  { getState: get, setState: set }: ReturnType<typeof createFileListStore>,
  workers: Pick<ReturnType<typeof createFileListWorkers>, 'recommend'>,
  playground: Playground,
) {
  let last: Recommended | undefined
  const isLast = ({ sums, advice }: Recommended) =>
    last?.advice === advice &&
    last.sums.length === sums.length &&
    last.sums.every((one, at) => one === sums[at])

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
        const fleet = await workers.recommend(job.sums, advice)
        if (last !== job) return
        if (fleet === undefined) last = undefined
        set({ fleet: fleet === undefined ? { state: 'none' } : { state: 'done', fleet } })
      } catch {
        if (last === job) set({ fleet: { state: 'failed' } })
      }
    },
  }
}
