import { Fragment } from 'react'
import { useTranslations } from 'use-intl'
import { REASONS, type Reason } from '@/lib/core/policy/decide'
import {
  type Limits,
  NO_FILTER,
  type ResultRow,
  ROW_FIGURES,
  type RowFilter,
  type RowOrder,
  type ToolTotals,
} from '@/lib/core/results/result-rows'
import { NumberField } from '../numbers/number-field'
import { Button } from '../ui/button'
import { Popover } from '../ui/popover'
import { KindSelect } from '../ui/select'

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

/** Filters of the table: tool, decision, and limits of numbers. */
export function ResultsFilter(view: ResultsView) {
  const { filter, onFilter } = view
  const t = useTranslations('results')
  const limits = Object.values(filter.limits).flatMap(({ least, most }) =>
    [least, most].filter((limit) => limit !== undefined),
  ).length
  const countOf = (one: Reason) => view.all.filter(({ reason }) => reason === one).length
  const present = REASONS.filter((one) => countOf(one) > 0 || one === filter.reason)
  // A tool is known by its position, since a name can be any text, or none.
  const tool = view.totals.findIndex((one) => filter.tool && one.tool === filter.tool.name)
  const isFiltered = filter.tool !== undefined || filter.reason !== undefined || limits > 0
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
        kinds={present.map((one) => [one, t(`reasons.${one}`), countOf(one)])}
      />
      <Popover
        label={t('filter.more')}
        trigger={
          <Button size="small">
            {limits === 0 ? t('filter.more') : t('filter.active', { count: limits })}
          </Button>
        }
        className="w-84"
      >
        <LimitFields {...view} />
      </Popover>
      {isFiltered && (
        <Button kind="ghost" size="small" onClick={() => onFilter(NO_FILTER)}>
          {t('filter.clear')}
        </Button>
      )}
    </div>
  )
}

const LARGEST = 1e9

/** Whole numbers; empty is no limit. */
function LimitFields({ filter, onFilter }: ResultsView) {
  const t = useTranslations('results.filter')
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_5.5rem_5.5rem] items-start gap-x-2 gap-y-1.5">
      <span />
      {(['from', 'to'] as const).map((end) => (
        <span key={end} aria-hidden className="text-right text-soft text-sm">
          {t(end)}
        </span>
      ))}
      {ROW_FIGURES.map((figure) => {
        const limits = filter.limits[figure] ?? {}
        const name = t(`figures.${figure}`)
        const set = (next: Limits) =>
          onFilter({ ...filter, limits: { ...filter.limits, [figure]: { ...limits, ...next } } })
        return (
          <Fragment key={figure}>
            <span className="flex min-h-7 items-center font-medium pointer-coarse:min-h-11">
              {name}
            </span>
            {(['least', 'most'] as const).map((end) => (
              <NumberField
                key={end}
                isLabelHidden
                label={t(end, { figure: name })}
                value={limits[end]}
                minimum={-LARGEST}
                maximum={LARGEST}
                onValueChange={(limit) => set({ [end]: limit })}
                onEmptied={() => set({ [end]: undefined })}
                placeholder="–"
                width="full"
              />
            ))}
          </Fragment>
        )
      })}
    </div>
  )
}
