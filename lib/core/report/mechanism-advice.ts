/** What to do about long requests, and why: the same sentences on the page and on the command line. */

import { cheapestKeeping } from '../mechanisms/best-settings'
import type { ShownFigures } from '../mechanisms/measure-mechanism'
import { changedSettings, defaultSettings, type Settings } from '../mechanisms/mechanism'
import { MECHANISM_FACTS, type MechanismFacts } from '../mechanisms/mechanism-table'
import type { MeasuredMechanism } from '../mechanisms/mechanism-view'
import { DEFAULT_POLICY, settingsOfPolicy } from '../policy/policy'
import { phrase, type Words } from '../words/words'
import type { FigureFormat } from './figure-format'

type Row = MeasuredMechanism & { readonly id: string }
type Found = ShownFigures & Pick<Row, 'id'>

interface Compared {
  readonly unchanged: Pick<ShownFigures, 'tokens' | 'cost'>
  readonly rows: readonly Row[]
  readonly laterUses: number
  readonly keptShare: number
  /** Of all sessions. */
  readonly format: string | undefined
}

/** Of all settings that were measured: the cheapest that keep enough uses, and of these what the client that wrote the sessions can do as it is. */
export function advisedMechanisms({ unchanged, rows, laterUses, keptShare, format }: Compared) {
  const all = rows.flatMap(({ id, measure, best, keeping }): Found[] =>
    [measure, best ?? [], keeping ?? []].flat().map((one) => ({ ...one, id })),
  )
  const isOwn = ({ id }: Found) => format !== undefined && factsOf(id).client?.format === format
  const cheapest = (some: readonly Found[]) =>
    cheapestKeeping(some, unchanged.cost, laterUses, keptShare)
  return { all, found: cheapest(all), own: cheapest(all.filter(isOwn)) }
}

/** The sentences of a headline, and of what it rests on. First is what the client can do as it is; then what costs less than that. */
export function mechanismAdvice(
  given: Compared,
  { number, share, change }: FigureFormat,
): readonly Words[][] {
  const { unchanged, laterUses, keptShare } = given
  const { cost: before } = unchanged
  if (before === undefined) return [[phrase('advice_unpriced')]]
  const kept = { share: share(keptShare), uses: number(laterUses) }
  const { found, own } = advisedMechanisms(given)
  if (found === undefined) return [[phrase('advice_none', kept)]]
  const saidOf = ({ id, settings, ...figures }: Found) => {
    const { label: name, needs } = factsOf(id)
    return {
      ...{ ...kept, ...namesOf(id, shownSettings(id, settings)) },
      ...{ label: { name }, needs: { name: needs } },
      change: change(before, figures.cost),
      lost: number(figures.lostUses),
      rewrites: number(figures.rewrites),
      tokens: number(figures.tokens),
      before: number(unchanged.tokens),
    }
  }
  const said = [...new Set([own ?? found, found])]
  const headline = phrase('advice_best', saidOf(found))
  return [
    own === undefined ? [headline] : [phrase('advice_own', saidOf(own)), headline],
    said.map((one) => phrase(laterUses === 0 ? 'advice_unused' : 'advice_why', saidOf(one))),
  ]
}

/** The settings that are not the default, as the command line takes them. */
export function shownSettings(id: string, settings: Settings): string {
  // The table of facts has no defaults of Schema 1, which are those of a policy.
  const isOwn = id === 'schema1'
  const defaults = isOwn ? settingsOfPolicy(DEFAULT_POLICY) : defaultSettings(factsOf(id))
  return changedSettings(settings, defaults)
}

/** A mechanism with its changed settings, as `key=value`, and the client that can do this as it is. */
export function namesOf(id: string, settings: string) {
  // A link of a newer version can have others.
  const { label: name = id, client } = MECHANISM_FACTS[id] ?? {}
  const label = { name }
  return {
    client: { name: client?.name ?? '' },
    name: settings === '' ? label : phrase('label_and_settings', { label, settings }),
  }
}

const factsOf = (id: string) => MECHANISM_FACTS[id] as MechanismFacts
