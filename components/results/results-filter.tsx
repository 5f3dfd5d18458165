import { useTranslations } from 'use-intl'
import { REASONS, type Reason } from '@/lib/core/policy/decide'
import type { ResultRow, RowFilter, RowOrder, ToolTotals } from '@/lib/core/results/result-rows'
import { NO_FILTER } from '@/lib/core/results/result-rows'
import { Button } from '../ui/button'
import { KindSelect } from '../ui/select'
import { useReasonName } from '../use-reason-name'

/** What the parts of the view show and change. */
export interface ResultsView {
  /** The rows before filtering, and those to show, in order. */
  readonly all: readonly ResultRow[]
  readonly rows: readonly ResultRow[]
  readonly totals: readonly ToolTotals[]
  readonly filter: RowFilter
  readonly onFilter: (filter: RowFilter) => void
  readonly order: RowOrder
  readonly onOrder: (order: RowOrder) => void
}

/** Filters of the table: tool and decision. */
export function ResultsFilter(view: ResultsView) {
  const { filter, onFilter } = view
  const t = useTranslations('results')
  const nameOf = useReasonName()
  const countOf = (one: Reason) => view.all.filter(({ reason }) => reason === one).length
  const present = REASONS.filter((one) => countOf(one) > 0 || one === filter.reason)
  // A tool is known by its position, since a name can be any text, or none.
  const tool = view.totals.findIndex((one) => filter.tool && one.tool === filter.tool.name)
  const isFiltered = filter.tool !== undefined || filter.reason !== undefined
  return (
    <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <KindSelect
        kind="small"
        label={t('filter.tool')}
        value={tool === -1 ? 'all' : `${tool}`}
        onValueChange={(value) => {
          const one = view.totals[Number(value)]
          onFilter({ ...filter, tool: one && { name: one.tool } })
        }}
        all={t('filter.allTools')}
        kinds={view.totals.map((one, at) => [`${at}`, one.tool ?? t('unknownTool'), one.results])}
      />
      <KindSelect
        kind="small"
        label={t('filter.reason')}
        value={filter.reason ?? 'all'}
        onValueChange={(value) =>
          onFilter({ ...filter, reason: value === 'all' ? undefined : value })
        }
        all={t('filter.allReasons')}
        kinds={present.map((one) => [one, t(`reasons.${nameOf(one)}`), countOf(one)])}
      />
      {isFiltered && (
        <Button kind="ghost" size="small" onClick={() => onFilter(NO_FILTER)}>
          {t('filter.clear')}
        </Button>
      )}
    </div>
  )
}
