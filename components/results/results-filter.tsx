import { Fragment, useId } from 'react'
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
import { useTypedNumber } from '../numbers/number-field'
import { Button } from '../ui/button'
import { FIELD_SURFACE, Popover } from '../ui/popover'
import { SearchSelect } from '../ui/search-select'
import { KindSelect } from '../ui/select'

/** What the parts of the drawer show and change. */
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
  const isFiltered = filter.tool !== undefined || filter.reason !== undefined || limits > 0
  return (
    <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <ToolSelect {...view} />
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

const MOST_TOOLS = 50

function ToolSelect({ totals, filter, onFilter }: ResultsView) {
  const t = useTranslations('results')
  const all = { value: 'all', label: t('filter.allTools') }
  // A tool is known by its position, since a name can be any text, or none.
  const options = totals.map(({ tool, results }, index) => ({
    value: String(index),
    label: tool ?? t('unknownTool'),
    description: t('filter.toolResults', { count: results }),
  }))
  const { tool: wanted } = filter
  const chosen = totals.findIndex(({ tool }) => wanted !== undefined && tool === wanted.name)
  const search = (query: string) => {
    const wanted = query.trim().toLowerCase()
    const found = options.filter(({ label }) => label.toLowerCase().includes(wanted))
    const tools = {
      label: t('filter.tools', { count: found.length }),
      options: found.slice(0, MOST_TOOLS),
    }
    const groups = wanted === '' ? [{ label: t('filter.tool'), options: [all] }] : []
    return found.length > 0 ? [...groups, tools] : groups
  }
  return (
    <SearchSelect
      label={t('filter.tool')}
      searchLabel={t('filter.searchTool')}
      value={options[chosen] ?? all}
      search={search}
      onValueChange={(value) => {
        const tool = totals[Number(value)]
        onFilter({ ...filter, tool: tool && { name: tool.tool } })
      }}
      empty={t('filter.noTool')}
    />
  )
}

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
              <LimitField
                key={end}
                label={t(end, { figure: name })}
                value={limits[end]}
                onValueChange={(limit) => set({ [end]: limit })}
              />
            ))}
          </Fragment>
        )
      })}
    </div>
  )
}

const BOUNDS = { minimum: -1e9, maximum: 1e9, digits: 0 }

/** A whole number; empty is no limit. */
function LimitField(props: {
  readonly label: string
  readonly value: number | undefined
  readonly onValueChange: (value: number | undefined) => void
}) {
  const { label, ...field } = props
  const id = useId()
  const { inputProps, problem } = useTypedNumber({ id, ...BOUNDS, ...field })
  return (
    <span>
      <input
        {...inputProps}
        aria-label={label}
        aria-describedby={problem === undefined ? undefined : `${id}-problem`}
        placeholder="–"
        className={`h-7 w-full px-2 text-right tabular-nums outline-none placeholder:text-faint aria-invalid:text-bad pointer-coarse:h-11 ${FIELD_SURFACE}`}
      />
      <span id={`${id}-problem`} aria-live="polite" className="block text-bad text-sm empty:hidden">
        {problem}
      </span>
    </span>
  )
}
