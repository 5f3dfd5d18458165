import { Download } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useTranslations } from 'use-intl'
import {
  FIRST_ORDER,
  filterRows,
  NO_FILTER,
  type ResultRow,
  type RowFilter,
  resultsCsv,
  sortRows,
  type ToolTotals,
} from '@/lib/core/results/result-rows'
import { resultRowsOf, toolTotalsOf } from '@/lib/state/document/result-table'
import { conversationFileName } from '@/lib/state/files/chat-body'
import { BottomDrawer, DrawerSentence } from '../drawer/bottom-drawer'
import { useDeferredState, useView } from '../playground-context'
import { saveFile } from '../save-file'
import { useIsNarrow } from '../shell/use-is-narrow'
import { Button } from '../ui/button'
import { Collapsible } from '../ui/collapsible'
import { ResultsFilter, type ResultsView } from './results-filter'
import { ResultsTable } from './results-table'

type Choice = Pick<ResultsView, 'filter' | 'onFilter' | 'order' | 'onOrder'>

/** Filter, table and totals of the results. */
export function Results({ all, ...choice }: Choice & { readonly all: readonly ResultRow[] }) {
  const { filter, order } = choice
  const { t, format, store, actions } = useView('results')
  const isNarrow = useIsNarrow()
  const rows = useMemo(() => sortRows(filterRows(all, filter), order), [all, filter, order])
  const view = { ...choice, all, rows, totals: toolTotalsOf(all) }
  const saved = rows.reduce((sum, row) => sum + row.saved, 0)
  const figures = {
    isAll: rows.length === all.length ? 'yes' : 'no',
    shown: rows.length,
    all: all.length,
    tokens: format.number(rows.reduce((sum, row) => sum + row.tokens.before, 0)),
  }
  const summary =
    saved < 0
      ? t('shownGrown', { ...figures, added: format.number(-saved) })
      : t('shown', { ...figures, saved: format.number(saved) })
  const lostUses = rows.reduce((sum, row) => sum + (row.lostUses ?? 0), 0)
  const lostResults = rows.filter((row) => (row.lostUses ?? 0) > 0).length
  const lost = lostUses > 0 && t('lost', { count: lostUses, results: lostResults })
  const isEstimated = rows.some(({ tokens }) => tokens.isEstimated)
  const save = () => {
    const name = conversationFileName(store.getState(), ['results.csv'])
    saveFile(actions, name, [resultsCsv(rows)], 'text/csv')
  }
  const byTool = <ToolTotalsTable {...view} />
  return (
    <div className="flex min-h-0 flex-1 gap-6 max-lg:flex-col max-lg:gap-2">
      <div className="flex min-h-0 min-w-0 flex-1 flex-col pb-3">
        <div className="mb-1.5 flex flex-wrap items-center gap-x-4 gap-y-1 lg:max-xl:pr-8">
          <ResultsFilter {...view} />
          <p role="status" className="min-w-0 flex-1 basis-56 text-soft text-sm">
            {summary}
            {lost}
            {isEstimated && `. ${t('estimated')}`}
          </p>
          <Button kind="ghost" size="small" title={t('saveTip')} onClick={save} icon={Download}>
            {t('save')}
          </Button>
        </div>
        {isNarrow !== undefined && (
          <div className="max-h-1/2 shrink-0 max-lg:max-h-none lg:overflow-y-auto xl:hidden">
            <Collapsible label={t('totals.title')}>{byTool}</Collapsible>
          </div>
        )}
        <ResultsTable {...view} />
      </div>
      {isNarrow === false && (
        <div className="w-92 shrink-0 overflow-y-auto border-line border-l pr-8 pb-4 pl-5 max-xl:hidden">
          {byTool}
        </div>
      )}
    </div>
  )
}

/** The drawer with the table of all results. Filter and order stay while it is closed. */
export function ResultsDrawer() {
  const t = useTranslations('results')
  const [order, onOrder] = useState(FIRST_ORDER)
  // A filter belongs to one conversation: another one has other tools and sizes.
  const shown = useDeferredState(
    ({ read, conversation }) => `${read?.source.document} ${conversation}`,
  )
  const [choice, setChoice] = useState({ shown, filter: NO_FILTER })
  return (
    <BottomDrawer drawer="results" title={t('title')} closeLabel={t('close')} isFixed>
      <ResultsOfRequest
        key={shown}
        filter={choice.shown === shown ? choice.filter : NO_FILTER}
        onFilter={(filter) => setChoice({ shown, filter })}
        order={order}
        onOrder={onOrder}
      />
    </BottomDrawer>
  )
}

