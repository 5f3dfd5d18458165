/** Later uses of the shown session, and those that the current policy loses. */
import type { PreparedReplay } from '@/lib/core/replay/prepare-replay'
import type { Session } from '@/lib/core/replay/sessions'
import type { LaterUse } from '@/lib/core/uses/find-later-uses'
import { type LosableUse, losableUses, lostUsesAt } from '@/lib/core/uses/lost-uses'
import { preparedReplayOf } from '../costs/session-replay'
import { sessionIndexOf, sessionOf } from '../costs/shown-session'
import { memoize } from '../memoize'
import type { PlaygroundState } from '../store'

const laterUsesJob = memoize((document: number, session: number) => ({
  key: JSON.stringify(['laterUses', document, session]),
  input: { document, session },
}))

/** The job that finds the later uses; undefined until the document is counted. */
export function laterUsesJobOf(state: PlaygroundState) {
  const session = sessionIndexOf(state)
  if (state.read === undefined || session === undefined) return undefined
  return laterUsesJob(state.read.source.id, session)
}

/** All later uses of the shown session; undefined until the worker answers. */
export function laterUsesOf(state: PlaygroundState): readonly LaterUse[] | undefined {
  const { laterUses } = state
  return laterUses !== undefined && laterUses.key === laterUsesJobOf(state)?.key
    ? laterUses.answer
    : undefined
}

const losable = memoize(
  (uses: readonly LaterUse[], prepared: PreparedReplay, template: string, session: Session) =>
    losableUses(uses, prepared, { template, resultTokens: session.counts.results }),
)

const lostAt = memoize(
  (found: readonly LosableUse[], windowTurns: number, batchTurns: number): readonly LosableUse[] =>
    lostUsesAt(found, { windowTurns, batchTurns }),
)

/** The uses that the current policy loses; undefined until they are found and the replay is prepared. */
export function lostUsesOf(state: PlaygroundState): readonly LosableUse[] | undefined {
  const uses = laterUsesOf(state)
  const prepared = preparedReplayOf(state)
  const session = sessionOf(state)
  if (uses === undefined || prepared === undefined || session === undefined) return undefined
  const { enabled, windowTurns, batchTurns, placeholderTemplate } = state.policy
  const found = losable(uses, prepared, placeholderTemplate, session)
  return lostAt(found, enabled ? windowTurns : 0, batchTurns)
}
