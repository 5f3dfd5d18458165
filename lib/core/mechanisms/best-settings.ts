/** The cheapest settings of a mechanism on sessions, among those that are tried. */
import { addUp } from '../conversation/add-up'
import { bandOf } from '../replay/misses/cost-band'
import { priceTiers } from '../replay/price-sheet'
import { mostLostUses } from '../replay/recommend'
import { totalSide } from '../replay/replay'
import { createRequestPass } from '../replay/request-pass'
import type { CostTerms } from '../replay/request-terms'
import type { Tokens, Usd } from '../replay/units'
import type { Steps } from '../steps'
import type { SessionHistory } from './history'
import {
  costOfExtra,
  forgottenResults,
  lostUsesOf,
  type MeasureTerms,
  type MechanismFigures,
  type MechanismMeasure,
  measureRun,
  messagePrefixes,
} from './measure-mechanism'
import { defaultSettings, type Mechanism, type Settings } from './mechanism'
import { type MechanismView, viewOfMechanism } from './mechanism-view'
import { type MechanismRun, runMechanismInSteps } from './run-mechanism'

/** A session with the terms that it is paid by. */
export interface PricedHistory {
  readonly history: SessionHistory
  readonly terms: CostTerms
}

/** The sum over sessions under the same settings; the longest request is that of all. Undefined without sessions. */
export function sumMeasures(measures: readonly MechanismMeasure[]): MechanismMeasure | undefined {
  const [first] = measures
  if (first === undefined) return undefined
  const peakTokens = Math.max(...measures.map((one) => one.peakTokens))
  return { ...addUp(measures), settings: first.settings, peakTokens }
}

/**
 * The settings with the lowest cost of all sessions, among those that the rows say to try; by tokens where a price is unknown.
 * `keeping`: the same among those that keep a share of the later uses. Yields as `runMechanismInSteps` does.
 */
export function* bestSettings(
  sessions: readonly PricedHistory[],
  mechanism: Mechanism,
  keptShare: number,
): Steps<{ readonly best: Settings; readonly keeping: Settings | undefined }> {
  const uses = sessions.reduce((sum, { history }) => sum + history.uses.length, 0)
  const most = mostLostUses(uses, { rule: 'keep_uses', keptShare })
  let [best, keeping]: (Found | undefined)[] = []
  for (const settings of triedSettings(mechanism)) {
    let [cost, tokens] = [0, 0]
    const runs: (readonly [SessionHistory, MechanismRun])[] = []
    for (const { history, terms } of sessions) {
      const run = yield* runMechanismInSteps(history, mechanism, settings)
      const prepared = { session: history.session, prefixTokens: messagePrefixes(history) }
      const sums = createRequestPass(prepared, terms, run.changes).run()
      const side = totalSide(priceTiers(terms.prices, terms.variants), sums)
      const extra = costOfExtra(run, terms)
      cost += (side.costs.cached ?? Number.NaN) + (extra.cost ?? Number.NaN)
      tokens += side.tokens + extra.inputTokens
      runs.push([history, run])
    }
    const found: Found = { settings, cost: Number.isNaN(cost) ? 0 : cost, tokens }
    const lost = () => runs.reduce((sum, given) => sum + lostUsesOf(...given).length, 0)
    if (isCheaper(found, best)) best = found
    if (isCheaper(found, keeping) && lost() <= most) keeping = found
  }
  return { best: best?.settings ?? defaultSettings(mechanism), keeping: keeping?.settings }
}

interface Found extends Pick<MechanismMeasure, 'settings' | 'tokens'> {
  /** 0 if a price is unknown. */
  readonly cost: Usd
}

function isCheaper(one: Found, other: Found | undefined): boolean {
  if (other === undefined || one.cost !== other.cost) return one.cost < (other?.cost ?? Infinity)
  return one.tokens < other.tokens
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

/** The cheapest of those that cost less than changing nothing and keep a share of the later uses, if any do. */
export function cheapestKeeping<Measured extends Pick<MechanismMeasure, 'cost' | 'lostUses'>>(
  measured: readonly Measured[],
  costBefore: Usd | undefined,
  laterUses: number,
  keptShare: number,
): Measured | undefined {
  const mostLost = mostLostUses(laterUses, { rule: 'keep_uses', keptShare })
  const costOf = ({ cost = Number.POSITIVE_INFINITY }: Measured) => cost
  return measured
    .filter((one) => one.lostUses <= mostLost && costOf(one) < (costBefore ?? 0))
    .sort((a, b) => costOf(a) - costOf(b))[0]
}

/** The figures of a session under one mechanism, and those of its cheapest settings as `bestSettings` finds them. */
export interface MeasuredMechanism {
  readonly measure: MechanismFigures
  /** Undefined if they were not searched for. */
  readonly best: MechanismFigures | undefined
  readonly keeping?: MechanismFigures | undefined
  /** With given settings. */
  readonly view?: MechanismView
}

/** The figures with these settings; without, those by default and at the cheapest. Yields as `bestSettings` does. */
export function* measuredMechanism(
  history: SessionHistory,
  mechanism: Mechanism,
  settings: Settings | undefined,
  { terms, repeated, keptShare }: MeasureTerms,
  countTokens: (text: string) => Tokens,
): Steps<MeasuredMechanism> {
  function* runWith(chosen: Settings) {
    const run = yield* runMechanismInSteps(history, mechanism, chosen)
    const requestTokens: Tokens[] = []
    const add = (tokens: Tokens) => requestTokens.push(tokens)
    const { draws, ...measure } = measureRun(history, run, chosen, terms, add)
    const forgotten = forgottenResults(history, run, repeated).size
    return { run, figures: { ...measure, band: draws && bandOf(draws), forgotten, requestTokens } }
  }
  const figuresOf = function* (chosen: Settings) {
    return (yield* runWith(chosen)).figures
  }
  if (settings !== undefined) {
    const { run, figures } = yield* runWith(settings)
    const shown = { history, mechanism, settings, run, terms, repeated, countTokens }
    return { measure: figures, best: undefined, view: viewOfMechanism(shown) }
  }
  const found = yield* bestSettings([{ history, terms }], mechanism, keptShare)
  const measure = yield* figuresOf(defaultSettings(mechanism))
  const best = yield* figuresOf(found.best)
  return { measure, best, keeping: found.keeping && (yield* figuresOf(found.keeping)) }
}
