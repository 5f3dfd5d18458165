/** What a session costs at each value of the setting of a mechanism that says how much is kept. */
import type { Steps } from '../steps'
import { UNCHANGED } from './as-it-ran'
import { cheapestKeeping } from './best-settings'
import type { SessionHistory } from './history'
import { type MeasureTerms, type MechanismMeasure, measureRun } from './measure-mechanism'
import type { Mechanism, SettingRow, Settings, SettingValue } from './mechanism'
import { highestOffered, mainRow } from './mechanism'
import { runMechanismInSteps } from './run-mechanism'

export interface MainPoint extends Pick<MechanismMeasure, 'tokens' | 'cost' | 'lostUses'> {
  readonly value: SettingValue
}

export interface MainCurve {
  readonly key: string
  /** Without any mechanism. */
  readonly before: Pick<MechanismMeasure, 'tokens' | 'cost'>
  /** From the value that keeps least on. */
  readonly points: readonly MainPoint[]
  /** The cheapest that costs less than no mechanism and keeps the share of later uses; undefined if none does. */
  readonly best: MainPoint | undefined
}

const DIGITS = [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8]

/** All choices in their order, or round numbers up to the highest that a slider offers, with the default and those that are tried. */
export function mainValues(row: SettingRow): readonly SettingValue[] {
  const { value, tried = [], options, least = 0 } = row
  if (options !== undefined) return options
  const numbers = [value, ...tried].filter((one) => typeof one === 'number')
  const last = highestOffered(row)
  const first = Math.max(least, Math.floor(Math.min(...numbers) / 4))
  const round = Array.from({ length: 10 }, (_, power) => DIGITS.map((digit) => digit * 10 ** power))
  const all = [first, ...round.flat().filter(Number.isInteger), ...numbers, last]
  const within = all.filter((one) => one >= first && one <= last)
  return [...new Set(within)].sort((a, b) => a - b)
}

/** `settings` are those of all other rows; undefined if no row is the main one. Yields as `runMechanismInSteps` does. */
export function* mainCurve(
  history: SessionHistory,
  mechanism: Mechanism,
  settings: Settings,
  { terms, keptShare }: Pick<MeasureTerms, 'terms' | 'keptShare'>,
): Steps<MainCurve | undefined> {
  const row = mainRow(mechanism)
  if (row === undefined) return undefined
  const points: MainPoint[] = []
  for (const value of mainValues(row)) {
    const chosen = { ...settings, [row.key]: value }
    const run = yield* runMechanismInSteps(history, mechanism, chosen)
    const { tokens, cost, lostUses } = measureRun(history, run, chosen, terms)
    points.push({ value, tokens, cost, lostUses })
  }
  const unchanged = yield* runMechanismInSteps(history, UNCHANGED, {})
  const { tokens, cost } = measureRun(history, unchanged, {}, terms)
  const best = cheapestKeeping(points, cost, history.uses.length, keptShare)
  return { key: row.key, before: { tokens, cost }, points, best }
}
