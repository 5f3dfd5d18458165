/** The sessions of the files shown, each with its costs under the policy in use, and their CSV. */
import type { SessionCosts } from '@/lib/core/fleet/recommend-fleet'
import { csvTable } from '@/lib/core/report/escape-text'
import type { FileMeasure, SessionMeasure } from '@/lib/worker/file-sessions'
import type { Jobs } from '@/lib/worker/jobs'
import { memoize } from '../store'
import { commonFolderOf, isStale } from './file-list-rows'
import type { FileListState, ListedFile } from './file-list-store'

/** With caching, answers included. */
export interface ListedSession extends SessionCosts, Pick<FileMeasure, 'model' | 'modelId'> {
  /** From 1, in the order of the files. */
  readonly number: number
  /** True if its file has others. */
  readonly isOneOfSeveral: boolean
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
  const { recommendation } = sum
  return {
    ...sum,
    comparison,
    /** Undefined if masking is not recommended. */
    point: recommendation.state === 'mask' ? recommendation.point : undefined,
  }
})

/** False while files are read or added up under the policy in use. */
export function isCsvReady(list: FileListState, key: string): boolean {
  const isRead = list.fleet.state === 'done' && list.work === undefined
  return isRead && !list.files.some((file) => isStale(file, key))
}

/** A line for each session, with unrounded numbers; costs include answers. Names are left out unless asked for. */
export function sessionsCsv(sessions: readonly ListedSession[], hasNames: boolean): string {
  const pointOf = ({ measure: { recommendation: own } }: ListedSession) =>
    own.state === 'mask' ? own.point : undefined
  return csvTable<ListedSession>(sessions, {
    session: ({ number }) => number,
    ...(hasNames && {
      file: ({ file }) => file,
      conversation: ({ conversation }) => conversation + 1,
    }),
    model: ({ model }) => model,
    turns: ({ measure }) => measure.turns,
    requests: ({ measure }) => measure.requests,
    session_cost_before: ({ measure }) => measure.plain.before,
    session_cost_after: ({ measure }) => measure.plain.after,
    session_cost_cached_before: ({ before }) => before,
    session_cost_cached_after: ({ after }) => after,
    session_cost_cached_after_refetch: ({ worst }) => worst,
    lost_uses: ({ measure }) => measure.lostUses,
    recommended_window: (session) => pointOf(session)?.windowTurns,
    recommended_batch: (session) => pointOf(session)?.batchTurns,
  })
}
