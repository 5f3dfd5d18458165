'use client'

import { useVirtualizer } from '@tanstack/react-virtual'
import { ArrowDown, ArrowUp } from 'lucide-react'
import { type ReactNode, useMemo, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import {
  FINDING_KINDS,
  type FindingOrder,
  type LoopFinding,
  type LoopFindingKind,
  sortedFindings,
} from '@/lib/state/loop/loop-findings'
import { Select } from '../../ui/select'
import { CELL, FindingRow, type ListedRow, OccurrenceRow } from './finding-rows'

const COLUMNS = [
  ['call', undefined],
  ['turns', 'position'],
  ['times', 'times'],
  ['result', undefined],
  ['tokens', 'tokens'],
  ['stopped', 'stopped'],
] as const

/** A cell that spans more would add columns where two of them are hidden. */
const FEWEST_COLUMNS = COLUMNS.length - 2

const ORDERS = ['position', 'times', 'tokens', 'stopped'] as const satisfies readonly FindingOrder[]

const ROW_HEIGHT = 30

export interface FindingsTableProps {
  readonly findings: readonly LoopFinding[]
  /** Shown beside the filter. */
  readonly sentence: ReactNode
}

/** Findings grouped by kind, each with its occurrences. Only visible rows are in the DOM. */
export function FindingsTable({ findings, sentence }: FindingsTableProps) {
  const t = useTranslations('loop.repeatedCalls')
  const [kind, setKind] = useState<LoopFindingKind | 'all'>('all')
  const [order, setOrder] = useState<FindingOrder>('position')
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const scroller = useRef<HTMLDivElement>(null)
  const present = FINDING_KINDS.filter((one) => findings.some((finding) => finding.kind === one))
  const shownKind = kind !== 'all' && present.includes(kind) ? kind : 'all'
  const rows = useMemo(
    () => listRows(sortedFindings(findings, shownKind, order), open),
    [findings, shownKind, order, open],
  )
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 8,
    getItemKey: (index) => {
      const row = rows[index]
      if (row === undefined || row.type === 'kind') return row?.kind ?? index
      return row.type === 'finding' ? row.finding.key : `${row.finding.key} ${row.at}`
    },
  })
  const toggle = (key: string) => {
    const next = new Set(open)
    if (!next.delete(key)) next.add(key)
    setOpen(next)
  }
  const items = virtualizer.getVirtualItems()
  const [first, last] = [items[0], items.at(-1)]
  const nameOfOrder = (one: FindingOrder) => t(`table.${one === 'position' ? 'turns' : one}`)

  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="mb-1.5 flex flex-wrap items-center gap-x-5 gap-y-1">
        <Select
          kind="ghost"
          label={t('table.show')}
          value={shownKind}
          onValueChange={setKind}
          options={[
            { value: 'all', label: t('table.all', { count: findings.length }) },
            ...present.map((one) => {
              const count = findings.filter((finding) => finding.kind === one).length
              return { value: one, label: `${t(`kinds.${one}`)} (${count})` }
            }),
          ]}
        />
        <span className="lg:hidden">
          <Select
            kind="ghost"
            label={t('table.sort')}
            value={order}
            onValueChange={setOrder}
            options={ORDERS.map((one) => ({
              value: one,
              label: t('table.sortBy', { column: nameOfOrder(one) }),
            }))}
          />
        </span>
        {sentence}
      </div>
      <div
        ref={scroller}
        className="min-h-0 flex-1 overflow-y-auto rounded-md border border-line bg-raised max-lg:max-h-[60dvh]"
      >
        <table
          aria-label={t('table.label')}
          aria-rowcount={rows.length + 1}
          className="w-full lg:table-fixed max-lg:block"
        >
          <thead className="sticky top-0 z-10 bg-raised text-soft text-sm max-lg:hidden">
            <tr aria-rowindex={1} className="shadow-[inset_0_-1px_var(--line)]">
              {COLUMNS.map(([column, by]) => (
                <Heading key={column} column={column} by={by} order={order} onOrder={setOrder} />
              ))}
            </tr>
          </thead>
          <tbody className="max-lg:block">
            <Space height={first?.start ?? 0} />
            {items.map(({ index, key }) => {
              const row = rows[index]
              if (row === undefined) return null
              const listed: ListedRow = {
                ref: virtualizer.measureElement,
                'data-index': index,
                'aria-rowindex': index + 2,
              }
              switch (row.type) {
                case 'kind':
                  return <KindRow key={key} kind={row.kind} count={row.count} row={listed} />
                case 'finding':
                  return (
                    <FindingRow
                      key={key}
                      finding={row.finding}
                      isOpen={row.isOpen}
                      onToggle={() => toggle(row.finding.key)}
                      row={listed}
                    />
                  )
                case 'occurrence':
                  return <OccurrenceRow key={key} finding={row.finding} at={row.at} row={listed} />
                default:
                  return row satisfies never
              }
            })}
            <Space height={virtualizer.getTotalSize() - (last?.end ?? 0)} />
          </tbody>
        </table>
      </div>
    </div>
  )
}

