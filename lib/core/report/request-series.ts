/** The values of the charts of a session: one number for each request, before and after masking. */
import type { Tokens, Usd } from '../replay/units'
import type { ReplayFigures } from './report-facts'

export type Side = 'before' | 'after'

/** One number for each request, before and after masking; undefined where unknown. */
export type RequestSeries = Readonly<Record<Side, readonly (number | undefined)[]>>

type Requests = Pick<ReplayFigures, 'requests'>

/** The cumulative cost of input, with or without caching. It is unknown from the first request with an unknown price on. */
export function costSeries({ requests }: Requests, caching: 'plain' | 'cached'): RequestSeries {
  const sumsOf = (side: Side): (Usd | undefined)[] => {
    let total: Usd | undefined = 0
    return requests.map((request) => {
      const cost = request[side].costs[caching]
      total = total === undefined || cost === undefined ? undefined : total + cost
      return total
    })
  }
  return { before: sumsOf('before'), after: sumsOf('after') }
}

/** Input tokens of each request. */
export function tokenSeries({ requests }: Requests): RequestSeries {
  const tokensOf = (side: Side) => requests.map((request) => request[side].tokens)
  return { before: tokensOf('before'), after: tokensOf('after') }
}

/** Index of the first request that is longer than the context window, before and after masking; undefined if none is. */
export function firstOverflow(
  { requests }: Requests,
  contextTokens: Tokens,
): Readonly<Record<Side, number | undefined>> {
  const firstOf = (side: Side) => {
    const index = requests.findIndex((request) => request[side].tokens > contextTokens)
    return index === -1 ? undefined : index
  }
  return { before: firstOf('before'), after: firstOf('after') }
}
