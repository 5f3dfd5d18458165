/** Later uses of the shown session, and those that the current policy loses. */
import type { LaterUse } from '@/lib/core/uses/find-later-uses'
import type { LosableUse } from '@/lib/core/uses/lost-uses'
import { sessionIndexOf } from '../costs/shown-session'
import { lostUsesOf } from '../policy/policy-view'
import { answerTo, memoize, select } from '../select'
import type { PlaygroundState } from '../store'

/** The input of the job that finds the later uses; undefined until the document is counted. */
export const laterUsesInputOf = select(
  [({ read }) => read?.source.id, sessionIndexOf],
  (document, session) => ({ document, session }),
)

/** All later uses of the shown session; undefined until the worker answers. */
export const laterUsesOf = answerTo<'findLaterUses'>(laterUsesInputOf)

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
