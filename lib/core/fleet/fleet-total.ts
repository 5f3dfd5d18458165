/** Adds the sums of sessions, and turns them into dollars once, at the end. */
import { applyPrices, type Costs, type PriceTiers, type TokenSums } from '../replay/price-sheet'
import type { ReplaySide } from '../replay/replay'
import { rowOf, type Sweep, type SweepRow } from '../replay/sweep'
import { windowsBelow, windowsOf } from '../replay/sweep-grid'
import { FLEET_BATCHES, FLEET_WINDOWS, ofTokenKinds, TOKEN_KINDS, type TokenKind } from './grid'
import type { PriceBand, Rows, SessionSums } from './session-line'
import { hasTokens } from './session-sums'

/** A point of the grid: indexes of its batch and window. */
export interface GridPoint {
  readonly batch: number
  readonly window: number
}

/** False if the price of some of its tokens is unknown; such a session cannot be compared. */
export function isPriced({ bands }: Pick<SessionSums, 'bands'>): boolean {
  return bands.every((band) =>
    TOKEN_KINDS.every((kind) => {
      if (!hasTokens(band, kind)) return true
      // Without caching, all input costs what new input does.
      return band.prices[kind] !== null && (kind === 'output' || band.prices.fresh !== null)
    }),
  )
}

/**
 * Returns a function that gives the costs of price bands at a point. A window that masks nothing has the costs before;
 * `again` are those of fetching all lost results again.
 */
export function costsOfBands(bands: readonly PriceBand[]) {
  const price = (kind: TokenKind) => bands.map(({ prices }) => prices[kind] ?? undefined)
  const prices: PriceTiers['prices'] = {
    input: price('fresh'),
    cachedRead: price('read'),
    cacheWrite: price('written'),
    output: price('output'),
  }
  const costs = (tokens: (band: PriceBand, kind: TokenKind) => number) =>
    applyPrices(
      { prices },
      bands.map((band) => sumsOf((kind) => tokens(band, kind))),
    )
  const before = costs((band, kind) => band.before[kind])
  return (point: GridPoint) => ({
    before,
    after: costs((band, kind) => band.before[kind] - valueAt(band.saved[kind], point)),
    again: costs((band, kind) => valueAt(band.again[kind], point)),
  })
}

function sumsOf(of: (kind: TokenKind) => number): TokenSums {
  const [fresh, read, written] = [of('fresh'), of('read'), of('written')]
  return { input: fresh + read + written, fresh, read, written, output: of('output') }
}

function valueAt(rows: Rows, { batch, window }: GridPoint): number {
  return rows[batch]?.[window] ?? 0
}

/** A sum that sessions are added to, in any order. */
export function createFleetTotal() {
  const bands = new Map<string, PriceBand>()
  const sum = { turns: 0, requests: 0, results: 0, maskable: 0, uses: 0 }
  const lostUses: number[][] = []
  const lostResults: number[][] = []
  return {
    sum: sum as Readonly<typeof sum>,
    add(session: SessionSums): void {
      sum.turns = Math.max(sum.turns, session.turns)
      for (const key of ['requests', 'results', 'maskable', 'uses'] as const)
        sum[key] += session[key]
      addRows(lostUses, session.lost_uses)
      addRows(lostResults, session.lost_results)
      for (const band of session.bands) {
        const key = JSON.stringify(TOKEN_KINDS.map((kind) => band.prices[kind]))
        const known = bands.get(key) ?? emptyBand(band.prices)
        bands.set(key, known)
        for (const kind of TOKEN_KINDS) {
          ;(known.before as Record<TokenKind, number>)[kind] += band.before[kind]
          addRows(known.saved[kind] as number[][], band.saved[kind])
          addRows(known.again[kind] as number[][], band.again[kind])
        }
      }
    },
    /** The sum as a sweep; its digits do not depend on the order of the sessions. */
    sweep(): Sweep {
      const sorted = [...bands].sort(([one], [other]) => (one < other ? -1 : 1))
      const priced = sorted.map(([, band]) => band)
      const costsAt = costsOfBands(priced)
      const largestWindow = sum.turns
      const windows = windowsBelow(largestWindow, FLEET_WINDOWS)
      return {
        sentResults: sum.results,
        maskableResults: sum.maskable,
        batches: FLEET_BATCHES,
        windows,
        largestWindow,
        before: sideBefore(priced, costsAt({ batch: 0, window: FLEET_WINDOWS.length }).before),
        rows: FLEET_BATCHES.map((batchTurns, batch): SweepRow => {
          const own = windowsOf({ windows, largestWindow }, batchTurns)
          return rowOf(own, (_, window) => {
            const point = { batch, window }
            const { after, again } = costsAt(point)
            const { plain = Number.NaN, cached = Number.NaN, output = Number.NaN } = after
            return {
              tokens: tokensAt(priced, point),
              plain,
              cached,
              output,
              uses: valueAt(lostUses, point),
              results: valueAt(lostResults, point),
              refetchPlain: again.plain ?? Number.NaN,
              refetchCached: again.cached ?? Number.NaN,
            }
          })
        }),
      }
    },
  }
}

function emptyBand(prices: PriceBand['prices']): PriceBand {
  const rows = () => ofTokenKinds(() => [])
  return { prices, before: ofTokenKinds(() => 0), saved: rows(), again: rows() }
}

function addRows(sum: number[][], rows: Rows): void {
  for (const [batch, row] of rows.entries()) {
    sum[batch] ??= []
    const own = sum[batch]
    for (const [window, value] of row.entries()) own[window] = (own[window] ?? 0) + value
  }
}

function tokensAt(bands: readonly PriceBand[], point: GridPoint): number {
  return bands.reduce((total, { before, saved }) => {
    const after = sumsOf((kind) => before[kind] - valueAt(saved[kind], point))
    return total + after.input
  }, 0)
}

function sideBefore(bands: readonly PriceBand[], costs: Costs): ReplaySide {
  const of = (kind: TokenKind) => bands.reduce((total, { before }) => total + before[kind], 0)
  const split = { read: of('read'), written: of('written'), fresh: of('fresh') }
  return { tokens: split.read + split.written + split.fresh, split, costs }
}
