/** The sessions of the files shown, each with its costs under the policy in use, for the chart and the report. */
import type { SessionCosts } from '@/lib/core/fleet/recommend-fleet'
import { sessionCost } from '@/lib/core/replay/recommend'
import type { SessionMeasure } from '@/lib/worker/file-sessions'
import type { Jobs } from '@/lib/worker/jobs'
import { memoize } from '../select'
import { commonFolderOf } from './file-list-rows'
import type { ListedFile } from './file-list-store'

/** With caching, answers included. */
export interface ListedSession extends SessionCosts {
  /** From 1, in the order of the files. */
  readonly number: number
  /** True if its file has others. */
  readonly isOneOfSeveral: boolean
  readonly model: string
  readonly modelId: string
  readonly measure: SessionMeasure
}

/** The names are without the folder that all files have in common. */
export const listedSessionsOf = memoize((files: readonly ListedFile[]) => {
  const folder = commonFolderOf(files)
  const sessions: ListedSession[] = []
  let number = 0
  for (const { id, name, state } of files) {
    if (state.state !== 'measured') continue
    const { model, modelId, sessions: own } = state.measure
    for (const measure of own) {
      number++
      const { before, after } = measure.cached
      if (before === undefined || after === undefined || measure.again === undefined) continue
      sessions.push({
        id: `${id}-${measure.conversation}`,
        file: name.slice(folder.length),
        conversation: measure.conversation,
        before,
        after,
        worst: after + measure.again,
        number,
        isOneOfSeveral: own.length > 1,
        model,
        modelId,
        measure,
      })
    }
  }
  // Sessions with an unknown price are left out.
  return { sessions, unpriced: number - sessions.length }
})

export type FleetFacts = ReturnType<typeof fleetFactsOf>

export const fleetFactsOf = memoize(({ sum, comparison }: Jobs['recommendFleet']['output']) => {
  const before = sessionCost(sum.swept.before)
  const { recommendation } = sum
  return {
    ...sum,
    comparison,
    /** Undefined if masking is not recommended. */
    point: recommendation.state === 'mask' ? recommendation.point : undefined,
    /** The share that each session's own cheapest setting saves, everything lost fetched again; undefined without costs. */
    savedByOwn: before ? (before - sum.ownWorstCost) / before : undefined,
  }
})
