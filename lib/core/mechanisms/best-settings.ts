/** The cheapest settings of a mechanism on sessions, among those that are tried. */
import { addUp } from '../conversation/add-up'
import { bandOf } from '../replay/misses/cost-band'
import type { Usd } from '../replay/prompt-cache'
import { mostLostUses } from '../replay/recommend'
import type { CostTerms } from '../replay/request-terms'
import type { Steps } from '../steps'
import { UNCHANGED } from './as-it-ran'
import type { SessionHistory } from './history'
import type { MechanismMeasure, RepeatedCall, ShownFigures } from './measure-mechanism'
import { forgottenResults, measureRun } from './measure-mechanism'
import type { Mechanism, Settings, SettingValue } from './mechanism'
import { defaultSettings, mainRow, mainValues } from './mechanism'
import { runMechanismInSteps } from './run-mechanism'

/** A session with the terms that it is paid by, and its repeated calls where what is forgotten counts. */
export interface PricedHistory {
  readonly history: SessionHistory
  readonly terms: CostTerms
  readonly repeated?: readonly RepeatedCall[]
}

/** A session under a mechanism. Yields as `runMechanismInSteps` does. */
export function* measureInSteps(
  { history, terms, repeated = [] }: PricedHistory,
  mechanism: Mechanism,
  settings: Settings,
) {
  const run = yield* runMechanismInSteps(history, mechanism, settings)
  const { drawn, replay, ...measure } = measureRun(history, run, settings, terms)
  const forgotten = forgottenResults(history, run, repeated).size
  return { run, replay, measure: { ...measure, draws: drawn(), forgotten } }
}

/** The sum over sessions under the same settings, of which there are some; the longest request is that of all. */
export function sumMeasures(
  measures: readonly (MechanismMeasure & Pick<ShownFigures, 'forgotten'>)[],
): ShownFigures {
  const { settings } = measures[0] as (typeof measures)[number]
  const peakTokens = Math.max(...measures.map((one) => one.peakTokens))
  const { draws, ...sum } = addUp(measures)
  return { ...sum, settings, peakTokens, band: draws && bandOf(draws) }
}

/** The same of sessions that are not measured yet. */
export function* measureTogether(
  sessions: readonly PricedHistory[],
  ...under: [mechanism: Mechanism, settings: Settings]
): Steps<ShownFigures> {
  const all: Parameters<typeof sumMeasures>[0][number][] = []
  for (const one of sessions) all.push((yield* measureInSteps(one, ...under)).measure)
  return sumMeasures(all)
}

/**
 * The settings with the lowest cost of all sessions, by tokens where a price is unknown: of those that the rows say to try, and
 * of all values of the main setting beside what else is found. `keeping`: the same among those that keep a share of the later
 * uses. Yields as `runMechanismInSteps` does.
 */
export function* bestSettings(
  sessions: readonly PricedHistory[],
  mechanism: Mechanism,
  keptShare: number,
): Steps<{ readonly best: Settings; readonly keeping: Settings | undefined }> {
  const uses = sessions.reduce((sum, { history }) => sum + history.uses.length, 0)
  const messages = Math.max(...sessions.map(({ history }) => history.messages.length))
  let [all, figures]: [readonly Settings[], Float64Array] = [[], new Float64Array()]
  let due = triedSettings(mechanism)
  for (;;) {
    const more: Float64Array[] = []
    for (const session of sessions) more.push(yield* triedFigures(session, mechanism, due))
    all = [...all, ...due]
    figures = Float64Array.from([...figures, ...addFigures(more)])
    const { best, keeping } = bestFigures(all, figures, uses, keptShare)
    const near = [best, keeping ?? best].flatMap(({ settings }) =>
      besideMain(mechanism, settings, messages),
    )
    due = unequal([...all, ...near]).slice(all.length)
    if (due.length === 0) return { best: best.settings, keeping: keeping?.settings }
  }
}

/** These settings with every value of the main one. */
function besideMain(mechanism: Pick<Mechanism, 'rows'>, settings: Settings, messages = 0) {
  const row = mainRow(mechanism)
  return row ? mainValues(row, messages).map((value) => ({ ...settings, [row.key]: value })) : []
}

/** What is measured at each of the settings that are tried; the last is no sum over sessions. */
const FIGURES = [
  ...(['cost', 'tokens', 'lostUses', 'forgotten', 'rewrites', 'rewrittenTokens'] as const),
  ...(['extraRequests', 'peakTokens'] as const),
] as const

