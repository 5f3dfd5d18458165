/** What a mechanism does to a session: its tokens, its cost, the later uses that it loses, and what it writes again. */
import type { Band } from '../replay/misses/cost-band'
import { bandOf, drawMisses, drawnCosts, expectMisses, lossCosts } from '../replay/misses/cost-band'
import { COUNTING_ERRORS } from '../replay/misses/miss-rates'
import {
  addRequest,
  applyPrices,
  emptySums,
  priceTiers,
  requestCosts,
  tierOf,
} from '../replay/price-sheet'
import { cachedTokens } from '../replay/prompt-cache'
import { type ReplaySide, totalSide } from '../replay/replay'
import { createRequestPass } from '../replay/request-pass'
import { type CostTerms, requestTermsOf } from '../replay/request-terms'
import { outputTokens, prefixTokensOf } from '../replay/sessions'
import type { Tokens, Usd } from '../replay/units'
import type { LaterUse } from '../uses/find-later-uses'
import type { SessionHistory } from './history'
import { type Becomes, defaultSettings, type Mechanism, type Settings } from './mechanism'
import { type MechanismRun, type MechanismStep, runMechanism, savedTokens } from './run-mechanism'

export interface MechanismMeasure {
  readonly settings: Settings
  /** Input of all requests, and of those that the mechanism sends itself. */
  readonly tokens: Tokens
  /** Cost of the same input with caching, and of what the model writes for the mechanism; undefined if a price is unknown. */
  readonly cost: Usd | undefined
  /** 90 % of draws with misses of the cache are between its ends. */
  readonly band: Band | undefined
  /** Of the later uses, those whose terms are no longer in the request. A term may still be in a summary. */
  readonly lostUses: number
  /** Requests in which something that was sent before is not as it was. */
  readonly rewrites: number
  /** Tokens sent before that these requests do not read from the cache. */
  readonly rewrittenTokens: Tokens
  /** The longest request. */
  readonly peakTokens: Tokens
  /** Requests that the mechanism sends itself. */
  readonly ownRequests: number
}

export function measureMechanism(
  history: SessionHistory,
  mechanism: Mechanism,
  settings: Settings,
  terms: CostTerms,
): MechanismMeasure {
  const { session, ends, prefixTokens } = history
  const run = runMechanism(history, mechanism, settings)
  const prepared = { session, prefixTokens: messagePrefixes(history) }
  const tiers = priceTiers(terms.prices, terms.variants)
  const { priceClass } = requestTermsOf(session.requests, terms.rule, terms.variants)
  const outputs = outputTokens(session)
  const sides: ReplaySide[] = []
  let [rewrites, rewrittenTokens] = [0, 0]
  const sums = createRequestPass(prepared, terms, run.changes).run(
    (request, tokens, read, written) => {
      const split = { read, written, fresh: tokens - read - written }
      const tier = tierOf(tiers, tokens, priceClass[request])
      const costs = requestCosts(tiers, tier, tokens, split, outputs[request] as Tokens)
      sides.push({ tokens, split, costs })
      const endBefore = ends[request - 1] ?? 0
      const { changed } = run.steps[request] as MechanismStep
      if (!changed.some(({ at }) => at < endBefore)) return
      const all =
        (prefixTokens[ends[request] as number] as Tokens) - (prefixTokens[endBefore] as Tokens)
      const added = changed.reduce(
        (sum, { at, becomes }) => (at < endBefore ? sum : sum - savedTokens(history, at, becomes)),
        all,
      )
      rewrites++
      rewrittenTokens += Math.max(0, tokens - added - read)
    },
  )
  const { tokens, costs } = totalSide(tiers, sums)
  const own = costOfOwn(run, terms)
  const cost =
    costs.cached === undefined || own.cost === undefined ? undefined : costs.cached + own.cost
  return {
    settings,
    tokens: tokens + own.inputTokens,
    cost,
    band: cost === undefined ? undefined : bandWith(prepared, sides, terms, cost),
    lostUses: lostUsesOf(history, run).length,
    rewrites,
    rewrittenTokens,
    peakTokens: sides.reduce((most, side) => Math.max(most, side.tokens), 0),
    ownRequests: run.steps.filter(({ own }) => own !== undefined).length,
  }
}

