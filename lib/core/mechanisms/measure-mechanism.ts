import { memoizeFor } from '../memoize-for'
import type { Band } from '../replay/misses/cost-band'
import { drawMisses, drawnCosts, expectMisses, lossCosts } from '../replay/misses/cost-band'
import { COUNTING_ERRORS } from '../replay/misses/miss-rates'
import { addRequest, applyPrices, emptySums, priceTiers } from '../replay/price-sheet'
import { cachedTokens, type Tokens, type Usd } from '../replay/prompt-cache'
import { type ReplaySide, runSides } from '../replay/replay'
import { createRequestPass } from '../replay/request-pass'
import type { CostTerms } from '../replay/request-terms'
import { prefixTokensOf } from '../replay/sessions'
import type { LaterUse } from '../uses/find-later-uses'
import { positionsOfResults, type SessionHistory } from './history'
import type { ExtraRequest, MessageEdit, Settings } from './mechanism'
import { type MechanismRun, type MechanismStep, savedTokens } from './run-mechanism'

export interface MechanismMeasure {
  readonly settings: Settings
  /** Input of all requests, and of those that the mechanism sends itself. */
  readonly tokens: Tokens
  /** Cost of the same input with caching, and of what the model writes for the mechanism; undefined if a price is unknown. */
  readonly cost: Usd | undefined
  /** The same with misses of the cache, by draw; undefined without a cache or a price. */
  readonly draws: readonly Usd[] | undefined
  /** Of the later uses, those whose terms are no longer in the request. A term may still be in a summary. */
  readonly lostUses: number
  /** Requests in which something that was sent before is not as it was. */
  readonly rewrites: number
  /** Tokens sent before that these requests do not read from the cache. */
  readonly rewrittenTokens: Tokens
  /** The longest request. */
  readonly peakTokens: Tokens
  /** Requests that the mechanism sends itself. */
  readonly extraRequests: number
}

/** A call of an answer that repeats an earlier one: index of the result of that one, and of the request answered. */
export interface RepeatedCall {
  readonly result: number
  readonly request: number
}

/** A measure to show, of one session or the sum of many. */
export interface ShownFigures extends Omit<MechanismMeasure, 'draws'> {
  /** The cost with the misses observed; undefined if it is not known. */
  readonly band?: Band | undefined
  /** Results with a lost use, and those whose call was issued again once they were not as they came. */
  readonly forgotten: number
}

/** `drawn` gives the draws; lists of `replay` are by request. It takes the changes of the run, which are for one pass. */
export function measureRun(
  history: SessionHistory,
  run: MechanismRun,
  settings: Settings,
  terms: CostTerms,
) {
  const { session, ends, prefixTokens } = history
  const { messages, perRequest } = session.counts
  const prepared = { session, prefixTokens: prefixTokensOf(messages, perRequest) }
  let [request, rewrites, rewrittenTokens, peakTokens] = [0, 0, 0, 0]
  const firstChanged: (number | undefined)[] = []
  const pass = createRequestPass(prepared, terms, run.changes)
  const { sides, total: sent } = runSides(session, terms, pass, ({ tokens, split }, first) => {
    firstChanged.push(first)
    const [before, end] = [ends[request - 1] ?? 0, ends[request] as number]
    const { changed } = run.steps[request++] as MechanismStep
    peakTokens = Math.max(peakTokens, tokens)
    if (!changed.some(({ at }) => at < before)) return
    const added = changed.reduce(
      (sum, { at, edit }) => (at < before ? sum : sum - savedTokens(history, at, edit)),
      (prefixTokens[end] as Tokens) - (prefixTokens[before] as Tokens),
    )
    rewrites++
    rewrittenTokens += Math.max(0, tokens - added - split.read)
  })
  const extras = run.steps.flatMap(({ extra }) => extra ?? [])
  const total = withExtra(sent, extras, terms)
  const cost = total.costs.cached
  /** With what the mechanism sends itself, which is no part of the request's tokens. */
  const shown = sides.map((side, at) => {
    const { extra } = run.steps[at] as MechanismStep
    return extra ? { ...withExtra(side, [extra], terms), tokens: side.tokens } : side
  })
  return {
    settings,
    tokens: total.tokens,
    cost,
    replay: { sides: shown, total, firstChanged },
    drawn: () => (cost === undefined ? undefined : drawsOf(history, prepared, sides, terms, cost)),
    lostUses: lostUsesOf(history, run).length,
    ...{ rewrites, rewrittenTokens, peakTokens },
    extraRequests: extras.length,
  }
}

