/**
 * Money from tokens. Tokens are summed first, by price band, and multiplied once: sums of whole numbers are exact, so two
 * ways to the same tokens give the same dollars to the last digit.
 */

import type { PriceKind, PriceSheet } from './price-sheet'
import type { CacheSplit } from './prompt-cache'
import type { Tokens, Usd, UsdPerMillion } from './units'

/** Tokens of some requests that pay the same prices. */
export interface TokenUse {
  input: Tokens
  read: Tokens
  written: Tokens
  fresh: Tokens
  output: Tokens
}

/** What some requests cost; undefined where a price it needs is unknown. */
export interface Costs {
  /** Input without a cache. */
  readonly plain: Usd | undefined
  /** Input with the cache rule. */
  readonly cached: Usd | undefined
  /** The answers. */
  readonly output: Usd | undefined
}

/** A price sheet by bands of request length, between which no price changes. */
export interface PriceBands {
  /** Band n is for requests of more input tokens than `above[n - 1]`. */
  readonly above: readonly Tokens[]
  /** By kind and band. */
  readonly prices: Readonly<Record<PriceKind, readonly UsdPerMillion[] | undefined>>
}

export function priceBands(sheet: PriceSheet): PriceBands {
  const sheetPrices = Object.values(sheet).flatMap((entry) => (entry ? [entry.price] : []))
  const tiers = sheetPrices.flatMap((price) => price.tiers)
  const above = [...new Set(tiers.map((tier) => tier.above))].sort((a, b) => a - b)
  const pricesOf = (kind: PriceKind): UsdPerMillion[] | undefined => {
    const price = sheet[kind]?.price
    if (price === undefined) return undefined
    return [-1, ...above].map(
      (start) => price.tiers.findLast((tier) => tier.above <= start)?.price ?? price.base,
    )
  }
  return {
    above,
    prices: {
      input: pricesOf('input'),
      cachedRead: pricesOf('cachedRead'),
      cacheWrite: pricesOf('cacheWrite'),
      output: pricesOf('output'),
    },
  }
}

/** The band of a request by its input tokens. */
export function bandOf({ above }: PriceBands, inputTokens: Tokens): number {
  let band = 0
  while (band < above.length && inputTokens > (above[band] as Tokens)) band++
  return band
}

export function emptyUses({ above }: PriceBands): TokenUse[] {
  return Array.from({ length: above.length + 1 }, () => ({
    input: 0,
    read: 0,
    written: 0,
    fresh: 0,
    output: 0,
  }))
}

/** Adds one request to the uses, in its band. */
export function addUse(
  uses: readonly TokenUse[],
  bands: PriceBands,
  input: Tokens,
  split: CacheSplit,
  output: Tokens,
): void {
  const use = uses[bandOf(bands, input)] as TokenUse
  use.input += input
  use.read += split.read
  use.written += split.written
  use.fresh += split.fresh
  use.output += output
}

/** What uses cost, by band. */
export function costsOf({ prices }: PriceBands, uses: readonly TokenUse[]): Costs {
  const sum = (parts: readonly (readonly [keyof TokenUse, PriceKind])[]): Usd | undefined => {
    let total = 0
    for (const [band, use] of uses.entries()) {
      for (const [of, kind] of parts) {
        if (use[of] === 0) continue
        const price = prices[kind]?.[band]
        if (price === undefined) return undefined
        total += use[of] * price
      }
    }
    return total / 1e6
  }
  return {
    plain: sum([['input', 'input']]),
    cached: sum([
      ['fresh', 'input'],
      ['written', 'cacheWrite'],
      ['read', 'cachedRead'],
    ]),
    output: sum([['output', 'output']]),
  }
}
