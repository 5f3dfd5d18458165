import { ChevronRight } from 'lucide-react'
import { Fragment, type Ref } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { conversationOf, slicesOf, textOfResult } from '@/lib/state/document/selectors'
import type { FindingOccurrence, LoopFinding } from '@/lib/state/loop/loop-findings'
import { useJump } from '../../drawer/bottom-drawer'
import { usePlaygroundState, useView } from '../../playground-context'

/** Position and attributes that the table passes to each row. */
interface ListedRow {
  readonly ref: Ref<HTMLTableRowElement>
  readonly 'data-index': number
  readonly 'aria-rowindex': number
}

/** A table row on a wide screen; on a narrow one it wraps, indented below the call. */
const ROW = 'align-baseline max-lg:flex max-lg:flex-wrap max-lg:gap-x-3 max-lg:pr-2.5'

/** Classes by column. Where the guards leave little room, the two that an open row also has are hidden. */
export const CELL = {
  call: 'lg:px-2.5 max-lg:-ml-5 max-lg:min-w-0 max-lg:max-w-[calc(100%+1.25rem)] max-lg:basis-[calc(100%+1.25rem)]',
  turns: 'lg:w-26 xl:w-34 lg:px-2.5',
  times: 'lg:w-12 xl:w-14 lg:px-2.5 lg:text-right',
  result: 'lg:w-31 lg:px-2.5 lg:max-xl:hidden',
  tokens: 'lg:w-18 lg:px-2.5 lg:text-right',
  stopped: 'lg:w-26 lg:px-2.5 lg:max-xl:hidden',
} as const

/** Class of units, which a wide screen shows in the column heading instead. */
const UNIT = 'text-soft lg:hidden'

/** Number of turns listed before the others are counted. */
const MOST_TURNS = 3

/** A finding: the repeated call, its turns, its count and its tokens. */
export function FindingRow(props: {
  readonly finding: LoopFinding
  readonly isOpen: boolean
  readonly onToggle: () => void
  readonly row: ListedRow
}) {
  const { isOpen } = props
  const t = useTranslations('loop.repeatedCalls.table')
  const format = useFormatter()
  const { calls, occurrences, tokens, stopped, kind } = props.finding
  // The first part of an error message, on one line.
  const errorText = usePlaygroundState((state) => {
    const found = conversationOf(state)?.results[occurrences[0]?.result ?? -1]
    if (kind !== 'error' || state.read === undefined || found === undefined) return ''
    const whole = textOfResult(slicesOf(state.read.source), found)
    return whole.slice(0, MOST_CHARS).replace(/\s+/g, ' ')
  })
  const isOneMore = occurrences.length === MOST_TURNS + 1
  const shown = occurrences.slice(0, isOneMore ? MOST_TURNS + 1 : MOST_TURNS)
  return (
    <tr
      className={`${ROW} hover:bg-line/25 lg:[&>td]:py-1 max-lg:py-1.5 max-lg:pl-7.5`}
      {...props.row}
    >
      <td className={CELL.call}>
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={props.onToggle}
          className="flex w-full min-w-0 cursor-pointer items-baseline gap-1.5 rounded-sm text-left pointer-coarse:min-h-11 pointer-coarse:items-center"
        >
          <ChevronRight
            aria-hidden
            className={`size-3.5 shrink-0 translate-y-0.5 text-soft pointer-coarse:translate-y-0 transition-transform ${isOpen ? 'rotate-90' : ''}`}
          />
          <span className="sr-only">{t('open')}</span>
          <span className={`min-w-0 ${isOpen ? 'break-words' : 'truncate'}`}>
            {calls.map((call, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a call is known by its position
              <Fragment key={at}>
                {at > 0 && (
                  <>
                    <span aria-hidden className="text-faint">{` ⇄ `}</span>
                    <span className="sr-only">{t('and')} </span>
                  </>
                )}
                <span className="font-medium">{call.name ?? t('noName')}</span>{' '}
                <span className="font-mono text-soft text-sm">{call.argumentsPreview}</span>
              </Fragment>
            ))}
            {kind === 'error' && <span className="font-mono text-soft text-sm">{errorText}</span>}
          </span>
        </button>
      </td>
      <td className={CELL.turns}>
        {shown.map(({ turn, message, result }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: occurrences keep their order
          <Fragment key={at}>
            {at > 0 && ' '}
            <TurnLink turn={turn} message={message} result={result} isShort />
          </Fragment>
        ))}
        {occurrences.length > shown.length && (
          <span className="text-soft">
            {' '}
            {t('more', { count: occurrences.length - shown.length })}
          </span>
        )}
      </td>
      <td className={CELL.times}>{t('timesUnit', { count: occurrences.length })}</td>
      <td className={`${CELL.result} text-soft`}>{compared()}</td>
      <td className={CELL.tokens}>
        {format.number(tokens)} <span className={UNIT}>{t('tokensUnit')}</span>
      </td>
      <td className={CELL.stopped}>
        {stopped === 0 ? (
          <span className="text-faint max-lg:hidden">{t('unknown')}</span>
        ) : (
          <>
            {format.number(stopped)}{' '}
            <span className={UNIT}>{t('stoppedUnit', { count: stopped })}</span>
          </>
        )}
      </td>
    </tr>
  )

  /** Counts the occurrences whose result, or whose call by an id, equals the previous one. */
  function compared() {
    const compares = kind === 'id' ? 'isSameCall' : 'isSameResult'
    const known = occurrences.map((one) => one[compares]).filter((value) => value !== undefined)
    const same = known.filter(Boolean).length
    if (known.length === 0) return null
    if (same === 0 || same === known.length) return t(`${compares}.${same > 0}`)
    return t('sameOf', { same, of: known.length })
  }
}

