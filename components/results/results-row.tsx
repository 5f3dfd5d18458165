import type { ResultRow, RowColumn } from '@/lib/core/results/result-rows'
import { shownConversationOf } from '@/lib/state/costs/request-view'
import { kindOfReason } from '@/lib/state/timeline/timeline-layout'
import { useReasonSentence } from '../messages-view/use-reason-sentence'
import { useDeferredState, useView } from '../playground-context'
import { MarkSwatch } from '../timeline/timeline-legend'

/** Classes by column. */
export const CELL: Readonly<Record<RowColumn, string>> = {
  turn: 'lg:w-15 lg:px-2.5',
  tool: 'lg:px-2.5',
  reason: 'lg:w-38 lg:px-2.5 max-lg:col-span-2 max-lg:order-1',
  tokens: 'text-right lg:w-18 lg:px-2.5',
  saved: 'text-right lg:w-18 lg:px-2.5 max-lg:order-2',
  lostUses: 'text-right lg:w-22 lg:px-2.5 max-lg:hidden',
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
      className={`cursor-pointer align-baseline lg:[&>*]:py-0.75 max-lg:grid max-lg:grid-cols-[auto_minmax(0,1fr)_auto] max-lg:gap-x-3 max-lg:border-b max-lg:px-2.5 max-lg:py-2 ${isSelected ? 'bg-accent-tint' : 'hover:bg-line/25'}`}
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
          onClick={(event) => {
            event.stopPropagation()
            props.onChoose()
          }}
          className="cursor-pointer rounded-sm text-left"
        >
          <span className="max-lg:hidden">{turn === undefined ? '–' : turn + 1}</span>
          <span className="lg:hidden">{turnName}</span>
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
              : t(`reasons.${reason}`)}
            {lostUses > 0 && (
              <span className="text-bad lg:hidden"> · {t('lostUnit', { count: lostUses })}</span>
            )}
          </span>
        </span>
      </td>
      <td className={`whitespace-nowrap ${CELL.tokens}`}>
        {about}
        {format.number(tokens.before)}{' '}
        <span className="lg:hidden">{t('unit', { count: tokens.before })}</span>
      </td>
      <td className={`whitespace-nowrap ${saved < 0 ? 'text-warn' : ''} ${CELL.saved}`}>
        {saved === 0 ? (
          <span className="text-faint max-lg:hidden">–</span>
        ) : (
          <>
            {about}
            {format.number(saved).replace('-', '−')}{' '}
            <span className="lg:hidden">{t('savedUnit', { count: saved })}</span>
          </>
        )}
      </td>
      <td className={`${lostUses ? 'text-bad' : 'text-faint'} ${CELL.lostUses}`}>
        {lostUses ? format.number(lostUses) : '–'}
      </td>
    </tr>
  )
}
