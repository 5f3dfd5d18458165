'use client'

import { useFormatter, useTranslations } from 'use-intl'
import type { Finding, FindingPlace } from '@/lib/state/loop-findings'
import { CELL, type ListedRow, ROW, UNIT } from './row-layout'
import { TurnLink } from './turn-link'
import { useDuration } from './use-duration'

export interface PlaceRowProps {
  readonly finding: Finding
  readonly at: number
  readonly row: ListedRow
}

/** One place of a finding: how far it is from the one before, whether it gave the same, and which guard would have stopped it. */
export function PlaceRow({ finding, at, row }: PlaceRowProps) {
  const t = useTranslations('loop.circles')
  const format = useFormatter()
  const place = finding.places[at] as FindingPlace
  const { turn, message, result, isSameResult, isSameCall, tokens, guard } = place
  return (
    <tr
      className={`${ROW} text-sm hover:bg-line/25 lg:[&>td]:py-0.5 max-lg:py-1 max-lg:pl-7.5`}
      {...row}
    >
      <td className={`${CELL.call} lg:pl-7.5`}>
        <TurnLink turn={turn} message={message} result={result} />{' '}
        <span className="text-soft">
          {turn !== undefined && t('table.message', { message: message + 1 })}
        </span>
      </td>
      <td className={`${CELL.turns} text-soft`}>
        <Apart place={place} isFirst={at === 0 && finding.kind !== 'beyond'} />
      </td>
      <td className={`${CELL.times} max-lg:hidden`} />
      <td className={`${CELL.result} text-soft`}>
        {isSameResult !== undefined && t(`table.isSameResult.${isSameResult}`)}
        {isSameCall !== undefined && t(`table.isSameCall.${isSameCall}`)}
      </td>
      <td className={CELL.tokens}>
        {tokens > 0 && (
          <>
            {format.number(tokens)} <span className={UNIT}>{t('table.tokensUnit')}</span>
          </>
        )}
      </td>
      <td className={CELL.stopped}>{guard !== undefined && t(`guard.${guard}`)}</td>
    </tr>
  )
}

function Apart({ place, isFirst }: { readonly place: FindingPlace; readonly isFirst: boolean }) {
  const t = useTranslations('loop.circles.table')
  const durationOf = useDuration()
  const { turnsApart, timeApart } = place
  if (turnsApart === undefined) return isFirst ? t('first') : null
  return timeApart === undefined
    ? t('apart', { turns: turnsApart })
    : t('apartTime', { turns: turnsApart, time: durationOf(timeApart) })
}
