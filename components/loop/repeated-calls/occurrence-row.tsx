'use client'

import { useFormatter, useTranslations } from 'use-intl'
import type { FindingOccurrence, LoopFinding } from '@/lib/state/loop/loop-findings'
import { useFigureFormat } from '../../use-figure-format'
import { CELL, type ListedRow, ROW, UNIT } from './row-layout'
import { TurnLink } from './turn-link'

export interface OccurrenceRowProps {
  readonly finding: LoopFinding
  readonly at: number
  readonly row: ListedRow
}

/** An occurrence of a finding: its distance from the previous one, whether the result is the same, and the guard that stops it. */
export function OccurrenceRow({ finding, at, row }: OccurrenceRowProps) {
  const t = useTranslations('loop.repeatedCalls')
  const format = useFormatter()
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
      {...row}
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
      <td className={`${CELL.turns} text-soft`}>
        <Apart occurrence={occurrence} isFirst={at === 0 && finding.kind !== 'beyond'} />
      </td>
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
}

function Apart({
  occurrence,
  isFirst,
}: {
  readonly occurrence: FindingOccurrence
  readonly isFirst: boolean
}) {
  const t = useTranslations('loop.repeatedCalls.table')
  const { duration } = useFigureFormat()
  const { turnsApart, timeApart } = occurrence
  if (turnsApart === undefined) return isFirst ? t('first') : null
  return timeApart === undefined
    ? t('apart', { turns: turnsApart })
    : t('apartTime', { turns: turnsApart, time: duration(timeApart) })
}
