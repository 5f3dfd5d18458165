'use client'

import { useState } from 'react'
import { useTranslations } from 'use-intl'
import type { RowFilter, ToolTotals } from '@/lib/core/results/result-rows'
import { Button } from '../ui/button'
import { useFigureFormat } from '../use-figure-format'

export interface ToolTotalsTableProps {
  readonly totals: readonly ToolTotals[]
  readonly filter: RowFilter
  readonly onFilter: (filter: RowFilter) => void
}

const COLUMNS = ['results', 'tokens', 'share', 'masked'] as const
const MOST_TOOLS = 25

/** Totals by tool, with the reasons of what is kept. A press on a tool shows only its results. */
export function ToolTotalsTable({ totals, filter, onFilter }: ToolTotalsTableProps) {
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

interface ToolRowsProps {
  readonly totals: ToolTotals
  readonly isChosen: boolean
  readonly onChoose: (tool: RowFilter['tool']) => void
}

function ToolRows({ totals, isChosen, onChoose }: ToolRowsProps) {
  const t = useTranslations('results')
  const format = useFigureFormat()
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
