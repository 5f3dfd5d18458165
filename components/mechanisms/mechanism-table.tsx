import type { ShownFigures } from '@/lib/core/mechanisms/measure-mechanism'
import { changedSettings, type Settings } from '@/lib/core/mechanisms/mechanism'
import { MECHANISM_FACTS } from '@/lib/core/mechanisms/mechanism-table'
import { policyOfSettings, settingsOfPolicy } from '@/lib/core/policy/policy'
import { mechanismAdvice } from '@/lib/core/report/mechanism-advice'
import { type ComparedMechanisms, spent } from '@/lib/state/costs/mechanisms'
import { useWords } from '../language-provider'
import { usePlaygroundState, useView } from '../playground-context'
import { BrokenAtSigns } from '../ui/line-breaks'
import { ScrollRegion } from '../ui/table'

/**
 * Each mechanism by default, at its cheapest settings, and at the cheapest that keep enough. `windowTurns` are those of the limit.
 * Of the open session, a press tries a mechanism, and Schema 1 has the settings in use.
 */
export function MechanismTable(props: {
  readonly comparison: ComparedMechanisms
  readonly isOld: boolean
  readonly windowTurns: number
  readonly isOfSession?: boolean
}) {
  const { comparison, isOld, windowTurns, isOfSession = false } = props
  const { unchanged, limit, rows } = comparison
  const { t, format } = useView('mechanisms')
  return (
    <ScrollRegion aria-label={t('columns.mechanism')} className="shrink-0 overflow-x-auto">
      <table
        className={`w-full text-right [&_td]:py-0.5 [&_td]:pl-3 [&_th]:py-0.5 [&_th]:font-normal ${isOld ? 'faded' : ''}`}
      >
        <thead className="text-soft text-sm">
          <tr className="shadow-[inset_0_-1px_var(--line)]">
            <th scope="col" className="text-left">
              {t('columns.mechanism')}
            </th>
            <th scope="col" className="pl-3">
              {t(unchanged.cost === undefined ? 'columns.tokens' : 'columns.cost')}
            </th>
            <td className="hidden @sm:table-cell" />
            {(['forgotten', 'lost', 'rewrites', 'rewritten', 'longest'] as const).map((column) => (
              <th
                key={column}
                scope="col"
                title={t(`tips.${column}`)}
                className={`pl-3 ${column === 'forgotten' ? '' : WIDE}`}
              >
                {t(`columns.${column}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row" className="text-left">
              {t('unchanged')}
            </th>
            <Cells figures={unchanged} before={unchanged} />
          </tr>
        </tbody>
        {rows.map((row) => (
          <MechanismRows key={row.id} {...{ row, isOfSession }} before={unchanged} />
        ))}
        {limit !== undefined && (
          <tbody className="border-t text-soft">
            <tr>
              <th scope="row" className="text-left">
                {t('limit', { window: windowTurns })}
              </th>
              <td>{format.change(unchanged.cost, limit)}</td>
              <td className="hidden @sm:table-cell">{format.money(limit, unchanged.cost)}</td>
            </tr>
          </tbody>
        )}
      </table>
    </ScrollRegion>
  )
}

/** Shown where there is room. */
const WIDE = 'hidden @2xl:table-cell'

/** What to do, and why, once all mechanisms are measured; `format` is that of all sessions. */
export function useAdvice(
  comparison: ComparedMechanisms,
  format: string | undefined,
): readonly string[] {
  const figures = useView('mechanisms').format
  const words = useWords()
  const keptShare = usePlaygroundState(({ advice }) => advice.keptShare)
  if (!comparison.areAllKnown) return []
  const said = mechanismAdvice({ ...comparison, keptShare, format }, figures)
  return said.map((sentences) => sentences.map(words).join(' '))
}

/** The advice, or how many mechanisms are measured. */
export function MechanismHeadline(props: {
  readonly comparison: ComparedMechanisms
  readonly format?: string | undefined
}) {
  const { t } = useView('mechanisms')
  const { rows, asked } = props.comparison
  const [headline, why] = useAdvice(props.comparison, props.format)
  return (
    <div className="min-h-32 max-w-[70ch] @xl:min-h-23">
      <h2 aria-live="polite" className="text-balance font-semibold text-lg leading-6">
        {headline ?? t('pending', { done: rows.length, all: asked })}
      </h2>
      <p className="text-soft tabular-nums">{why}</p>
    </div>
  )
}

/** A mechanism: by default, at its cheapest settings if those are others, and at the cheapest that keep enough. */
function MechanismRows(props: {
  readonly row: ComparedMechanisms['rows'][number]
  readonly before: ComparedMechanisms['unchanged']
  readonly isOfSession: boolean
}) {
  const { before, row, isOfSession } = props
  const { id, measure, best = measure, keeping = measure } = row
  const { t } = useView('mechanisms')
  const words = useWords()
  const facts = MECHANISM_FACTS[id] as (typeof MECHANISM_FACTS)[string]
  const name = words({ name: facts.label })
  const others = new Map(
    [best, keeping].map((one) => [changedSettings(one.settings, measure.settings), one]),
  )
  others.delete('')
  const pressed = (text: string, own: Settings, kind: string) => {
    const label = text === name ? name : `${name}, ${text}`
    if (!isOfSession)
      return (
        <span className={kind}>
          <BrokenAtSigns text={text} />
        </span>
      )
    return <TryButton {...{ id, text, kind }} settings={own} label={t('open', { name: label })} />
  }
  return (
    <tbody className="border-t">
      <tr>
        <th scope="rowgroup" className="text-left">
          {pressed(name, measure.settings, 'font-medium')}{' '}
          <span className="whitespace-nowrap text-faint text-sm">
            {t(isOfSession && id === 'schema1' ? 'inUse' : 'default')}
          </span>
        </th>
        <Cells figures={measure} before={before} />
      </tr>
      {[...others].map(([settings, figures]) => (
        <tr key={settings}>
          <th scope="row" className="pl-4.5 text-left text-soft wrap-anywhere">
            {pressed(settings, figures.settings, 'font-mono text-sm')}
          </th>
          <Cells figures={figures} before={before} />
        </tr>
      ))}
    </tbody>
  )
}

/** Puts a mechanism with settings in place of the policy, or takes it away. The settings of Schema 1 become the policy's. */
function TryButton(props: {
  readonly id: string
  readonly settings: Settings
  readonly text: string
  readonly label: string
  readonly kind: string
}) {
  const { id, settings, text, label, kind } = props
  const { actions } = useView('mechanisms')
  const isOwn = id === 'schema1'
  const policy = usePlaygroundState((state) => state.policy)
  const open = usePlaygroundState(({ mechanism }) => mechanism)
  const inUse = open ?? { id: 'schema1', settings: settingsOfPolicy(policy) }
  const isTried = inUse.id === id && changedSettings(inUse.settings, settings) === ''
  const press = () => {
    // One step to undo.
    actions.tryMechanism(isOwn || isTried ? undefined : { id, settings }, 'try')
    if (isOwn) actions.changePolicy(policyOfSettings(settings), 'try')
    actions.endGesture('try')
  }
  return (
    <button
      type="button"
      aria-pressed={isTried}
      aria-label={label}
      onClick={press}
      className={`cursor-pointer rounded-sm text-left underline decoration-line underline-offset-3 hover:text-accent pointer-coarse:min-h-11 ${kind} ${isTried ? 'text-accent' : ''}`}
    >
      <BrokenAtSigns text={text} />
    </button>
  )
}

function Cells(props: {
  /** What is not there is 0. */
  readonly figures: ComparedMechanisms['unchanged'] & Partial<ShownFigures>
  readonly before: ComparedMechanisms['unchanged']
}) {
  const { t, format } = useView('mechanisms')
  const { figures, before } = props
  const { cost, band, peakTokens, forgotten = 0, lostUses = 0, rewrites = 0 } = figures
  const change = spent(figures) - spent(before)
  const tone = change === 0 ? 'text-soft' : change < 0 ? 'text-good' : 'text-warn'
  const amount =
    before.cost === undefined ? format.number(figures.tokens) : format.money(cost, before.cost)
  const counts = [forgotten, lostUses, rewrites, figures.rewrittenTokens ?? 0, peakTokens]
  return (
    <>
      <td className={`whitespace-nowrap font-medium tabular-nums ${tone}`}>
        {format.change(spent(before), spent(figures))}
      </td>
      <td className="hidden whitespace-nowrap tabular-nums @sm:table-cell">
        {amount}
        {band !== undefined && (
          <span className="hidden text-faint text-xs @4xl:block">
            {t('band', {
              low: format.money(band.low, before.cost),
              high: format.money(band.high, before.cost),
            })}
          </span>
        )}
      </td>
      {counts.map((count, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: columns keep their place
        <td key={at} className={`tabular-nums ${at === 0 ? '' : WIDE}`}>
          {format.number(count)}
        </td>
      ))}
    </>
  )
}
