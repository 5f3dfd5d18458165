import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useMemo, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import {
  FINDING_KINDS,
  type FindingOrder,
  type LoopFinding,
  type LoopFindingKind,
  sortedFindings,
} from '@/lib/state/loop/loop-findings'
import { KindSelect, Select } from '../../ui/select'
import { SortHeading, VirtualRows } from '../../ui/table'
import { CELL, FindingRow, OccurrenceRow } from './finding-rows'

/** Each with the order that its heading applies, if it sorts. */
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

const ROW_HEIGHT = 30

/** Findings grouped by kind, each with its occurrences. Only visible rows are in the DOM. `sentence` is beside the filter. */
export function FindingsTable(props: {
  readonly findings: readonly LoopFinding[]
  readonly sentence: ReactNode
}) {
  const { findings, sentence } = props
  const t = useTranslations('loop.repeatedCalls')
  const [kind, setKind] = useState<LoopFindingKind | 'all'>('all')
  const [order, setOrder] = useState<FindingOrder>('position')
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const scroller = useRef<HTMLDivElement>(null)
  const countOf = (one: LoopFindingKind) => findings.filter((found) => found.kind === one).length
  const present = FINDING_KINDS.filter((one) => countOf(one) > 0)
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
      const { finding, at, kind } = rows[index] ?? {}
      return finding === undefined ? (kind ?? index) : `${finding.key} ${at ?? ''}`
    },
  })
  const toggle = (key: string) => {
    const next = new Set(open)
    if (!next.delete(key)) next.add(key)
    setOpen(next)
  }
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="mb-1.5 flex flex-wrap items-center gap-x-5 gap-y-1">
        <KindSelect
          kind="ghost"
          label={t('table.show')}
          value={shownKind}
          onValueChange={setKind}
          all={t('table.all', { count: findings.length })}
          kinds={present.map((one) => [one, t(`kinds.${one}`), countOf(one)])}
        />
        <span className="lg:hidden">
          <Select<FindingOrder>
            kind="ghost"
            label={t('table.sort')}
            value={order}
            onValueChange={setOrder}
            options={COLUMNS.flatMap(([column, value]) => {
              const label = t('table.sortBy', { column: t(`table.${column}`) })
              return value === undefined ? [] : [{ value, label }]
            })}
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
              {COLUMNS.map(([column, by]) => {
                const direction = by === 'position' ? 'ascending' : 'descending'
                return (
                  <SortHeading
                    key={column}
                    label={t(`table.${column}`)}
                    title={t('table.sortBy', { column: t(`table.${column}`) })}
                    sort={by && (by === order ? direction : 'none')}
                    onSort={() => by && setOrder(by)}
                    className={`py-1 ${CELL[column]}`}
                  />
                )
              })}
            </tr>
          </thead>
          <tbody className="max-lg:block">
            <VirtualRows virtualizer={virtualizer} columns={FEWEST_COLUMNS}>
              {(index) => {
                const row = rows[index]
                const listed = {
                  ref: virtualizer.measureElement,
                  'data-index': index,
                  'aria-rowindex': index + 2,
                }
                if (row === undefined) return null
                const { kind, count, finding, at } = row
                if (finding === undefined)
                  return (
                    <tr {...listed} className="max-lg:block">
                      <th
                        scope="rowgroup"
                        colSpan={FEWEST_COLUMNS}
                        className="px-2.5 pt-2.5 pb-1 text-left font-semibold text-sm max-lg:block"
                      >
                        {t(`kinds.${kind}`)} <span className="font-normal text-soft">{count}</span>
                      </th>
                    </tr>
                  )
                if (at !== undefined)
                  return <OccurrenceRow finding={finding} at={at} row={listed} />
                return (
                  <FindingRow
                    finding={finding}
                    isOpen={open.has(finding.key)}
                    onToggle={() => toggle(finding.key)}
                    row={listed}
                  />
                )
              }}
            </VirtualRows>
          </tbody>
        </table>
      </div>
    </div>
  )
}

/** A row of the table: a kind, a finding of it, or an occurrence of an expanded finding. */
interface ListRow {
  readonly kind: LoopFindingKind
  readonly count?: number
  readonly finding?: LoopFinding
  readonly at?: number
}

/** Turns findings, already in the order of their kinds, into rows. */
function listRows(findings: readonly LoopFinding[], open: ReadonlySet<string>): ListRow[] {
  return FINDING_KINDS.flatMap((kind): ListRow[] => {
    const ofKind = findings.filter((finding) => finding.kind === kind)
    const rows = ofKind.flatMap((finding): ListRow[] => [
      { kind, finding },
      ...(open.has(finding.key) ? finding.occurrences : []).map((_, at) => ({ kind, finding, at })),
    ])
    return ofKind.length === 0 ? [] : [{ kind, count: ofKind.length }, ...rows]
  })
}
