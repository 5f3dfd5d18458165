import type { CostBand } from './misses/cost-band'
import { type BreakEven, breakEven } from './recommend'
import type { Replay, ReplayedRequest } from './replay'

/** One request of a replay. */
export interface RequestFigures {
  readonly index: number
  readonly count: number
  readonly replayed: ReplayedRequest
  /** Index of the first message that differs from the previous request; undefined if that is a prefix of this one. */
  readonly firstChanged: number | undefined
}

/** What a page shows of a replay besides its table. It has the same size for every session. */
export interface ReplayFigures extends Pick<Replay, 'before' | 'after' | 'outputTokens'> {
  readonly requestCount: number
  /** Number of requests in which masking changes a message of the previous request. */
  readonly prefixBreaks: number
  /** With this model's caching. */
  readonly breakEven: BreakEven
  /** The request asked for; undefined if there is none. */
  readonly request: RequestFigures | undefined
  /** The cost with misses; undefined if a price is unknown or nothing is cached. */
  readonly band: CostBand | undefined
}

/** The figures of a replay, with those of one request. */
export function replayFigures(replay: Replay, request?: number, band?: CostBand): ReplayFigures {
  const { requests, before, after, outputTokens } = replay
  const firstChangedOf = (index: number): number | undefined => {
    const firstChanged = requests[index]?.firstChanged
    const endBefore = requests[index - 1]?.request.end ?? 0
    return firstChanged !== undefined && firstChanged < endBefore ? firstChanged : undefined
  }
  let prefixBreaks = 0
  for (let index = 0; index < requests.length; index++)
    if (firstChangedOf(index) !== undefined) prefixBreaks++
  const replayed = request === undefined ? undefined : requests[request]
  return {
    before,
    after,
    outputTokens,
    requestCount: requests.length,
    prefixBreaks,
    breakEven: breakEven(replay, 'cached'),
    band,
    request:
      request === undefined || replayed === undefined
        ? undefined
        : {
            index: request,
            count: requests.length,
            replayed,
            firstChanged: firstChangedOf(request),
          },
  }
}
