import type { loadPriceBook } from '@/lib/core/replay/price-book'
import type { Sweep } from '@/lib/core/replay/sweep'
import type { LaterUse } from '@/lib/core/uses/find-later-uses'
import type { LosableUse } from '@/lib/core/uses/lost-uses'
import type { Jobs, PreparedReplayWithoutSession, RunJob, TokensByResult } from '@/lib/worker/jobs'
import { createJobScheduler, type ScheduledJob, scheduledJob } from '../job-scheduler'
import { pinnedJobsOf } from '../policy/comparison'
import type { PlaygroundState, PlaygroundStore } from '../store'
import { laterUsesJobOf } from '../uses/later-uses'
import { bookOf } from './chosen-model'
import { losableUsesJobOf, prepareReplayJobOf, replayJobOf, sweepJobOf } from './session-replay'

/** Loads the price list once a counted document needs it, or when called, and asks the worker for prepared replays and sweeps that the store lacks. */
export function watchCosts(
  store: PlaygroundStore,
  run: RunJob,
  loadPrices: typeof loadPriceBook,
): () => void {
  const { getState: get, setState: set } = store

  /** The jobs that only the pinned policy needs. */
  const pinnedJobs = (state: PlaygroundState): ScheduledJob[] => {
    const { placeholders, prepareReplay } = pinnedJobsOf(state)
    const setPinned = (answers: PlaygroundState['pinnedAnswers']) =>
      set(({ pinnedAnswers }) => ({ pinnedAnswers: { ...pinnedAnswers, ...answers } }))
    const jobs: ScheduledJob[] = []
    if (placeholders !== undefined) {
      const { document: source, template } = placeholders
      const key = JSON.stringify(['placeholders', source, template])
      const store = (tokens: TokensByResult) =>
        setPinned({ placeholders: { source, template, tokens } })
      jobs.push(scheduledJob(run, key, 'countPlaceholders', placeholders, store))
    }
    if (prepareReplay !== undefined) {
      const { key, input } = prepareReplay
      const store = (answer: PreparedReplayWithoutSession) =>
        setPinned({ preparedReplay: { key, answer } })
      jobs.push(scheduledJob(run, key, 'prepareReplay', input, store))
    }
    return jobs
  }

  const laterUsesJobs = (state: PlaygroundState): ScheduledJob[] => {
    const job = laterUsesJobOf(state)
    if (job === undefined || state.laterUses?.key === job.key) return []
    const { key, input } = job
    const store = (answer: readonly LaterUse[]) => set({ laterUses: { key, answer } })
    return [scheduledJob(run, key, 'findLaterUses', input, store)]
  }

  const losableUsesJobs = (state: PlaygroundState): ScheduledJob[] => {
    const job = losableUsesJobOf(state)
    if (job === undefined || state.losableUses?.key === job.key) return []
    const { key, input } = job
    const store = (answer: readonly LosableUse[]) => set({ losableUses: { key, answer } })
    return [scheduledJob(run, key, 'losableUses', input, store)]
  }

  const sweepJobs = (state: PlaygroundState): ScheduledJob[] => {
    const job = sweepJobOf(state)
    if (job === undefined || state.sweep?.key === job.key) return []
    const { key, input } = job
    const store = (answer: Sweep) => set({ sweep: { key, answer } })
    return [scheduledJob(run, key, 'sweep', input, store)]
  }

  const schedule = createJobScheduler({
    retryOn: () => get().counted,
    needed: () => {
      const state = get()
      const job = prepareReplayJobOf(state)
      if (job === undefined) return []
      const { key, input } = job
      if (state.preparedReplay?.key !== key) {
        const store = (answer: PreparedReplayWithoutSession) =>
          set({ preparedReplay: { key, answer } })
        return [scheduledJob(run, key, 'prepareReplay', input, store)]
      }
      return [
        ...laterUsesJobs(state),
        ...losableUsesJobs(state),
        ...pinnedJobs(state),
        ...sweepJobs(state),
      ]
    },
  })

  // Apart from the others, so that a step of a drag does not wait for a sweep.
  const scheduleReplay = createJobScheduler({
    retryOn: () => get().counted,
    needed: () => {
      const state = get()
      const job = replayJobOf(state)
      if (job === undefined) return []
      const { key, input } = job
      const known = state.replayFigures?.key === key ? state.replayFigures.answer : undefined
      if (known && (known.refetched !== undefined || !input.hasLosses)) return []
      const store = (answer: Jobs['replay']['output']) => set({ replayFigures: { key, answer } })
      return [scheduledJob(run, key, 'replay', input, store)]
    },
  })

  let hasPrices = false
  const loadPriceList = () => {
    if (hasPrices) return
    hasPrices = true
    void loadPrices(new Date().toISOString().slice(0, 10)).then((priceBook) => set({ priceBook }))
  }
  store.subscribe((state) => {
    if (bookOf(state) === undefined && prepareReplayJobOf(state) !== undefined) loadPriceList()
    scheduleReplay()
    schedule()
  })
  return loadPriceList
}
