/**
 * The cost of a session as a band: with the misses that were observed at the provider (`miss-rates.ts`), and with the error
 * of our counts. It is drawn some hundred times: in a draw, each request misses with its probability and then reads the
 * head only, so that a miss costs less where masking has made the request smaller. Draws are the same before and after
 * masking, so their difference is that of masking; they are the same each time, and no draw costs less with a higher rate.
 */

import { type MaskWindow, NO_WINDOW, type PreparedReplay } from '../prepare-replay'
import { priceTiers, requestCosts, tierOf } from '../price-sheet'
import { splitRequest, type Tokens, type Usd } from '../prompt-cache'
import { costsWithoutExpiry, type Replay, type ReplaySide } from '../replay'
import { type CostTerms, requestTermsOf } from '../request-terms'
import { headMessages, type Session } from '../sessions'
import { COUNTING_ERRORS, missCells, missesAt, missRate, ownMisses } from './miss-rates'

/** The share of the draws that a band contains, from 5 % to 95 %. */
export const BAND_SHARE = 0.9

/** A value that is random: the ends of its band, and its median. */
export type Band = Readonly<ReturnType<typeof bandOf>>

type Sides<Value> = Readonly<Record<'before' | 'after', Value>>

/** The input of a session with caching. */
export interface CostBand extends Sides<Band> {
  /** If the cache kept everything without a limit of time. */
  readonly perfect: Sides<Usd>
  /** What masking changes, as a share. */
  readonly change: Band
  /** The provider that misses were observed at; undefined for all providers together. */
  readonly provider: string | undefined
  /** Requests of the sessions in which misses can be seen, and the misses among them. */
  readonly own: { readonly requests: number; readonly misses: number }
}

/** The draws of one session or of several. */
export type CostDraws = Pick<CostBand, 'perfect' | 'provider' | 'own'> & Sides<readonly Usd[]>

const DRAWS = 300
/** So many misses, and no other request, show that nothing is cached. */
const LEAST_UNCACHED = 3

/** Undefined if a price is unknown or nothing is cached. What all windows have in common is drawn once. */
export function drawCosts(
  prepared: PreparedReplay,
  { requests, ...replay }: Replay,
  terms: CostTerms,
  window: MaskWindow,
): CostDraws | undefined {
  const [before, after] = [replay.before.costs.cached, replay.after.costs.cached]
  if (before === undefined || after === undefined || terms.rule.kind === 'none') return undefined
  const lossesOf = (side: keyof Sides<Usd>) =>
    lossCosts(
      prepared,
      requests.map((request) => request[side]),
      terms,
    )
  let known = unmasked.get(prepared)
  if (known?.terms !== terms) {
    const { rates, factors, ...expected } = expectMisses(prepared.session, terms)
    const seed = replay.before.tokens
    const draws = drawMisses({ rates, factors, counting: COUNTING_ERRORS, seed })
    const { startsCold } = requestTermsOf(prepared.session.requests, terms.rule, terms.variants)
    const perfectAt = startsCold.includes(1) ? costsWithoutExpiry(prepared, terms) : undefined
    const perfect = perfectAt ? perfectAt(NO_WINDOW) : before
    const costs = drawnCosts(draws, before, lossesOf('before'))
    known = { terms, expected, draws, perfectAt, before: costs, perfect }
    unmasked.set(prepared, known)
  }
  const { perfectAt, perfect, draws } = known
  const perfectAfter = perfectAt ? perfectAt(window) : after
  // A price that only a cache without expiry needs.
  if (perfect === undefined || perfectAfter === undefined) return undefined
  return {
    ...known.expected,
    perfect: { before: perfect, after: perfectAfter },
    before: known.before,
    after: drawnCosts(draws, after, lossesOf('after')),
  }
}

interface UnmaskedDraws {
  readonly terms: CostTerms
  readonly expected: Pick<CostDraws, 'provider' | 'own'>
  readonly draws: readonly MissDraw[]
  readonly perfectAt: ((window: MaskWindow) => Usd | undefined) | undefined
  readonly before: readonly Usd[]
  readonly perfect: Usd | undefined
}

const unmasked = new WeakMap<PreparedReplay, UnmaskedDraws>()

/** The rates of a session's requests, and by draw what they are multiplied with, by the usage of a session or of its start. */
export function expectMisses(
  session: Session,
  terms: CostTerms,
  evidence = session,
): Pick<MissRates, 'rates' | 'factors'> & Pick<CostDraws, 'provider' | 'own'> {
  const misses = missesAt(terms.provider)
  const own = ownMisses(evidence, terms)
  const missed = own.filter(({ isMiss }) => isMiss).length
  const expected = own.reduce((sum, cell) => sum + missRate(misses, cell), 0)
  const { startsCold } = requestTermsOf(session.requests, terms.rule, terms.variants)
  // A session that never reads has no cache, whatever the rates.
  const isUncached = missed >= LEAST_UNCACHED && missed === own.length
  const rates = missCells(session).map((cell, at) => {
    if (at === 0 || startsCold[at] === 1) return 0
    return isUncached ? 1 : missRate(misses, cell)
  })
  return {
    rates,
    factors: isUncached
      ? Array<number>(DRAWS).fill(1)
      : factorsOf(misses.shape + missed, misses.shape + expected),
    provider: misses.provider,
    own: { requests: own.length, misses: missed },
  }
}

