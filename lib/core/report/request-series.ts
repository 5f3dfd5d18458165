/** What a chart of a session shows: numbers by request, before and after masking. */
import type { Replay } from '../replay/replay'
import type { Tokens, Usd } from '../replay/units'

export type Side = 'before' | 'after'

/** One number for each request on both sides; undefined where it is not known. */
export type RequestSeries = Readonly<Record<Side, readonly (number | undefined)[]>>

type Requests = Pick<Replay, 'requests'>

/** Dollars of input paid so far, without a cache or with it; from the first request with an unknown price on, unknown. */
export function cumulativeCosts(
  { requests }: Requests,
  caching: 'plain' | 'cached',
): RequestSeries {
  const sumsOf = (side: Side): (Usd | undefined)[] => {
    let total: Usd | undefined = 0
    return requests.map((request) => {
      const own = request[side].costs[caching]
      total = total === undefined || own === undefined ? undefined : total + own
      return total
    })
  }
  return { before: sumsOf('before'), after: sumsOf('after') }
}

/** Input tokens of each request. */
export function requestTokens({ requests }: Requests): RequestSeries {
  const tokensOf = (side: Side) => requests.map((request) => request[side].tokens)
  return { before: tokensOf('before'), after: tokensOf('after') }
}

/** By index, the first request of each side that is longer than a model takes; undefined where none is. */
export function firstOverflow(
  { requests }: Requests,
  contextTokens: Tokens,
): Readonly<Record<Side, number | undefined>> {
  const firstOf = (side: Side) => {
    const at = requests.findIndex((request) => request[side].tokens > contextTokens)
    return at === -1 ? undefined : at
  }
  return { before: firstOf('before'), after: firstOf('after') }
}
