import { useFormatter, useTranslations } from 'use-intl'
import type { DocumentTotals } from '@/lib/core/mask/document-totals'
import { figureOfTotals, type TotalsColumn } from '@/lib/state/library-rows'
import { isWideOnly, WIDE_ONLY } from './wide-only'

const TOTALS_COLUMNS: readonly TotalsColumn[] = [
  'conversations',
  'messages',
  'turns',
  'results',
  'masked',
  'before',
  'after',
  'saved',
]

/** The figures of a row; dashes while they are not known. */
export function FigureCells({
  totals,
  problems,
  isStale,
}: {
  readonly totals: DocumentTotals | undefined
  readonly problems: number
  /** Whether they are of a policy that is no longer set. */
  readonly isStale: boolean
}) {
  const t = useTranslations('library')
  const format = useFormatter()
  const figure = (column: TotalsColumn): string => {
    const value = totals && figureOfTotals(totals, column)
    if (value === undefined) return t('unknown')
    if (column !== 'saved') return format.number(value)
    const maximumFractionDigits = Math.abs(value) < 10 ? 1 : 0
    return format.number(value / 100, { style: 'percent', maximumFractionDigits }).replace('-', '−')
  }
  const shade = isStale ? 'opacity-50' : ''
  const saved = totals && figureOfTotals(totals, 'saved')
  const tone = !saved ? '' : saved > 0 ? 'text-good' : 'text-warn'
  return (
    <>
      {TOTALS_COLUMNS.map((column) => (
        <td
          key={column}
          className={`whitespace-nowrap ${shade} ${isWideOnly(column) ? WIDE_ONLY : ''} ${column === 'saved' ? tone : ''}`}
        >
          {figure(column)}
        </td>
      ))}
      <td className={`${WIDE_ONLY} ${problems > 0 ? 'text-warn' : 'text-faint'}`}>
        {totals === undefined ? t('unknown') : format.number(problems)}
      </td>
    </>
  )
}
