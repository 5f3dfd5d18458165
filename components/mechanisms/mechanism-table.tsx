import type { ShownFigures } from '@/lib/core/mechanisms/measure-mechanism'
import { changedSettings } from '@/lib/core/mechanisms/mechanism'
import { MECHANISM_FACTS } from '@/lib/core/mechanisms/mechanism-table'
import { mechanismAdvice } from '@/lib/core/report/mechanism-advice'
import { type ComparedMechanisms, spent } from '@/lib/state/costs/mechanisms'
import { useWords } from '../language-provider'
import { usePlaygroundState, useView } from '../playground-context'
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

/** What to do, and why; `format` is that of all sessions. */
export function MechanismHeadline(props: {
  readonly comparison: ComparedMechanisms
  readonly format?: string | undefined
}) {
  const { t, format } = useView('mechanisms')
  const words = useWords()
  const keptShare = usePlaygroundState(({ advice }) => advice.keptShare)
  const { comparison } = props
  const { rows, asked, areAllKnown } = comparison
  const given = { ...comparison, keptShare, format: props.format }
  const [headline, why] = areAllKnown ? mechanismAdvice(given, format) : []
  return (
    <div className="min-h-32 max-w-[70ch] @xl:min-h-23">
      <h2 aria-live="polite" className="text-balance font-semibold text-lg leading-6">
        {headline?.map(words).join(' ') ?? t('pending', { done: rows.length, all: asked })}
      </h2>
      <p className="text-soft tabular-nums">{why?.map(words).join(' ')}</p>
    </div>
  )
}

/** A mechanism: by default, at its cheapest settings if those are others, and as the user sets it. */
function MechanismRows(props: {
  readonly row: ComparedMechanisms['rows'][number]
  readonly before: ComparedMechanisms['unchanged']
  readonly isOfSession: boolean
}) {
  const { before, row, isOfSession } = props
  const { id, measure, best = measure, keeping } = row
  const { t, actions } = useView('mechanisms')
  const words = useWords()
  const open = usePlaygroundState(({ mechanism }) => mechanism)
  const facts = MECHANISM_FACTS[id] as (typeof MECHANISM_FACTS)[string]
  const name = words({ name: facts.label })
  const isInUse = isOfSession && id === 'schema1'
  const isTried = open?.id === id
  const others = new Map(
    [best, keeping ?? []]
      .flat()
      .map((one) => [changedSettings(one.settings, measure.settings), one]),
  )
  others.delete('')
  const toggle = () => actions.tryMechanism(isTried ? undefined : { id, settings: best.settings })
  return (
    <tbody className="border-t">
      <tr>
        <th scope="rowgroup" className="text-left">
          {!isOfSession || isInUse ? (
            name
          ) : (
            <button
              type="button"
              aria-pressed={isTried}
              aria-label={t('open', { name })}
              onClick={toggle}
              className={`cursor-pointer rounded-sm text-left font-medium underline decoration-line underline-offset-3 hover:text-accent pointer-coarse:min-h-11 ${isTried ? 'text-accent' : ''}`}
            >
              {name}
            </button>
          )}{' '}
          <span className="whitespace-nowrap text-faint text-sm">
            {t(isInUse ? 'inUse' : 'default')}
          </span>
        </th>
        <Cells figures={measure} before={before} />
      </tr>
      {[...others].map(([settings, figures]) => (
        <tr key={settings}>
          <th scope="row" className="pl-4.5 text-left text-soft text-sm wrap-anywhere">
            <code className="font-mono">{settings}</code>
          </th>
          <Cells figures={figures} before={before} />
        </tr>
      ))}
    </tbody>
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
