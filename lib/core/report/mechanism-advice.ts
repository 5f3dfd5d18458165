/** What to do about long requests, and why: the same sentences on the page and on the command line. */

import { cheapestKeeping } from '../mechanisms/best-settings'
import type { ShownFigures } from '../mechanisms/measure-mechanism'
import { changedSettings, defaultSettings, type Mechanism } from '../mechanisms/mechanism'
import { MECHANISM_FACTS, type MechanismFacts } from '../mechanisms/mechanism-table'
import type { MeasuredMechanism } from '../mechanisms/mechanism-view'
import { phrase, type Words } from '../words/words'
import type { FigureFormat } from './figure-format'

interface Row extends MeasuredMechanism {
  readonly id: string
  /** Where its table of facts lacks the defaults. */
  readonly mechanism?: Pick<Mechanism, 'rows'> | undefined
}
type Found = ShownFigures & Pick<Row, 'id' | 'mechanism'>

/**
 * The sentences of a headline, and of what it rests on. First is what the client can do as it is that wrote the sessions, all of this `format`; then
 * what costs less than that.
 */
export function mechanismAdvice(
  given: {
    readonly unchanged: Pick<ShownFigures, 'tokens' | 'cost'>
    readonly rows: readonly Row[]
    readonly laterUses: number
    readonly keptShare: number
    readonly format: string | undefined
  },
  { number, share, change }: FigureFormat,
): readonly Words[][] {
  const { unchanged, rows, laterUses, keptShare, format } = given
  const { cost: before } = unchanged
  if (before === undefined) return [[phrase('advice_unpriced')]]
  const kept = { share: share(keptShare), uses: number(laterUses) }
  const all = rows.flatMap(({ id, mechanism, measure, best, keeping }): Found[] =>
    [measure, best ?? [], keeping ?? []].flat().map((one) => ({ ...one, id, mechanism })),
  )
  const found = cheapestKeeping(all, before, laterUses, keptShare)
  if (found === undefined) return [[phrase('advice_none', kept)]]
  const isOwn = ({ id }: Found) => format !== undefined && factsOf(id).client?.format === format
  const own = cheapestKeeping(all.filter(isOwn), before, laterUses, keptShare)
  const saidOf = ({ id, settings, mechanism, ...figures }: Found) => {
    const { label: name, needs, client, ...facts } = factsOf(id)
    const [label, set] = [{ name }, changedSettings(settings, defaultSettings(mechanism ?? facts))]
    return {
      ...{ ...kept, label, needs: { name: needs }, client: { name: client?.name ?? '' } },
      name: set === '' ? label : phrase('label_and_settings', { label, settings: set }),
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
    said.map((one) => phrase('advice_why', saidOf(one))),
  ]
}

const factsOf = (id: string) => MECHANISM_FACTS[id] as MechanismFacts