const MOST_CHARS = 200

/** An occurrence of a finding: its distance from the previous one, whether the result is the same, and the guard that stops it. */
export function OccurrenceRow(props: {
  readonly finding: LoopFinding
  readonly at: number
  readonly row: ListedRow
}) {
  const { finding, at } = props
  const { t, format } = useView('loop.repeatedCalls')
  const occurrence = finding.occurrences[at] as FindingOccurrence
  const { turn, message, result, isSameResult, isSameCall, tokens, guard } = occurrence
  const compared = (
    <>
      {isSameResult !== undefined && t(`table.isSameResult.${isSameResult}`)}
      {isSameCall !== undefined && t(`table.isSameCall.${isSameCall}`)}
    </>
  )
  const stopped = guard !== undefined && t(`guard.${guard}`)
  return (
    <tr
      className={`${ROW} text-sm hover:bg-line/25 lg:[&>td]:py-0.5 max-lg:py-1 max-lg:pl-12.5`}
      {...props.row}
    >
      <td className={`${CELL.call} lg:pl-7.5`}>
        <TurnLink turn={turn} message={message} result={result} />{' '}
        <span className="text-soft">
          {turn !== undefined && t('table.message', { message: message + 1 })}
        </span>
        <span className="hidden text-soft lg:max-xl:inline">
          {' '}
          {compared} {stopped}
        </span>
      </td>
      <td className={`${CELL.turns} text-soft`}>{apart()}</td>
      <td className={`${CELL.times} max-lg:hidden`} />
      <td className={`${CELL.result} text-soft`}>{compared}</td>
      <td className={CELL.tokens}>
        {tokens > 0 && (
          <>
            {format.number(tokens)} <span className={UNIT}>{t('table.tokensUnit')}</span>
          </>
        )}
      </td>
      <td className={CELL.stopped}>{stopped}</td>
    </tr>
  )

  function apart() {
    const { turnsApart: turns, timeApart } = occurrence
    if (turns === undefined) return at === 0 && finding.kind !== 'beyond' && t('table.first')
    return timeApart === undefined
      ? t('table.apart', { turns })
      : t('table.apartTime', { turns, time: format.duration(timeApart) })
  }
}

/** Link to a turn or message in the panes. */
export function TurnLink(props: {
  /** Index from 0; undefined for a message outside any turn. */
  readonly turn: number | undefined
  readonly message: number
  readonly result?: number | undefined
  readonly isShort?: boolean
}) {
  const { turn, message, result, isShort = false } = props
  const t = useTranslations('loop.repeatedCalls.table')
  const jump = useJump()
  const isShown = usePlaygroundState(({ selection }) => selection?.message === message)
  const number = turn === undefined ? undefined : turn + 1
  const name =
    number === undefined ? t('message', { message: message + 1 }) : t('turn', { turn: number })
  return (
    <button
      type="button"
      aria-label={isShort && number !== undefined ? t('turnLink', { turn: number }) : undefined}
      aria-current={isShown ? 'true' : undefined}
      onClick={() => jump(message, result)}
      className={`relative cursor-pointer rounded-xs text-accent underline decoration-1 underline-offset-3 before:absolute before:-inset-y-1 before:content-[''] hover:decoration-2 aria-[current=true]:font-semibold pointer-coarse:before:-inset-y-3 ${isShort ? 'inline-flex min-h-6 min-w-6 items-center justify-center before:inset-x-0' : 'before:-inset-x-1'}`}
    >
      {isShort ? (number ?? name) : name}
    </button>
  )
}