/** By request: what it costs more if nothing of it but the head is in the cache. */
export function lossCosts(
  { session, prefixTokens }: Pick<PreparedReplay, 'session' | 'prefixTokens'>,
  sides: readonly ReplaySide[],
  { rule, prices, variants }: CostTerms,
): Usd[] {
  const { priceClass } = requestTermsOf(session.requests, rule, variants)
  const tiers = priceTiers(prices, variants)
  const isMarked = rule.kind === 'breakpoint' && rule.isHeadMarked
  const marked = isMarked ? (prefixTokens[headMessages(session.conversation)] as Tokens) : 0
  const head = session.readableHead ?? marked
  return sides.map(({ tokens, split, costs }, at) => {
    const lost = splitRequest(rule, tokens, Math.min(head, split.read))
    const tier = tierOf(tiers, tokens, priceClass[at])
    const { cached } = requestCosts(tiers, tier, tokens, lost, 0)
    return Math.max(0, (cached ?? 0) - (costs.cached ?? 0))
  })
}

export interface MissRates {
  /** By request: how likely a miss is. */
  readonly rates: readonly number[]
  /** By draw: what all rates are multiplied with. */
  readonly factors: readonly number[]
  /** What costs are multiplied with: equally likely values. */
  readonly counting: readonly number[]
  readonly seed: number
}

interface MissDraw {
  /** The requests that miss. */
  readonly missed: readonly number[]
  readonly error: number
}

export function drawMisses({ rates, factors, counting, seed }: MissRates): MissDraw[] {
  const random = createRandom(seed)
  return factors.map((factor) => {
    const error = counting[Math.floor(random() * counting.length)] as number
    const missed: number[] = []
    for (let request = 0; request < rates.length; request++)
      // Drawn whatever the rate is, so that the others stay the same.
      if (random() < (rates[request] as number) * factor) missed.push(request)
    return { missed, error }
  })
}

/** By draw: a cost with what the misses cost more. */
export function drawnCosts(
  draws: readonly MissDraw[],
  cost: Usd,
  losses: readonly Usd[],
): readonly Usd[] {
  return draws.map(
    ({ missed, error }) =>
      error * missed.reduce((sum, request) => sum + (losses[request] as Usd), cost),
  )
}

export function sessionBand(...input: Parameters<typeof drawCosts>): CostBand | undefined {
  const draws = drawCosts(...input)
  return draws && costBand(draws)
}

export function costBand(draws: CostDraws): CostBand {
  const { before, after, ...rest } = draws
  const change = after.map((cost, draw) => {
    const from = before[draw] as Usd
    return from === 0 ? 0 : cost / from - 1
  })
  return { ...rest, before: bandOf(before), after: bandOf(after), change: bandOf(change) }
}

const ENDS = ['low', 'middle', 'high'] as const

export type BandFigure =
  | `${'before' | 'after'}_perfect`
  | `${'before' | 'after' | 'change'}_${(typeof ENDS)[number]}`

/** The figures of a band with their names in JSON and CSV. */
export function bandFigures(band: CostBand): [name: string, value: number][] {
  return (['before', 'after', 'change'] as const).flatMap((of) => [
    ...(of === 'change' ? [] : [[`${of}_perfect`, band.perfect[of]] as [string, number]]),
    ...ENDS.map((end): [string, number] => [`${of}_${end}`, band[of][end]]),
  ])
}

export function bandOf(values: readonly number[]) {
  const sorted = Float64Array.from(values).sort()
  const at = (share: number) => sorted[Math.round(share * (sorted.length - 1))] as number
  const outside = (1 - BAND_SHARE) / 2
  return { low: at(outside), middle: at(0.5), high: at(1 - outside) }
}

/**
 * By draw, ascending: equally likely values of a gamma distribution, by Wilson and Hilferty. It has the mean 1 for a session
 * without usage; one with more misses of its own than expected has more.
 */
export function factorsOf(shape: number, rate: number): number[] {
  return Array.from({ length: DRAWS }, (_, draw) => {
    const share = (draw + 0.5) / DRAWS
    // The normal quantile, by Tukey's lambda distribution.
    const normal = 4.91 * (share ** 0.14 - (1 - share) ** 0.14)
    const root = 1 - 1 / (9 * shape) + normal / (3 * Math.sqrt(shape))
    return (shape / rate) * Math.max(0, root) ** 3
  })
}

/** Numbers from 0 to 1 that look random and are the same for a seed (mulberry32, by Tommy Ettinger; public domain). */
export function createRandom(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
