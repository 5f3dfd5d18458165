import { useTranslations } from 'use-intl'
import type { DocumentTotals } from '@/lib/core/mask/document-totals'
import { figureOfTotals } from '@/lib/state/files/file-list-rows'
import { TOTALS_COLUMNS, type TotalsColumn } from '@/lib/state/files/file-list-store'
import { useFigureFormat } from '../use-figure-format'
import { isWideOnly, WIDE_ONLY } from './wide-only'

/** The figures of a row; dashes if they are unknown. */
export function FigureCells({
  totals,
  problems,
  isStale,
}: {
  readonly totals: DocumentTotals | undefined
  readonly problems: number
  /** True if the figures are for an earlier policy. */
  readonly isStale: boolean
}) {
  const t = useTranslations('fileList')
  const format = useFigureFormat()
  const figure = (column: TotalsColumn): string => {
    const value = totals && figureOfTotals(totals, column)
    if (value === undefined) return t('unknown')
    return column === 'saved' ? format.share(value / 100) : format.number(value)
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
