/**
 * The tokens of one session at every window and batch of the grid, as whole numbers by price. Sums of whole numbers are
 * exact in any order, so sessions measured on many machines add up to the same figures as on one.
 */

import { NO_WINDOW, sentResults } from '../replay/prepare-replay'
import { priceTiers, type TokenSums } from '../replay/price-sheet'
import { windowSums } from '../replay/replay'
import type { CostTerms } from '../replay/request-terms'
import { turnsOf, windowsOf } from '../replay/sweep-grid'
import { refetchSums } from '../uses/lost-uses'
import { FLEET_BATCHES, FLEET_WINDOWS, ofTokenKinds, TOKEN_KINDS, type TokenKind } from './grid'
import type { PreparedSession } from './measure-sessions'
import type { PriceBand, Rows, SessionSource, SessionSums } from './session-line'

/** Measures a session at every point of the grid. */
export function sessionSums(
  { prepared, uses, losable }: Pick<PreparedSession, 'prepared' | 'uses' | 'losable'>,
  terms: CostTerms,
  place: SessionSource & Pick<SessionSums, 'model'>,
): SessionSums {
  const sumsOf = windowSums(prepared, terms)
  const againAt = refetchSums(prepared, losable, terms)
  const turns = turnsOf(prepared)
  const bandOf = bandsOf(terms)
  const before = byBand(bandOf, sumsOf(NO_WINDOW))
  const rows = FLEET_BATCHES.map((batchTurns) =>
    windowsOf({ windows: FLEET_WINDOWS, largestWindow: turns }, batchTurns).map((windowTurns) => {
      const window = { windowTurns, batchTurns }
      const { uses: lost, results, sums } = againAt(window)
      const refetched = lost === 0 ? undefined : byBand(bandOf, sums)
      return { lost, results, after: byBand(bandOf, sumsOf(window)), refetched }
    }),
  )
  const rowsOf = (of: (point: (typeof rows)[number][number]) => number) =>
    trimmed(rows.map((row) => row.map(of)))
  return {
    ...place,
    turns,
    requests: prepared.session.requests.length,
    results: sentResults(prepared),
    maskable: prepared.maskableResults.length,
    uses: uses.length,
    lost_uses: rowsOf(({ lost }) => lost),
    lost_results: rowsOf(({ results }) => results),
    bands: before
      .map((own, index) => ({
        prices: bandOf.prices[index] as PriceBand['prices'],
        before: ofTokenKinds((kind) => own[kind]),
        saved: ofTokenKinds((kind) =>
          rowsOf(({ after }) => own[kind] - (after[index] as TokenSums)[kind]),
        ),
        again: ofTokenKinds((kind) => rowsOf(({ refetched }) => refetched?.[index]?.[kind] ?? 0)),
      }))
      .filter((band) => TOKEN_KINDS.some((kind) => hasTokens(band, kind))),
  }
}

/** True if a session has tokens of a kind at a point or before masking. */
export function hasTokens({ before, saved, again }: PriceBand, kind: TokenKind): boolean {
  return before[kind] !== 0 || saved[kind].length > 0 || again[kind].length > 0
}

/** The different prices of the tiers, and which of them each tier has. */
function bandsOf({ prices, variants }: CostTerms) {
  const { prices: of } = priceTiers(prices, variants)
  const keys: string[] = []
  const ofTier = of.input.map((input, tier) => {
    const key = JSON.stringify({
      fresh: input ?? null,
      read: of.cachedRead[tier] ?? null,
      written: of.cacheWrite[tier] ?? null,
      output: of.output[tier] ?? null,
    })
    if (!keys.includes(key)) keys.push(key)
    return keys.indexOf(key)
  })
  return { prices: keys.map((key): PriceBand['prices'] => JSON.parse(key)), ofTier }
}

function byBand({ prices, ofTier }: ReturnType<typeof bandsOf>, sums: readonly TokenSums[]) {
  const bands = prices.map(() => ({ input: 0, fresh: 0, read: 0, written: 0, output: 0 }))
  for (const [tier, tokens] of sums.entries()) {
    const band = bands[ofTier[tier] as number] as TokenSums
    for (const kind of TOKEN_KINDS) band[kind] += tokens[kind]
  }
  return bands
}

function trimmed(rows: Rows): Rows {
  const own = rows.map((row) => row.slice(0, row.findLastIndex((value) => value !== 0) + 1))
  return own.slice(0, own.findLastIndex(({ length }) => length > 0) + 1)
}
