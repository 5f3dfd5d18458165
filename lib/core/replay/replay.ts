import { addUp } from '../conversation/add-up'
import type { MaskPolicy } from '../policy/policy'
import type { ReplaySources } from './decide-request'
import { type MaskWindow, NO_WINDOW, type PreparedReplay, prepareReplay } from './prepare-replay'
import type { Costs, PriceTiers, TokenSums } from './price-sheet'
import { applyPrices, priceTiers, requestCosts, tierOf } from './price-sheet'
import { type CacheSplit, type Tokens, type Usd, withoutLifetime } from './prompt-cache'
import { keptTurnsOf, type WindowChanges, windowChanges } from './request-changes'
import { createRequestPass, type RequestPass } from './request-pass'
import { type CostTerms, requestTermsOf } from './request-terms'
import { outputTokens, type Session, type SessionRequest } from './sessions'

/** One request, or all requests together, either before or after masking. */
export interface ReplaySide {
  /** Input tokens. */
  readonly tokens: Tokens
  /** The same tokens, split by how the cache treats them. */
  readonly split: CacheSplit
  readonly costs: Costs
}

export interface ReplayedRequest {
  readonly request: SessionRequest
  /** Tokens of the answer, the same on both sides; 0 for the open request. */
  readonly outputTokens: Tokens
  readonly before: ReplaySide
  readonly after: ReplaySide
  readonly maskedResults: number
  /** Index of the first message that masking sends differently than the previous request did; undefined for the first request. */
  readonly firstChanged: number | undefined
}

/** All requests of a session before and after masking, request by request and in total. */
export interface Replay {
  readonly requests: readonly ReplayedRequest[]
  readonly outputTokens: Tokens
  readonly before: ReplaySide
  readonly after: ReplaySide
}

/**
 * Replays a session under a policy. Each request is masked by what was known when it was sent.
 * Total costs are computed from total tokens; they equal the sum over the requests up to rounding.
 */
export function replay(
  session: Session,
  policy: MaskPolicy,
  sources: ReplaySources,
  terms: CostTerms,
): Replay {
  const prepared = prepareReplay(session, policy, sources)
  return replayPrepared(prepared, policy.enabled ? policy : NO_WINDOW, terms)
}

/** A session without masking. It is the same for every window, so callers that replay many compute it once. */
export type UnmaskedReplay = Readonly<ReturnType<typeof runSides>>

export function replayUnmasked(prepared: PreparedReplay, terms: CostTerms): UnmaskedReplay {
  return replaySide(prepared, NO_WINDOW, terms)
}

/** Replays a prepared session under one window. */
export function replayPrepared(
  prepared: PreparedReplay,
  window: MaskWindow,
  terms: CostTerms,
  before: UnmaskedReplay = replayUnmasked(prepared, terms),
): Replay {
  return besideEachOther(prepared.session, before, replaySide(prepared, window, terms))
}

/** A session as it was sent, and as something changed it. */
export function besideEachOther(
  session: Session,
  before: UnmaskedReplay,
  after: ReturnType<typeof replaySide>,
): Replay {
  const outputs = outputTokens(session)
  return {
    requests: session.requests.map((request, index) => ({
      request,
      outputTokens: outputs[index] as Tokens,
      before: before.sides[index] as ReplaySide,
      after: after.sides[index] as ReplaySide,
      maskedResults: after.maskedResults[index] as number,
      firstChanged: after.firstChanged[index],
    })),
    outputTokens: outputs.reduce((total, tokens) => total + tokens, 0),
    before: before.total,
    after: after.total,
  }
}

/** All requests under a window; lists are by request. */
function replaySide(prepared: PreparedReplay, window: MaskWindow, terms: CostTerms) {
  const maskedResults: number[] = []
  const firstChanged: (number | undefined)[] = []
  const { changes, pass } = startPass(prepared, terms, window)
  const sides = runSides(prepared.session, terms, pass, (_, changed) => {
    maskedResults.push(changes.maskedResults())
    firstChanged.push(changed)
  })
  return { ...sides, maskedResults, firstChanged }
}

/** The requests of a pass one by one, and together. `visit` is called after each, with the first message that differs. */
export function runSides(
  session: Session,
  { prices, rule, variants }: CostTerms,
  pass: RequestPass,
  visit: (side: ReplaySide, firstChanged: number | undefined) => void,
) {
  const { priceClass } = requestTermsOf(session.requests, rule, variants)
  const outputs = outputTokens(session)
  const tiers = priceTiers(prices, variants)
  const sides: ReplaySide[] = []
  const sums = pass.run((request, tokens, read, written, firstChanged) => {
    const split = { read, written, fresh: tokens - read - written }
    const tier = tierOf(tiers, tokens, priceClass[request])
    const costs = requestCosts(tiers, tier, tokens, split, outputs[request] as Tokens)
    const side = { tokens, split, costs }
    sides.push(side)
    visit(side, firstChanged)
  })
  return { sides, total: totalSide(tiers, sums) }
}

