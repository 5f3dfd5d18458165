/** The table of mechanisms: what `mechanisms.json` says of each. */
import type { Mechanism, MessageEdits, RequestContext, SettingRow, Settings } from './mechanism'
import table from './mechanisms.json' with { type: 'json' }

/** What the table says of a mechanism. */
export type MechanismFacts = Pick<
  Mechanism,
  'label' | 'does' | 'needs' | 'client' | 'source' | 'read' | 'rows' | 'export'
>

/** A mechanism of the table in `mechanisms.json`. `own`: rows that it has from elsewhere, of which the table adds to some. */
export function defineMechanism<State>(
  id: keyof typeof table,
  start: State,
  step: Mechanism<State>['step'],
  own?: readonly SettingRow[],
): Mechanism<State> {
  const { rows, ...facts } = table[id] as unknown as MechanismFacts
  const added = (row: SettingRow) => ({ ...row, ...rows.find(({ key }) => key === row.key) })
  return { id, ...facts, rows: own?.map(added) ?? rows, start, step }
}

/** One that does to a request what it does whatever it did before. */
export function defineStateless(
  id: keyof typeof table,
  editsOf: (sent: RequestContext, settings: Settings) => MessageEdits,
  own?: readonly SettingRow[],
) {
  const step: Mechanism<null>['step'] = (sent, state, settings) => {
    return { state, edits: editsOf(sent, settings) }
  }
  return defineMechanism(id, null, step, own)
}

/** The facts of the mechanisms by id, which a link can name, in the order of tables; without their steps, for views. */
export const MECHANISM_FACTS: Readonly<Record<string, MechanismFacts>> = Object.assign(
  Object.create(null),
  table,
)
