/** Later uses of the shown session, and those that the current policy loses. */
import type { LaterUse } from '@/lib/core/uses/find-later-uses'
import { type LosableUse, lostUsesAt } from '@/lib/core/uses/lost-uses'
import { losableUsesOf } from '../costs/session-replay'
import { sessionIndexOf } from '../costs/shown-session'
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

const lostAt = memoize(
  (found: readonly LosableUse[], windowTurns: number, batchTurns: number): readonly LosableUse[] =>
    lostUsesAt(found, { windowTurns, batchTurns }),
)

/** The uses that the current policy loses. */
export function lostUsesOf(state: PlaygroundState): readonly LosableUse[] | undefined {
  const found = losableUsesOf(state)
  const { enabled, windowTurns, batchTurns } = state.policy
  return found && lostAt(found, enabled ? windowTurns : 0, batchTurns)
}

/** A later use, and whether the current policy loses it. */
export interface ShownUse {
  readonly use: LaterUse
  readonly isLost: boolean
}

export interface UsesByPlace {
  /** By result. */
  readonly ofResult: ReadonlyMap<number, readonly ShownUse[]>
  /** By message of the answer. */
  readonly ofAnswer: ReadonlyMap<number, readonly ShownUse[]>
}

const byPlace = memoize((uses: readonly LaterUse[], lost: readonly LosableUse[]): UsesByPlace => {
  const lostUses = new Set(lost.map(({ use }) => use))
  const ofResult = new Map<number, ShownUse[]>()
  const ofAnswer = new Map<number, ShownUse[]>()
  const add = (map: Map<number, ShownUse[]>, key: number, shown: ShownUse) => {
    const known = map.get(key)
    if (known === undefined) map.set(key, [shown])
    else known.push(shown)
  }
  for (const [index, use] of uses.entries()) {
    const shown = { use, isLost: lostUses.has(index) }
    add(ofResult, use.result, shown)
    add(ofAnswer, use.message, shown)
  }
  return { ofResult, ofAnswer }
})

/** The later uses by both of their places; undefined until they are found. */
export function usesByPlaceOf(state: PlaygroundState): UsesByPlace | undefined {
  const uses = laterUsesOf(state)
  const lost = lostUsesOf(state)
  return uses && lost && byPlace(uses, lost)
}