function ResultsOfRequest(choice: Choice) {
  const { t, format } = useView('results')
  const rows = useDeferredState(resultRowsOf)
  const hasDocument = useDeferredState(({ read }) => read !== undefined)
  const isEarlier = useDeferredState(({ request }) => request !== undefined)
  const note = (text: string) => <p className="max-w-prose text-soft">{text}</p>
  if (rows === undefined) return note(t(hasDocument ? 'working' : 'empty'))
  if (rows.length === 0) return note(t(isEarlier ? 'noneYet' : 'none'))
  const totals = toolTotalsOf(rows)
  const [most] = totals
  return (
    <>
      <DrawerSentence>
        {t('sentence', {
          masked: totals.reduce((sum, { masked }) => sum + masked, 0),
          all: rows.length,
          tools: most === undefined || most.share === 0 ? 1 : totals.length,
          tool: most?.tool ?? t('unknownTool'),
          count: most?.results ?? 0,
          share: format.share(most?.share ?? 0),
        })}
      </DrawerSentence>
      <Results all={rows} {...choice} />
    </>
  )
}

const COLUMNS = ['results', 'tokens', 'share', 'masked'] as const
const MOST_TOOLS = 25

/** Totals by tool, with the reasons of what is kept. A press on a tool shows only its results. */
export function ToolTotalsTable({ totals, filter, onFilter }: ResultsView) {
  const t = useTranslations('results.totals')
  const [most, setMost] = useState(MOST_TOOLS)
  return (
    <>
      <table aria-label={t('title')} className="w-full text-right [&_td]:pl-2.5">
        <thead className="text-soft text-sm lg:sticky lg:top-0 lg:bg-paper">
          <tr className="shadow-[inset_0_-1px_var(--line)] [&>th]:py-1 [&>th]:font-medium">
            <th scope="col" className="text-left">
              {t('columns.tool')}
            </th>
            {COLUMNS.map((column) => (
              <th key={column} scope="col" className="pl-2.5">
                {t(`columns.${column}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {totals.slice(0, most).map((one) => (
            <ToolRows
              key={one.tool === undefined ? 'unknown' : `tool ${one.tool}`}
              totals={one}
              isChosen={filter.tool !== undefined && filter.tool.name === one.tool}
              onChoose={(tool) => onFilter({ ...filter, tool })}
            />
          ))}
        </tbody>
      </table>
      {totals.length > most && (
        <Button kind="link" className="mt-1.5" onClick={() => setMost(most + 4 * MOST_TOOLS)}>
          {t('more', { count: totals.length - most })}
        </Button>
      )}
    </>
  )
}

function ToolRows(props: {
  readonly totals: ToolTotals
  readonly isChosen: boolean
  readonly onChoose: (tool: RowFilter['tool']) => void
}) {
  const { totals, isChosen, onChoose } = props
  const { t, format } = useView('results')
  const { tool, results, tokens, share, masked, lostUses, kept } = totals
  const name = tool ?? t('unknownTool')
  const reasons = kept.map(({ reason, results: count }) =>
    t('totals.keptReason', { count, reason: t(`totals.reasons.${reason}`, { count }) }),
  )
  const notes = [
    ...(reasons.length > 0 ? [t('totals.kept', { reasons: reasons.join(', ') })] : []),
    ...(lostUses > 0 ? [t('totals.lost', { count: lostUses })] : []),
  ]
  return (
    <>
      <tr className="align-baseline [&>*]:pt-1">
        <th scope="row" className="max-w-0 w-full text-left font-normal">
          <button
            type="button"
            aria-pressed={isChosen}
            title={name}
            onClick={() => onChoose(isChosen ? undefined : { name: tool })}
            className="block max-w-full cursor-pointer truncate rounded-sm font-medium text-key underline decoration-line underline-offset-3 hover:decoration-key aria-pressed:bg-accent-tint aria-pressed:text-accent pointer-coarse:min-h-11"
          >
            {name}
          </button>
        </th>
        <td>{format.number(results)}</td>
        <td>{format.number(tokens)}</td>
        <td>{format.share(share)}</td>
        <td>{format.number(masked)}</td>
      </tr>
      {notes.length > 0 && (
        <tr>
          <td colSpan={COLUMNS.length + 1} className="pb-0.5 pl-0! text-left text-soft text-sm">
            {notes.join(' · ')}
          </td>
        </tr>
      )}
    </>
  )
}
