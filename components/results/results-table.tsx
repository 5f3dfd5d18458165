import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import type { ResultRow, RowColumn, RowOrder } from '@/lib/core/results/result-rows'
import { NO_FILTER, ROW_COLUMNS } from '@/lib/core/results/result-rows'
import { shownConversationOf } from '@/lib/state/costs/request-view'
import { conversationOf } from '@/lib/state/document/selectors'
import { kindOfReason } from '@/lib/state/timeline/timeline-layout'
import { useReasonSentence } from '../messages-view/use-reason-sentence'
import { useDeferredState, useView } from '../playground-context'
import { useJump } from '../shell/page-link'
import { MarkSwatch } from '../timeline/timeline-legend'
import { Button } from '../ui/button'
import { Select } from '../ui/select'
import { rangeWith, SortHeading, VirtualRows } from '../ui/table'
import { remInPixels, useWidth } from '../ui/use-width'
import { useReasonName } from '../use-reason-name'
import type { ResultsView } from './results-filter'

/** In rem. Rows are not measured: a row measured while the view opens, at no width, would move the others. */
const ROW_HEIGHT = { wide: 1.6875, narrow: 3.5 }
const HEAD_HEIGHT = 1.6875
/** A narrower table has rows of two lines. */
const NARROW = 30
const PAGE_ROWS = 10

