import { Download } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { ResultRow, RowFilter, ToolTotals } from '@/lib/core/results/result-rows'
import {
  FIRST_ORDER,
  filterRows,
  NO_FILTER,
  resultsCsv,
  sortRows,
} from '@/lib/core/results/result-rows'
import { resultRowsOf, toolTotalsOf } from '@/lib/state/document/result-table'
import { conversationFileName } from '@/lib/state/files/chat-body'
import { conversationKeyOf, useDeferredState, useView } from '../playground-context'
import { saveFile } from '../save-file'
import { Button } from '../ui/button'
import { Collapsible } from '../ui/collapsible'
import { IconButton } from '../ui/tooltip'
import { useReasonName } from '../use-reason-name'
import { ResultsFilter, type ResultsView } from './results-filter'
import { ResultsTable } from './results-table'

type Choice = Pick<ResultsView, 'filter' | 'onFilter' | 'order' | 'onOrder'>

/** Filter, table and totals of the results. */
export function Results({ all, ...choice }: Choice & { readonly all: readonly ResultRow[] }) {
  const { filter, order } = choice
  const { t, format, store, actions } = useView('results')
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
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <ResultsFilter {...view} />
        <span className="ml-auto">
          <IconButton label={t('save')} tooltip={t('saveTip')} onClick={save} icon={Download} />
        </span>
      </div>
      <p role="status" className="text-soft text-sm">
        {summary}
        {lost}
        {isEstimated && `. ${t('estimated')}`}
      </p>
      <div className="max-h-1/2 shrink-0 overflow-y-auto">
        <Collapsible label={t('totals.title')}>
          <ToolTotalsTable {...view} />
        </Collapsible>
      </div>
      <ResultsTable {...view} />
    </>
  )
}

/** Filter and order, which stay while another view is shown. A filter belongs to one conversation: another one has other tools and sizes. */
export function useResultsChoice(): Choice {
  const [order, onOrder] = useState(FIRST_ORDER)
  const shown = useDeferredState(conversationKeyOf)
  const [choice, setChoice] = useState({ shown, filter: NO_FILTER })
  const filter = choice.shown === shown ? choice.filter : NO_FILTER
  return { filter, onFilter: (filter) => setChoice({ shown, filter }), order, onOrder }
}

/** The table of all results, with its sentence. */
export function SessionResults(choice: Choice) {
  const { t, format } = useView('results')
  const nameOf = useReasonName()
  const rows = useDeferredState(resultRowsOf)
  const hasDocument = useDeferredState(({ read }) => read !== undefined)
  const isEarlier = useDeferredState(({ request }) => request !== undefined)
  const note = (text: string) => <p className="p-4 text-soft">{text}</p>
  if (rows === undefined) return note(t(hasDocument ? 'working' : 'empty'))
  if (rows.length === 0) return note(t(isEarlier ? 'noneYet' : 'none'))
  const totals = toolTotalsOf(rows)
  const [most] = totals
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-1.5 overflow-y-auto p-4 pb-3">
      <p className="font-medium">
        {t('sentence', {
          how: nameOf('masked'),
          masked: totals.reduce((sum, { masked }) => sum + masked, 0),
          all: rows.length,
          tools: most === undefined || most.share === 0 ? 1 : totals.length,
          tool: most?.tool ?? t('unknownTool'),
          count: most?.results ?? 0,
          share: format.share(most?.share ?? 0),
        })}
      </p>
      <Results all={rows} {...choice} />
    </div>
  )
}

const COLUMNS = ['results', 'tokens', 'share', 'masked'] as const
const MOST_TOOLS = 25

/** Totals by tool, with the reasons of what is kept. A press on a tool shows only its results. */
export function ToolTotalsTable({ totals, filter, onFilter }: ResultsView) {
  const { t } = useView('results.totals')
  const nameOf = useReasonName()
  const [most, setMost] = useState(MOST_TOOLS)
  return (
    <>
      <table aria-label={t('title')} className="w-full text-right [&_td]:pl-2.5">
        <thead className="text-soft text-sm">
          <tr className="shadow-[inset_0_-1px_var(--line)] [&>th]:py-1 [&>th]:font-medium">
            <th scope="col" className="text-left">
              {t('columns.tool')}
            </th>
            {COLUMNS.map((column) => (
              <th key={column} scope="col" className="pl-2.5">
                {t(`columns.${column}`, { how: nameOf('masked') })}
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
  const nameOf = useReasonName()
  const name = tool ?? t('unknownTool')
  const reasons = kept.map(({ reason, results: count }) =>
    t('totals.keptReason', { count, reason: t(`totals.reasons.${nameOf(reason)}`, { count }) }),
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
