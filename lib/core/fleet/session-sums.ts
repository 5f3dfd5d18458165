/**
 * The tokens of one session at every window and batch of the grid, as whole numbers by price. Sums of whole numbers are
 * exact in any order, so sessions measured on many machines add up to the same figures as on one.
 */

import { NO_WINDOW, sentResults } from '../replay/prepare-replay'
import { priceTiers, type TokenSums } from '../replay/price-sheet'
import { windowSums } from '../replay/replay'
import type { CostTerms } from '../replay/request-terms'
import { turnsOf, windowsOf } from '../replay/sweep-grid'
import type { Tokens, UsdPerMillion } from '../replay/units'
import { refetchSums } from '../uses/refetch-costs'
import type { PreparedSession } from './measure-sessions'

/**
 * The windows and batches at which every session is measured, so that the sums of many can be added. A window that a
 * session is too short for masks nothing in it.
 */
const LONGEST = 1024

/** Every window up to 32, then eight between a number and its double. */
export const FLEET_WINDOWS: readonly number[] = steps(32, 8)

/** Every batch up to 4, then two between a number and its double. */
export const FLEET_BATCHES: readonly number[] = steps(4, 2)

function steps(dense: number, perOctave: number): number[] {
  const numbers = Array.from({ length: dense }, (_, index) => index + 1)
  for (let octave = dense; octave < LONGEST; octave *= 2) {
    for (let step = 1; step <= perOctave; step++) numbers.push(octave + (octave * step) / perOctave)
  }
  return numbers
}

/** How tokens are charged: input that no cache has, input read from it, input written to it, and answers. */
export const TOKEN_KINDS = ['fresh', 'read', 'written', 'output'] as const

export type TokenKind = (typeof TOKEN_KINDS)[number]

/** Something for each kind of tokens. */
export function ofTokenKinds<Value>(of: (kind: TokenKind) => Value): Record<TokenKind, Value> {
  return { fresh: of('fresh'), read: of('read'), written: of('written'), output: of('output') }
}

/** By batch and window of the grid; zeros at the end of a row, and empty rows at the end, are left out. */
export type Rows = readonly (readonly number[])[]

/** The tokens that have the same prices. */
export interface PriceBand {
  /** Dollars for a million tokens; null if unknown. */
  readonly prices: Readonly<Record<TokenKind, UsdPerMillion | null>>
  readonly before: Readonly<Record<TokenKind, Tokens>>
  /** What masking takes away; negative where it adds tokens of this kind. */
  readonly saved: Readonly<Record<TokenKind, Rows>>
  /** What fetching all lost results again adds. */
  readonly again: Readonly<Record<TokenKind, Rows>>
}

/** Where a session is from. */
export interface SessionSource {
  /** The same for the same session, wherever it was measured. */
  readonly id: string
  readonly file: string
  /** Index of the conversation in its file. */
  readonly conversation: number
}

export interface SessionSums extends SessionSource {
  readonly model: string
  /** Tool turns in the last request. */
  readonly turns: number
  readonly requests: number
  /** Results that some request sends, and those that the policy masks once they are old enough. */
  readonly results: number
  readonly maskable: number
  /** Later uses; those that a window loses, and the results they were read from. */
  readonly uses: number
  readonly lost_uses: Rows
  readonly lost_results: Rows
  readonly bands: readonly PriceBand[]
}

/** Measures a session at every point of the grid. */
export function sessionSums(
  {
    prepared,
    uses,
    losable,
  }: Pick<PreparedSession, 'prepared' | 'losable'> & {
    readonly uses: readonly unknown[]
  },
  terms: CostTerms,
  place: SessionSource & Pick<SessionSums, 'model'>,
): SessionSums {
  const sumsOf = windowSums(prepared, terms)
  const againAt = refetchSums(prepared, losable, terms)
  const turns = turnsOf(prepared)
  const bandOf = bandsOf(terms)
  const before = byBand(bandOf, sumsOf(NO_WINDOW))
  const emptyRows = () => ofTokenKinds((): number[][] => [])
  const bands = before.map((sums) => ({ before: sums, saved: emptyRows(), again: emptyRows() }))
  const lostUses: number[][] = []
  const lostResults: number[][] = []
  for (const [row, batchTurns] of FLEET_BATCHES.entries()) {
    const windows = windowsOf({ windows: FLEET_WINDOWS, largestWindow: turns }, batchTurns)
    lostUses.push([])
    lostResults.push([])
    for (const { saved, again } of bands) {
      for (const kind of TOKEN_KINDS) {
        saved[kind].push([])
        again[kind].push([])
      }
    }
    for (const windowTurns of windows) {
      const window = { windowTurns, batchTurns }
      const after = byBand(bandOf, sumsOf(window))
      const { uses, results, sums } = againAt(window)
      lostUses[row]?.push(uses)
      lostResults[row]?.push(results)
      const refetched = uses === 0 ? undefined : byBand(bandOf, sums)
      for (const [index, { before: own, saved, again }] of bands.entries()) {
        for (const kind of TOKEN_KINDS) {
          saved[kind][row]?.push(own[kind] - (after[index] as TokenSums)[kind])
          again[kind][row]?.push(refetched?.[index]?.[kind] ?? 0)
        }
      }
    }
  }
  return {
    ...place,
    turns,
    requests: prepared.session.requests.length,
    results: sentResults(prepared),
    maskable: prepared.maskableResults.length,
    uses: uses.length,
    lost_uses: trimmed(lostUses),
    lost_results: trimmed(lostResults),
    bands: bands
      .map(({ before: own, saved, again }, index) => ({
        prices: bandOf.prices[index] as PriceBand['prices'],
        before: ofTokenKinds((kind) => own[kind]),
        saved: ofTokenKinds((kind) => trimmed(saved[kind])),
        again: ofTokenKinds((kind) => trimmed(again[kind])),
      }))
      .filter((band) => TOKEN_KINDS.some((kind) => hasTokens(band, kind))),
  }
}

/** True if a session has tokens of a kind at a point or before masking. */
export function hasTokens({ before, saved, again }: PriceBand, kind: TokenKind): boolean {
  return before[kind] !== 0 || saved[kind].length > 0 || again[kind].length > 0
}

/** The different prices of the tiers, and which of them each tier has. */
interface Bands {
  readonly prices: readonly PriceBand['prices'][]
  readonly ofTier: readonly number[]
}

function bandsOf({ prices, variants }: CostTerms): Bands {
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
  return { prices: keys.map((key) => JSON.parse(key)), ofTier }
}

function byBand({ prices, ofTier }: Bands, sums: readonly TokenSums[]): TokenSums[] {
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