/**
 * A total with the requests that the mechanism sends itself: what of them is in the cache is read from it, and nothing of
 * them is written.
 */
function withExtra(
  total: ReplaySide,
  extras: readonly ExtraRequest[],
  { prices, rule }: CostTerms,
): ReplaySide {
  const tiers = priceTiers(prices)
  const sums = emptySums(tiers)
  let [{ tokens }, share] = [total, 1]
  for (const extra of extras) {
    share = extra.priceShare ?? 1
    const read = cachedTokens(rule, extra.cachedTokens)
    const split = { read, written: 0, fresh: extra.inputTokens - read }
    addRequest(sums, tiers, extra.inputTokens, split, extra.outputTokens)
    tokens += extra.inputTokens
  }
  const more = applyPrices(tiers, sums)
  const costWith = (kind: 'plain' | 'cached') => {
    const [own, input, output] = [total.costs[kind], more[kind], more.output]
    if (own === undefined || input === undefined || output === undefined) return undefined
    return own + share * (input + output)
  }
  const costs = { ...total.costs, plain: costWith('plain'), cached: costWith('cached') }
  return { ...total, tokens, costs }
}

/** The misses are those that a replay of the session without changes draws. */
function drawsOf(
  { ends, prefixTokens }: SessionHistory,
  prepared: Parameters<typeof lossCosts>[0],
  sides: readonly ReplaySide[],
  terms: CostTerms,
  cost: Usd,
): readonly Usd[] | undefined {
  if (terms.rule.kind === 'none') return undefined
  const { rates, factors } = expectMisses(prepared.session, terms)
  const seed = ends.reduce((sum, end) => sum + (prefixTokens[end] as Tokens), 0)
  const draws = drawMisses({ rates, factors, counting: COUNTING_ERRORS, seed })
  return drawnCosts(draws, cost, lossCosts(prepared, sides, terms))
}

/** The later uses whose term is in no content that their request has from a tool. */
export function lostUsesOf(
  history: SessionHistory,
  { steps }: Pick<MechanismRun, 'steps'>,
): readonly LaterUse[] {
  const positions = positionsOfResults(history)
  const isLost = ({ term, holders, request }: LaterUse) => {
    const { edits } = steps[request] as MechanismStep
    const isGone = (edit: MessageEdit | undefined) =>
      edit?.isRemoved === true || edit?.content?.includes(term) === false
    if (!holders.every((result) => isGone(edits.get(positions[result] as number)))) return false
    return ![...edits.values()].some(({ content }) => content?.includes(term))
  }
  return memoizeFor(steps, lostUsesOf, () => history.uses.filter(isLost))
}

export function forgottenResults(
  history: SessionHistory,
  run: MechanismRun,
  repeated: readonly RepeatedCall[],
): ReadonlySet<number> {
  const again = forgottenCalls(history, run, repeated).map((at) => repeated[at] as RepeatedCall)
  return new Set([...lostUsesOf(history, run), ...again].map(({ result }) => result))
}

/** Indices of the repeated calls whose earlier result was no longer as it came. */
export function forgottenCalls(
  history: SessionHistory,
  { steps }: Pick<MechanismRun, 'steps'>,
  repeated: readonly RepeatedCall[],
): number[] {
  const positions = positionsOfResults(history)
  return repeated.flatMap(({ result, request }, at) =>
    steps[request]?.edits.has(positions[result] as number) ? [at] : [],
  )
}