/** Rows of results; only visible ones are in the DOM. The table follows and sets the selection. */
export function ResultsTable({ rows, all, order, onOrder, onFilter }: ResultsView) {
  const { t, actions } = useView('results')
  const jump = useJump()
  const scroller = useRef<HTMLDivElement>(null)
  const selection = useDeferredState((state) => state.selection)
  // Undefined for a message without calls.
  const turn = useDeferredState(
    (state) => conversationOf(state)?.messages[state.selection?.message ?? -1]?.turn,
  )
  const selected = rows.findIndex(({ result }) => result === selection?.result)
  const followed = useRef<number>(undefined)
  const isFocusWanted = useRef(false)
  const [rem] = useState(remInPixels)
  const box = useRef<HTMLDivElement>(null)
  const isNarrow = useWidth(box) < NARROW * rem
  const head = isNarrow ? 0 : HEAD_HEIGHT * rem
  const height = (isNarrow ? ROW_HEIGHT.narrow : ROW_HEIGHT.wide) * rem

  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    overscan: 6,
    paddingStart: head,
    scrollPaddingStart: head,
    getItemKey: (index) => rows[index]?.result ?? index,
    rangeExtractor: (range) => rangeWith(range, selected),
  })

  // The view gets its height after its content.
  const hasHeight = (virtualizer.scrollRect?.height ?? 0) > 0

  // biome-ignore lint/correctness/useExhaustiveDependencies: a result selected again, by its count, is followed again
  useEffect(() => {
    if (!hasHeight) return
    const isOpening = followed.current === undefined
    followed.current = selection?.count ?? 0
    // Calls have no row: the results of their turn come into view.
    const target = selected === -1 ? rows.findIndex((row) => row.turn === turn) : selected
    if (target === -1 || (selected === -1 && turn === undefined)) return
    if (selection?.by !== 'results' || isOpening) {
      virtualizer.scrollToIndex(target, { align: isOpening ? 'center' : 'auto' })
    } else if (isFocusWanted.current) {
      isFocusWanted.current = false
      virtualizer.scrollToIndex(selected, { align: 'auto' })
      const row = scroller.current?.querySelector(`[data-index="${selected}"]`)
      row?.querySelector('button')?.focus({ preventScroll: true })
    }
  }, [selection?.count, hasHeight])

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const row = (event.target as Element).closest<HTMLElement>('[data-index]')
    if (row === null) return
    const at = Number(row.dataset.index)
    const target = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      PageDown: at + PAGE_ROWS,
      PageUp: at - PAGE_ROWS,
      Home: 0,
      End: rows.length - 1,
    }[event.key]
    if (target === undefined) return
    event.preventDefault()
    isFocusWanted.current = true
    const next = rows[Math.min(rows.length - 1, Math.max(0, target))]
    if (next !== undefined) actions.select(next.message, next.result, 'results')
  }

  const sortBy = (column: RowColumn) => t('sortBy', { column: t(`columns.${column}`) })
  const direction = order.isDescending ? 'descending' : 'ascending'
  const items = virtualizer.getVirtualItems()
  const stop = items.some(({ index }) => index === selected) ? selected : items[0]?.index
  const isHidden =
    selected === -1 &&
    selection?.result !== undefined &&
    all.some(({ result }) => result === selection.result)
  return (
    <div ref={box} data-rows={isNarrow ? 'card' : 'row'} className="flex min-h-48 flex-1 flex-col">
      <span className="row:hidden">
        <Select
          kind="ghost"
          label={t('sort')}
          value={order.column}
          onValueChange={(column) =>
            onOrder(nextOrder(column, { column: 'turn', isDescending: column === 'turn' }))
          }
          options={ROW_COLUMNS.map((column) => ({ value: column, label: sortBy(column) }))}
        />
      </span>
      {isHidden && (
        <p className="mb-1 text-soft text-sm">
          {t('filter.hidden')}{' '}
          <Button kind="link" onClick={() => onFilter(NO_FILTER)}>
            {t('filter.clear')}
          </Button>
        </p>
      )}
      <div
        ref={scroller}
        className="min-h-0 flex-1 overflow-y-auto rounded-md border border-line bg-raised [overflow-anchor:none]"
      >
        {rows.length === 0 && <p className="px-2.5 py-2 text-soft">{t('filter.nothing')}</p>}
        <table
          aria-label={t('table')}
          aria-rowcount={rows.length + 1}
          className={`w-full row:table-fixed card:block ${rows.length === 0 ? 'hidden' : ''}`}
        >
          <thead className="sticky top-0 z-10 bg-raised text-soft text-sm card:hidden">
            <tr
              aria-rowindex={1}
              style={{ height: head }}
              className="shadow-[inset_0_-1px_var(--line)]"
            >
              {ROW_COLUMNS.map((column) => (
                <SortHeading
                  key={column}
                  label={t(`columns.${column}`)}
                  title={column === 'lostUses' ? t('lostTip') : sortBy(column)}
                  sort={column === order.column ? direction : 'none'}
                  onSort={() => onOrder(nextOrder(column, order))}
                  className={CELL[column]}
                />
              ))}
            </tr>
          </thead>
          <tbody className="card:block" onKeyDown={onKeyDown}>
            <VirtualRows virtualizer={virtualizer} columns={ROW_COLUMNS.length} head={head}>
              {(index) => {
                const row = rows[index]
                return (
                  row && (
                    <ResultsRow
                      row={row}
                      index={index}
                      height={height}
                      isSelected={index === selected}
                      isTabStop={index === stop}
                      onChoose={() => jump(row.message, row.result, 'results')}
                    />
                  )
                )
              }}
            </VirtualRows>
          </tbody>
        </table>
      </div>
    </div>
  )
}

const LARGEST_FIRST: readonly RowColumn[] = ['tokens', 'saved', 'lostUses']

/** Numbers are sorted from the largest first, unless the column is sorted already. */
function nextOrder(column: RowColumn, order: RowOrder): RowOrder {
  const isDescending =
    column === order.column ? !order.isDescending : LARGEST_FIRST.includes(column)
  return { column, isDescending }
}

/** Classes by column. */
export const CELL: Readonly<Record<RowColumn, string>> = {
  turn: 'row:w-12 row:px-2',
  tool: 'row:px-2',
  reason: 'row:w-[23%] row:px-2 card:col-span-2 card:order-1',
  tokens: 'text-right row:w-16 row:px-2',
  saved: 'text-right row:w-16 row:px-2 card:order-2',
  lostUses: 'text-right row:w-20 row:px-2 card:hidden',
}

