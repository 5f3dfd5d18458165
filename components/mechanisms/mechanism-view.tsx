import { ChevronRight } from 'lucide-react'
import { useEffect } from 'react'
import { cheapestKeeping } from '@/lib/core/mechanisms/best-settings'
import type { MechanismFigures } from '@/lib/core/mechanisms/measure-mechanism'
import { changedSettings, defaultSettings } from '@/lib/core/mechanisms/mechanism'
import { MECHANISM_FACTS } from '@/lib/core/mechanisms/mechanism-table'
import { type Comparison, comparisonOf, hasClearings, spent } from '@/lib/state/costs/mechanisms'
import { useWords } from '../language-provider'
import { useDeferredState, usePlaygroundState, useShown, useView } from '../playground-context'
import { ScrollRegion } from '../ui/table'
import { MechanismDetail } from './mechanism-detail'
import { PictureMenu } from './picture-menu'

/** Every mechanism on the shown session, by default and at its cheapest settings, with a sentence that says what to do. */
export function MechanismView() {
  const { t, format, actions } = useView('mechanisms')
  const isCleared = usePlaygroundState(hasClearings)
  useEffect(() => {
    const ids = Object.keys(MECHANISM_FACTS).filter((id) => id !== 'schema1')
    actions.compareMechanisms(ids.filter((id) => id !== 'as-it-ran' || isCleared))
  }, [actions, isCleared])
  const hasDocument = useDeferredState(({ read }) => read !== undefined)
  const { shown: comparison, isOld } = useShown(comparisonOf)
  const windowTurns = useDeferredState(({ policy }) => policy.windowTurns)
  const mechanism = usePlaygroundState((state) => state.mechanism)
  const note = (text: string) => <p className="p-4 text-soft">{text}</p>
  if (!hasDocument) return note(t('empty'))
  if (comparison === undefined)
    return note(t('pending', { done: 0, all: Object.keys(MECHANISM_FACTS).length - 1 }))
  if (comparison.unchanged.requestTokens.length === 0) return note(t('noRequests'))
  if (!comparison.hasResults) return note(t('noResults'))
  const { unchanged, limit, rows } = comparison
  const isUnknown = mechanism !== undefined && MECHANISM_FACTS[mechanism.id] === undefined
  return (
    <div className="flex flex-col gap-3 overflow-y-auto p-4">
      <div className="flex flex-wrap items-start justify-between gap-x-8 gap-y-2">
        <Headline comparison={comparison} />
        <PictureMenu comparison={comparison} />
      </div>
      {isUnknown && <p className="text-warn">{t('unknown', { id: mechanism.id })}</p>}
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
              {(['forgotten', 'lost', 'rewrites', 'rewritten', 'longest'] as const).map(
                (column) => (
                  <th
                    key={column}
                    scope="col"
                    title={t(`tips.${column}`)}
                    className={`pl-3 ${column === 'forgotten' ? '' : WIDE}`}
                  >
                    {t(`columns.${column}`)}
                  </th>
                ),
              )}
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
            <MechanismRows key={row.id} row={row} before={unchanged} />
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
      <p className="max-w-[80ch] text-soft text-sm">{t('explain')}</p>
    </div>
  )
}

/** Shown where there is room. */
const WIDE = 'hidden @2xl:table-cell'

function Headline({ comparison }: { readonly comparison: Comparison }) {
  const { t, format } = useView('mechanisms')
  const words = useWords()
  const keptShare = usePlaygroundState(({ advice }) => advice.keptShare)
  const { rows, asked, areAllKnown, unchanged, laterUses: uses } = comparison
  const say = (text: string, more?: string) => (
    <div className="min-h-22 max-w-[70ch] @xl:min-h-18">
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
  const { label = '', rows: settings = [] } = MECHANISM_FACTS[found.id] ?? {}
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
    }),
  )
}

/** A mechanism: by default, at its cheapest settings if those are others, and as the user sets it. */
function MechanismRows(props: {
  readonly row: Comparison['rows'][number]
  readonly before: Comparison['unchanged']
}) {
  const { before, row } = props
  const { id, measure, best = measure, keeping } = row
  const { t, actions } = useView('mechanisms')
  const words = useWords()
  const open = usePlaygroundState(({ mechanism }) => mechanism)
  const facts = MECHANISM_FACTS[id] as (typeof MECHANISM_FACTS)[string]
  const name = words({ name: facts.label })
  const isSchema1 = id === 'schema1'
  const canOpen = facts.rows.length > 0 && !isSchema1
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
        <th scope="rowgroup" className="text-left">
          {!canOpen ? (
            <span className="pl-4.5">{name}</span>
          ) : (
            <button
              type="button"
              aria-expanded={isOpen}
              aria-label={t('open', { name })}
              onClick={toggle}
              className="inline-flex cursor-pointer items-baseline gap-1 rounded-sm text-left hover:text-accent pointer-coarse:min-h-11 pointer-coarse:items-center"
            >
              <ChevronRight
                aria-hidden
                className={`size-3.5 shrink-0 self-center text-faint ${isOpen ? 'rotate-90' : ''}`}
              />
              <span className="font-medium">{name}</span>
            </button>
          )}{' '}
          <span className="whitespace-nowrap text-faint text-sm">
            {t(isSchema1 ? 'inUse' : 'default')}
          </span>
        </th>
        <Cells figures={measure} before={before} />
      </tr>
      {[...others].map(([settings, figures]) => (
        <tr key={settings}>
          <th scope="row" className="pl-4.5 text-left text-soft text-sm wrap-anywhere">
            {isSchema1 && figures === best ? (
              t('recommended', { settings })
            ) : (
              <code className="font-mono">{settings}</code>
            )}
          </th>
          <Cells figures={figures} before={before} />
        </tr>
      ))}
      {isOpen && (
        <tr>
          <td colSpan={8} className="pl-4.5! text-left">
            <MechanismDetail
              {...{ id, name, facts, given: open.settings, before }}
              best={best.settings}
              keeping={keeping?.settings}
            />
          </td>
        </tr>
      )}
    </tbody>
  )
}

function Cells(props: {
  /** What is not there is 0. */
  readonly figures: Pick<MechanismFigures, 'tokens' | 'cost' | 'peakTokens'> &
    Partial<MechanismFigures>
  readonly before: Pick<MechanismFigures, 'tokens' | 'cost'>
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
