/** All mechanisms on the same sessions, each by default and at its cheapest settings. */
import type { Steps } from '../steps'
import { asItRan, hasClearings } from './as-it-ran'
import {
  bestSettings,
  type MechanismMeasure,
  measureMechanism,
  type PricedHistory,
  sumMeasures,
} from './measure-mechanism'
import { defaultSettings, type Mechanism, type Settings } from './mechanism'
import { MECHANISMS } from './mechanisms'

export interface ComparedMechanism {
  readonly mechanism: Mechanism
  readonly measure: MechanismMeasure
  readonly best: MechanismMeasure
}

/** The mechanisms of a table; what the client did itself is the first where the file records it. */
export function mechanismsFor(sessions: readonly PricedHistory[]): readonly Mechanism[] {
  const isCleared = sessions.some(({ history }) => hasClearings(history))
  return isCleared ? [asItRan, ...MECHANISMS] : MECHANISMS
}

/** Compares one mechanism; `settings` take the place of its defaults. Sessions may not be empty. */
export function* compareMechanism(
  sessions: readonly PricedHistory[],
  mechanism: Mechanism,
  settings: Settings = defaultSettings(mechanism),
): Steps<ComparedMechanism> {
  const measure = measureAll(sessions, mechanism, settings)
  const found = yield* bestSettings(sessions, mechanism)
  const best = measureAll(sessions, mechanism, found)
  const isCheaper = (measure.cost ?? measure.tokens) < (best.cost ?? best.tokens)
  return { mechanism, measure, best: isCheaper ? measure : best }
}

function measureAll(
  sessions: readonly PricedHistory[],
  mechanism: Mechanism,
  settings: Settings,
): MechanismMeasure {
  const measures = sessions.map(({ history, terms }) =>
    measureMechanism(history, mechanism, settings, terms),
  )
  return sumMeasures(measures) as MechanismMeasure
}