/** A row of the table. A press anywhere on it selects the result; keyboard users press the button inside. */
export function ResultsRow(props: {
  readonly row: ResultRow
  /** Position in the table. */
  readonly index: number
  readonly height: number
  readonly isSelected: boolean
  /** True if the row is in the tab order. */
  readonly isTabStop: boolean
  readonly onChoose: () => void
}) {
  const { row, index, isSelected } = props
  const { t, format } = useView('results')
  const nameOf = useReasonName()
  const { turn, tool, toolArguments, tokens, saved, reason, keptBy, lostUses = 0 } = row
  const sentenceOf = useReasonSentence()
  const policy = useDeferredState((state) => state.policy)
  const conversation = useDeferredState(shownConversationOf)
  const result = conversation?.results[row.result]
  const sentence = result && sentenceOf({ reason, keptBy }, result, policy, conversation.turnCount)
  const about = tokens.isEstimated ? '≈ ' : ''
  const turnName = turn === undefined ? t('noTurn') : t('turn', { turn: turn + 1 })
  return (
    <tr
      style={{ height: props.height }}
      data-index={index}
      aria-rowindex={index + 2}
      onClick={({ currentTarget }) => {
        currentTarget.querySelector('button')?.focus({ preventScroll: true })
        props.onChoose()
      }}
      className={`cursor-pointer align-baseline row:[&>*]:py-0.75 card:grid card:grid-cols-[auto_minmax(0,1fr)_auto] card:gap-x-3 card:border-b card:px-2.5 card:py-2 ${isSelected ? 'bg-accent-tint' : 'hover:bg-line/25'}`}
    >
      <th scope="row" className={`text-left font-normal ${CELL.turn}`}>
        <button
          type="button"
          tabIndex={props.isTabStop ? 0 : -1}
          aria-current={isSelected ? 'true' : undefined}
          aria-label={t('row', {
            turn: turn === undefined ? '–' : String(turn + 1),
            tool: tool ?? t('unknownTool'),
          })}
          className="cursor-pointer rounded-sm text-left"
        >
          <span className="card:hidden">{turn === undefined ? '–' : turn + 1}</span>
          <span className="row:hidden">{turnName}</span>
        </button>
      </th>
      <td className={`truncate ${CELL.tool}`}>
        <span className="font-medium text-key">{tool ?? t('unknownTool')}</span>{' '}
        <span className="font-mono text-soft text-sm">{toolArguments}</span>
      </td>
      <td className={CELL.reason}>
        <span className="flex min-w-0 items-baseline gap-1.5" title={sentence}>
          <MarkSwatch kind={kindOfReason(reason)} />
          <span className="truncate">
            {reason === 'kept_error'
              ? t('errorOf', { rules: keptBy.map((rule) => t(`rules.${rule}`)).join(', ') })
              : t(`reasons.${nameOf(reason)}`)}
            {lostUses > 0 && (
              <span className="text-bad row:hidden"> · {t('lostUnit', { count: lostUses })}</span>
            )}
          </span>
        </span>
      </td>
      <td className={`whitespace-nowrap ${CELL.tokens}`}>
        {about}
        {format.number(tokens.before)}{' '}
        <span className="row:hidden">{t('unit', { count: tokens.before })}</span>
      </td>
      <td className={`whitespace-nowrap ${saved < 0 ? 'text-warn' : ''} ${CELL.saved}`}>
        {saved === 0 ? (
          <span className="text-faint card:hidden">–</span>
        ) : (
          <>
            {about}
            {format.number(saved).replace('-', '−')}{' '}
            <span className="row:hidden">{t('savedUnit', { count: saved })}</span>
          </>
        )}
      </td>
      <td className={`${lostUses ? 'text-bad' : 'text-faint'} ${CELL.lostUses}`}>
        {lostUses ? format.number(lostUses) : '–'}
      </td>
    </tr>
  )
}