/** Takes the height of the rows that are not in the DOM. */
function Space({ height }: { height: number }) {
  return height <= 0 ? null : (
    <tr aria-hidden className="max-lg:block" style={{ height }}>
      <td colSpan={FEWEST_COLUMNS} />
    </tr>
  )
}

function KindRow({ kind, count, row }: { kind: LoopFindingKind; count: number; row: ListedRow }) {
  const t = useTranslations('loop.repeatedCalls.kinds')
  return (
    <tr {...row} className="max-lg:block">
      <th
        scope="rowgroup"
        colSpan={FEWEST_COLUMNS}
        className="px-2.5 pt-2.5 pb-1 text-left font-semibold text-sm max-lg:block"
      >
        {t(kind)} <span className="font-normal text-soft">{count}</span>
      </th>
    </tr>
  )
}

interface HeadingProps {
  readonly column: (typeof COLUMNS)[number][0]
  /** The order its button applies; undefined if the column is not sortable. */
  readonly by: FindingOrder | undefined
  readonly order: FindingOrder
  readonly onOrder: (order: FindingOrder) => void
}

function Heading({ column, by, order, onOrder }: HeadingProps) {
  const t = useTranslations('loop.repeatedCalls.table')
  const isSorted = by === order
  const isAscending = by === 'position'
  const sort = isSorted ? (isAscending ? 'ascending' : 'descending') : 'none'
  const Arrow = isAscending ? ArrowUp : ArrowDown
  return (
    <th
      scope="col"
      aria-sort={by === undefined ? undefined : sort}
      className={`py-1 text-left font-medium ${CELL[column]}`}
    >
      {by === undefined ? (
        t(column)
      ) : (
        <button
          type="button"
          title={t('sortBy', { column: t(column) })}
          onClick={() => onOrder(by)}
          className={`inline-flex cursor-pointer items-center gap-0.5 rounded-sm hover:text-ink ${isSorted ? 'text-ink' : ''}`}
        >
          {t(column)}
          {isSorted && <Arrow aria-hidden className="size-3" />}
        </button>
      )}
    </th>
  )
}

/** A row of the table: a kind, a finding, or an occurrence of an expanded finding. */
type ListRow =
  | { readonly type: 'kind'; readonly kind: LoopFindingKind; readonly count: number }
  | { readonly type: 'finding'; readonly finding: LoopFinding; readonly isOpen: boolean }
  | { readonly type: 'occurrence'; readonly finding: LoopFinding; readonly at: number }

/** Turns findings, already in the order of their kinds, into rows. */
function listRows(findings: readonly LoopFinding[], open: ReadonlySet<string>): ListRow[] {
  return FINDING_KINDS.flatMap((kind): ListRow[] => {
    const ofKind = findings.filter((finding) => finding.kind === kind)
    if (ofKind.length === 0) return []
    return [
      { type: 'kind', kind, count: ofKind.length },
      ...ofKind.flatMap((finding): ListRow[] => {
        const isOpen = open.has(finding.key)
        const occurrences = isOpen ? finding.occurrences : []
        return [
          { type: 'finding', finding, isOpen },
          ...occurrences.map((_, at) => ({ type: 'occurrence', finding, at }) as const),
        ]
      }),
    ]
  })
}
