/** The contents of the report on all sessions shown, as numbers and states. */
import { compareSessions } from '@/lib/core/fleet/recommend-fleet'
import { csvTable } from '@/lib/core/report/escape-text'
import { writtenPolicy } from '@/lib/core/report/report-facts'
import { modelFactsOf, termsOfNamedModel } from '../costs/cost-terms'
import { sumOf } from '../document/conversation-rows'
import { isWindowSet } from '../policy/policy-facts'
import type { PlaygroundState } from '../store'
import { shownFilesOf, termsKeyOf } from './file-list-rows'
import type { FileListState } from './file-list-store'
import { fleetFactsOf, type ListedSession, listedSessionsOf } from './fleet-sessions'

export type FleetReportFacts = NonNullable<ReturnType<typeof fleetReportOf>>

/** Undefined while files are read or added up. */
export function fleetReportOf(
  list: FileListState,
  state: PlaygroundState,
  { day, hasNames }: { readonly day: string; readonly hasNames: boolean },
) {
  const { policy, priceBook } = state
  const files = shownFilesOf({ ...list, sorting: undefined })
  if (!isReportReady(list, state) || list.fleet.state !== 'done' || priceBook === undefined)
    return undefined
  const fleet = fleetFactsOf(list.fleet.fleet)
  const { sessions } = listedSessionsOf(files)
  const sum = (of: (session: ListedSession) => number) =>
    sessions.reduce((total, session) => total + of(session), 0)
  const modelIds = [...new Set(sessions.map(({ modelId }) => modelId))]
  return {
    day,
    hasNames,
    ...writtenPolicy(policy, hasNames),
    files: files.filter((file) => file.state.state === 'measured').length,
    /** Those with a known price. */
    sessions,
    requests: sum(({ measure }) => measure.requests),
    /** What the policy in use does to them; undefined without sessions. */
    comparison: sessions.length === 0 ? undefined : compareSessions(sessions),
    /** Answers included. */
    cached: { before: sum(({ before }) => before), after: sum(({ after }) => after) },
    plain: {
      before: sumOf(sessions.map(({ measure }) => measure.plain.before)),
      after: sumOf(sessions.map(({ measure }) => measure.plain.after)),
    },
    /** With caching, if everything lost is fetched again. */
    worst: sum(({ worst }) => worst),
    fleet,
    isRecommended: isWindowSet(policy, fleet.point),
    models: modelIds.map((modelId) => ({
      ...modelFactsOf(termsOfNamedModel(state, priceBook, modelId), priceBook),
      sessions: sessions.filter((session) => session.modelId === modelId).length,
    })),
  }
}

/** False while files are read or added up under the policy in use. */
export function isReportReady(list: FileListState, state: PlaygroundState): boolean {
  const key = termsKeyOf(state)
  const isStale = list.files.some(
    (file) => file.state.state === 'measured' && file.state.key !== key,
  )
  return (
    list.fleet.state === 'done' &&
    list.work === undefined &&
    !isStale &&
    state.priceBook !== undefined
  )
}

/** A line for each session, with unrounded numbers; costs include answers. */
export function fleetCsv({ sessions, hasNames }: FleetReportFacts): string {
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
