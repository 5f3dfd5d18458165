import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { cheapestKeeping } from '@/lib/core/mechanisms/best-settings'
import type { ShownFigures } from '@/lib/core/mechanisms/measure-mechanism'
import { changedSettings, defaultSettings, type Settings } from '@/lib/core/mechanisms/mechanism'
import { MECHANISM_FACTS, type MechanismFacts } from '@/lib/core/mechanisms/mechanism-table'
import { type ComparedMechanisms, spent } from '@/lib/state/costs/mechanisms'
import { useWords } from '../language-provider'
import { usePlaygroundState, useView } from '../playground-context'
import { ScrollRegion } from '../ui/table'

export interface OpenMechanism {
  readonly id: string
  readonly name: string
  readonly facts: MechanismFacts
  /** As the user or a link sets it. */
  readonly given: Settings
  /** The cheapest, and the cheapest that keep enough later uses; undefined until they are searched for. */
  readonly best: Settings | undefined
  readonly keeping: Settings | undefined
}

type DetailOf = (open: OpenMechanism) => ReactNode

/**
 * Each mechanism by default, at its cheapest settings, and at the cheapest that keep enough. `windowTurns` are those of the limit.
 * With `detailOf` mechanisms open, and Schema 1 has the settings in use.
 */
export function MechanismTable(props: {
  readonly comparison: ComparedMechanisms
  readonly isOld: boolean
  readonly windowTurns: number
  readonly detailOf?: DetailOf
}) {
  const { comparison, isOld, windowTurns, detailOf } = props
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
          <MechanismRows key={row.id} row={row} before={unchanged} detailOf={detailOf} />
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

/** What to do, and why. */
export function MechanismHeadline(props: { readonly comparison: ComparedMechanisms }) {
  const { t, format } = useView('mechanisms')
  const words = useWords()
  const keptShare = usePlaygroundState(({ advice }) => advice.keptShare)
  const { rows, asked, areAllKnown, unchanged, laterUses: uses } = props.comparison
  const say = (text: string, more?: string) => (
    <div className="min-h-32 max-w-[70ch] @xl:min-h-23">
      <h2 aria-live="polite" className="text-balance font-semibold text-lg leading-6">
        {text}
      </h2>
      {more !== undefined && <p className="text-soft tabular-nums">{more}</p>}
    </div>
  )
  if (!areAllKnown) return say(t('pending', { done: rows.length, all: asked }))
  if (unchanged.cost === undefined) return say(t('unpriced'))
  const all = rows.flatMap(({ id, measure, best, keeping }) =>
    [measure, best ?? [], keeping ?? []].flat().map((one) => ({ ...one, id })),
  )
  const found = cheapestKeeping(all, unchanged.cost, uses, keptShare)
  if (found === undefined) return say(t('none', { kept: format.share(keptShare), uses }))
  const { label = '', needs = '', rows: settings = [] } = MECHANISM_FACTS[found.id] ?? {}
  const set = changedSettings(found.settings, defaultSettings({ rows: settings }))
  return say(
    t('best', {
      name: [words({ name: label }), set].join(' ').trim(),
      change: format.change(unchanged.cost, found.cost),
      share: format.share(keptShare),
      forgotten: found.forgotten,
      lost: found.lostUses,
      uses,
    }),
    t('reason', {
      rewrites: found.rewrites,
      tokens: format.number(found.tokens),
      before: format.number(unchanged.tokens),
      needs: words({ name: needs }),
    }),
  )
}

/** A mechanism: by default, at its cheapest settings if those are others, and as the user sets it. */
function MechanismRows(props: {
  readonly row: ComparedMechanisms['rows'][number]
  readonly before: ComparedMechanisms['unchanged']
  readonly detailOf: DetailOf | undefined
}) {
  const { before, row, detailOf } = props
  const { id, measure, best = measure, keeping } = row
  const { t, actions } = useView('mechanisms')
  const words = useWords()
  const open = usePlaygroundState(({ mechanism }) => mechanism)
  const facts = MECHANISM_FACTS[id] as (typeof MECHANISM_FACTS)[string]
  const name = words({ name: facts.label })
  const isInUse = detailOf !== undefined && id === 'schema1'
  const canOpen = detailOf !== undefined && facts.rows.length > 0 && !isInUse
  const isOpen = canOpen && open?.id === id
  const others = new Map(
    [best, keeping ?? []]
      .flat()
      .map((one) => [changedSettings(one.settings, measure.settings), one]),
  )
  others.delete('')
  const toggle = () => actions.tryMechanism(isOpen ? undefined : { id, settings: best.settings })
  return (
    <tbody className="border-t">
      <tr>
        <th scope="rowgroup" className="pl-4.5 text-left">
          {!canOpen ? (
            name
          ) : (
            <button
              type="button"
              aria-expanded={isOpen}
              aria-label={t('open', { name })}
              onClick={toggle}
              className="-ml-4.5 inline-flex cursor-pointer items-baseline gap-1 rounded-sm text-left hover:text-accent pointer-coarse:min-h-11 pointer-coarse:items-center"
            >
              <ChevronRight
                aria-hidden
                className={`size-3.5 shrink-0 self-center text-faint ${isOpen ? 'rotate-90' : ''}`}
              />
              <span className="font-medium">{name}</span>
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
      {isOpen && (
        <tr>
          <td colSpan={8} className="pl-4.5! text-left">
            {detailOf({
              id,
              name,
              facts,
              given: open.settings,
              best: best.settings,
              keeping: keeping?.settings,
            })}
          </td>
        </tr>
      )}
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