function messagePrefixes({ session: { counts } }: SessionHistory): readonly Tokens[] {
  return prefixTokensOf(counts.messages, counts.perRequest)
}

/** The requests that a mechanism sends itself: what of them is in the cache is read from it, and nothing of them is written. */
function costOfOwn({ steps }: MechanismRun, { prices, rule }: CostTerms) {
  const tiers = priceTiers(prices)
  const sums = emptySums(tiers)
  let inputTokens = 0
  for (const { own } of steps) {
    if (own === undefined) continue
    const read = cachedTokens(rule, own.cachedTokens)
    const split = { read, written: 0, fresh: own.inputTokens - read }
    addRequest(sums, tiers, own.inputTokens, split, own.outputTokens)
    inputTokens += own.inputTokens
  }
  const { cached, output } = applyPrices(tiers, sums)
  return {
    inputTokens,
    cost: cached === undefined || output === undefined ? undefined : cached + output,
  }
}

function bandWith(
  prepared: Parameters<typeof lossCosts>[0],
  sides: readonly ReplaySide[],
  terms: CostTerms,
  cost: Usd,
): Band | undefined {
  if (terms.rule.kind === 'none') return undefined
  const { rates, factors } = expectMisses(prepared.session, terms)
  const seed = prepared.session.requests.length
  const draws = drawMisses({ rates, factors, counting: COUNTING_ERRORS, seed })
  return bandOf(drawnCosts(draws, cost, lossCosts(prepared, sides, terms)))
}

/** The later uses whose term is in no content that their request has from a tool. */
export function lostUsesOf(
  { messages, uses }: SessionHistory,
  { steps }: Pick<MechanismRun, 'steps'>,
): LaterUse[] {
  const positions = new Map(
    messages.flatMap(({ result }, at) => (result === undefined ? [] : [[result, at]])),
  )
  const lost: LaterUse[] = []
  let next = 0
  for (const [request, { picture }] of steps.entries()) {
    for (; uses[next]?.request === request; next++) {
      const use = uses[next] as LaterUse
      const contentOf = (result: number) => picture.get(positions.get(result) ?? -1)
      const isGone = ({ content, isRemoved }: Becomes) =>
        isRemoved === true || (content !== undefined && !content.includes(use.term))
      const holders = use.holders.map(contentOf)
      if (!holders.every((one) => one !== undefined && isGone(one))) continue
      const isRepeated = [...picture.values()].some(
        ({ content }) => content?.includes(use.term) === true,
      )
      if (!isRepeated) lost.push(use)
    }
  }
  return lost
}

/** The settings with the lowest cost among those that the rows say to try; by tokens where a price is unknown. */
export function bestSettings(
  history: SessionHistory,
  mechanism: Mechanism,
  terms: CostTerms,
): Settings {
  const prepared = { session: history.session, prefixTokens: messagePrefixes(history) }
  const tiers = priceTiers(terms.prices, terms.variants)
  let best = { settings: defaultSettings(mechanism), cost: Number.POSITIVE_INFINITY }
  for (const settings of triedSettings(mechanism)) {
    const run = runMechanism(history, mechanism, settings)
    const sums = createRequestPass(prepared, terms, run.changes).run()
    const { tokens, costs } = totalSide(tiers, sums)
    const own = costOfOwn(run, terms)
    const cost =
      costs.cached === undefined
        ? tokens + own.inputTokens
        : costs.cached + (own.cost ?? Number.POSITIVE_INFINITY)
    if (cost < best.cost) best = { settings, cost }
  }
  return best.settings
}

/** Every combination of the values to try; the defaults first. */
export function triedSettings(mechanism: Pick<Mechanism, 'rows'>): readonly Settings[] {
  let all: readonly Settings[] = [defaultSettings(mechanism)]
  for (const { key, value, tried = [] } of mechanism.rows) {
    const values = [value, ...tried.filter((one) => one !== value)]
    all = values.flatMap((one) => all.map((settings) => ({ ...settings, [key]: one })))
  }
  return all
}