/** The figures of a session at each of the settings that are tried, one after the other; a cost is NaN if a price is unknown. */
export function* triedFigures(
  { history, terms, repeated = [] }: PricedHistory,
  mechanism: Mechanism,
  tried = triedSettings(mechanism),
): Steps<Float64Array> {
  const figures: number[] = []
  for (const settings of tried) {
    const run = yield* runMechanismInSteps(history, mechanism, settings)
    const forgotten = forgottenResults(history, run, repeated).size
    const measure = { ...measureRun(history, run, settings, terms), forgotten }
    figures.push(...FIGURES.map((figure) => measure[figure] ?? Number.NaN))
  }
  return Float64Array.from(figures)
}

/** The same of all sessions together. */
export function addFigures(all: readonly Float64Array[]): Float64Array {
  const isPeak = (at: number) => at % FIGURES.length === FIGURES.length - 1
  return all.reduce((sum, figures) =>
    sum.map((own, at) => {
      const more = figures[at] as number
      return isPeak(at) ? Math.max(own, more) : own + more
    }),
  )
}

/** A mechanism at the first of the settings that are tried, and at the cheapest, by the figures of all sessions. */
export function bestFigures(
  tried: readonly Settings[],
  figures: Float64Array,
  laterUses: number,
  keptShare: number,
) {
  const most = mostLostUses(laterUses, { rule: 'keep_uses', keptShare })
  const all = readFigures(tried, figures)
  // The first of equal ones.
  const sorted = all.toSorted((a, b) => (a.cost ?? 0) - (b.cost ?? 0) || a.tokens - b.tokens)
  const keeping = sorted.find(({ lostUses }) => lostUses <= most)
  return { measure: all[0] as ShownFigures, best: sorted[0] as ShownFigures, keeping }
}

function readFigures(tried: readonly Settings[], figures: Float64Array): ShownFigures[] {
  return tried.map((settings, row): ShownFigures => {
    const own = FIGURES.map((key, at) => [key, figures[row * FIGURES.length + at]])
    const found = { settings, ...Object.fromEntries(own) }
    return { ...found, cost: Number.isNaN(found.cost) ? undefined : found.cost }
  })
}

export type MainCurve = NonNullable<
  ReturnType<typeof mainCurve> extends Steps<infer Curve> ? Curve : never
>

/** A session at each value of the main setting, from the one that keeps least on; undefined if no setting is the main one. */
export function* mainCurve(
  session: PricedHistory,
  mechanism: Mechanism,
  settings: Settings,
  keptShare: number,
) {
  const key = mainRow(mechanism)?.key
  if (key === undefined) return undefined
  const all = besideMain(mechanism, settings, session.history.messages.length)
  const measured = readFigures(all, yield* triedFigures(session, mechanism, all))
  const points = measured.map((one) => ({ ...one, value: one.settings[key] as SettingValue }))
  const before = yield* measureTogether([session], UNCHANGED, {})
  /** The cheapest that costs less than no mechanism and keeps the share of later uses; undefined if none does. */
  const best = cheapestKeeping(points, before.cost, session.history.uses.length, keptShare)
  return { key, before, points, best }
}

/** Every combination of the values to try, and every value of the main setting beside defaults; the defaults first. */
export function triedSettings(mechanism: Pick<Mechanism, 'rows'>): readonly Settings[] {
  const defaults = defaultSettings(mechanism)
  let all: readonly Settings[] = [defaults]
  for (const { key, value, tried = [] } of mechanism.rows) {
    const values = [value, ...tried.filter((one) => one !== value)]
    all = values.flatMap((one) => all.map((settings) => ({ ...settings, [key]: one })))
  }
  return unequal([...all, ...besideMain(mechanism, defaults)])
}

function unequal(all: readonly Settings[]): readonly Settings[] {
  return [...new Map(all.map((settings) => [JSON.stringify(settings), settings])).values()]
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
  const sorted = measured.toSorted((a, b) => costOf(a) - costOf(b))
  return sorted.find((one) => one.lostUses <= mostLost && costOf(one) < (costBefore ?? 0))
}

/** The figures of sessions, of which there are some, together: with these settings and at the cheapest, which can be these. */
export function* searchedMechanism(
  sessions: readonly PricedHistory[],
  mechanism: Mechanism,
  keptShare: number,
  settings: Settings = defaultSettings(mechanism),
) {
  const found = yield* bestSettings(sessions, mechanism, keptShare)
  const at = (chosen: Settings) => measureTogether(sessions, mechanism, chosen)
  const measure = yield* at(settings)
  const best = yield* at(found.best)
  const isCheaper = (measure.cost ?? measure.tokens) < (best.cost ?? best.tokens)
  const keeping = found.keeping && (yield* at(found.keeping))
  const unchanged = yield* measureTogether(sessions, UNCHANGED, {})
  return { measure, best: isCheaper ? measure : best, keeping, unchanged }
}