/** Returns a function that gives the input's cost under a window if nothing expires; undefined if a price is unknown. */
export function costsWithoutExpiry(
  prepared: PreparedReplay,
  terms: CostTerms,
): (window: MaskWindow) => Usd | undefined {
  const changes = windowChanges(prepared)
  const lasting = { ...terms, rule: withoutLifetime(terms.rule) }
  const pass = createRequestPass(prepared, lasting, changes)
  const tiers = priceTiers(terms.prices, terms.variants)
  return (window) => {
    changes.restart(window)
    return totalSide(tiers, pass.run()).costs.cached
  }
}

interface WindowPass {
  readonly terms: CostTerms
  readonly changes: WindowChanges
  readonly pass: RequestPass
  /** That of the last run. */
  window?: MaskWindow
}

const passes = new WeakMap<PreparedReplay, WindowPass>()

/** Every window of a session uses the same lists, so they are made once. A pass leaves nothing for the next one. */
function windowPass(prepared: PreparedReplay, terms: CostTerms): WindowPass {
  const known = passes.get(prepared)
  if (known?.terms === terms) return known
  const changes = known?.changes ?? windowChanges(prepared)
  const made = { terms, changes, pass: createRequestPass(prepared, terms, changes) }
  passes.set(prepared, made)
  return made
}

function startPass(prepared: PreparedReplay, terms: CostTerms, window: MaskWindow): WindowPass {
  const pass = windowPass(prepared, terms)
  pass.changes.restart(window)
  pass.window = window
  return pass
}

/** What each move of a window at break-even cost and has saved since: together what the window saves. Undefined without prices. */
export function moveCosts(prepared: PreparedReplay, windowTurns: number, terms: CostTerms) {
  const window: MaskWindow = { windowTurns, batchTurns: 'auto' }
  const keptAt = keptTurnsOf(prepared, window)
  const costsUpTo = (lastTurn: number) =>
    replaySide(prepared, { ...window, lastTurn }, terms).sides.map(
      ({ costs }) => costs.cached ?? Number.NaN,
    )
  let before = costsUpTo(0)
  let kept = 0
  const moves = prepared.session.requests.flatMap(({ end }, request) => {
    if (keptAt(request) <= kept) return []
    kept = keptAt(request)
    const [without, costs] = [before, costsUpTo(kept)]
    before = costs
    const more = costs.map((cost, at) => cost - (without[at] as Usd))
    /** How much less the later requests cost together than without it, if no move followed. */
    const saved: Usd = -more.slice(request + 1).reduce((sum, one) => sum + one, 0)
    /** How much more this request, which sends the messages before `end`, cost than without the move: less if its cache had expired. */
    const own = more[request] as Usd
    return [{ end, cost: Math.max(0, own), saved: saved - Math.min(0, own) }]
  })
  return before.some(Number.isNaN) ? undefined : moves
}

/** Returns a function that gives the tokens under a window by price tier; it is fast for many windows. */
export function windowSums(
  prepared: PreparedReplay,
  terms: CostTerms,
): (window: MaskWindow) => readonly TokenSums[] {
  return (window) => startPass(prepared, terms, window).pass.runMany()
}

/** A function that gives the tokens of each request under a window; the one that was replayed last is not replayed again. */
export function windowTokens(
  prepared: PreparedReplay,
  terms: CostTerms,
  { windowTurns, batchTurns }: MaskWindow,
): (request: number) => Tokens {
  const { pass, window } = windowPass(prepared, terms)
  const isSame = window?.windowTurns === windowTurns && window.batchTurns === batchTurns
  if (!isSame || window.lastTurn !== undefined)
    startPass(prepared, terms, { windowTurns, batchTurns }).pass.runMany()
  return pass.tokensOf
}

/** The side of all requests whose tokens are summed by tier. */
export function totalSide(tiers: PriceTiers, sums: readonly TokenSums[]): ReplaySide {
  const sum = (of: 'input' | 'read' | 'written' | 'fresh') =>
    sums.reduce((total, tokens) => total + tokens[of], 0)
  return {
    tokens: sum('input'),
    split: { read: sum('read'), written: sum('written'), fresh: sum('fresh') },
    costs: applyPrices(tiers, sums),
  }
}

const NOTHING_SENT: ReplaySide = {
  tokens: 0,
  split: { read: 0, written: 0, fresh: 0 },
  costs: { plain: 0, cached: 0, output: 0 },
}

/** The sum of sides. A cost that is unknown for one of them is unknown for the sum. */
export function sumSides(sides: readonly ReplaySide[]): ReplaySide {
  return addUp([NOTHING_SENT, ...sides])
}
