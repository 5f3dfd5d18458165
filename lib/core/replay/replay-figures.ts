import type { CostBand } from './misses/cost-band'
import { breakEven } from './recommend'
import type { Replay } from './replay'

/** What a page shows of a replay besides its table. It has the same size for every session. */
export type ReplayFigures = Readonly<ReturnType<typeof replayFigures>>

/** One request of a replay. */
export type RequestFigures = NonNullable<ReplayFigures['request']>

/** The figures of a replay, with those of one request. */
export function replayFigures(replay: Replay, index?: number, band?: CostBand) {
  const { requests, before, after, outputTokens } = replay
  const firstChangedOf = (at: number): number | undefined => {
    const firstChanged = requests[at]?.firstChanged
    const endBefore = requests[at - 1]?.request.end ?? 0
    return firstChanged !== undefined && firstChanged < endBefore ? firstChanged : undefined
  }
  let prefixBreaks = 0
  for (const at of requests.keys()) if (firstChangedOf(at) !== undefined) prefixBreaks++
  const count = requests.length
  const replayed = index === undefined ? undefined : requests[index]
  return {
    before,
    after,
    outputTokens,
    requestCount: count,
    /** Number of requests in which masking changes a message of the previous request. */
    prefixBreaks,
    /** With this model's caching. */
    breakEven: breakEven(replay, 'cached'),
    /** The cost with misses; undefined if a price is unknown or nothing is cached. */
    band,
    /** The request asked for; undefined if there is none. */
    request:
      index === undefined || replayed === undefined
        ? undefined
        : {
            index,
            count,
            replayed,
            /** Index of the first message that differs from the previous request; undefined if that is a prefix of this one. */
            firstChanged: firstChangedOf(index),
          },
  }
}
