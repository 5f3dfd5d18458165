import { figureOfRow, type Row } from '@/lib/state/files/file-list-rows'
import { COLUMNS, type Column, type View } from '@/lib/state/files/file-list-store'
import { useWords } from '../language-provider'
import { useView } from '../playground-context'

/** The figures of a row; dashes if they are unknown. */
export function FigureCells({
  row,
  view,
  isStale,
}: {
  readonly row: Row | undefined
  readonly view: View
  /** True if the figures are for an earlier policy. */
  readonly isStale: boolean
}) {
  return COLUMNS[view].map((column) =>
    column === 'name' ? null : (
      <td
        key={column}
        className={`whitespace-nowrap ${isStale ? 'faded' : ''} ${isWideOnly(column) ? WIDE_ONLY : ''} ${isTextColumn(column) ? 'text-left text-soft' : ''} ${row === undefined ? '' : toneOf(row, column)}`}
      >
        {row && <Figure row={row} column={column} />}
      </td>
    ),
  )
}

function toneOf(row: Row, column: Column): string {
  if (column === 'problems') return (row.problems ?? 0) > 0 ? 'text-warn' : 'text-faint'
  if (column !== 'saved' && column !== 'cachedSaved') return ''
  const saved = figureOfRow(row, column)
  if (typeof saved !== 'number' || saved === 0) return ''
  return saved > 0 ? 'text-good' : 'text-warn'
}

function Figure({ row, column }: { readonly row: Row; readonly column: Exclude<Column, 'name'> }) {
  const { t, format } = useView('fileList')
  const words = useWords()
  const value = figureOfRow(row, column)
  if (value === undefined) return row.recommendation || column !== 'recommended' ? t('unknown') : ''
  if (typeof value === 'string') return column === 'format' ? words({ name: value }) : value
  switch (column) {
    case 'charged':
    case 'plainBefore':
    case 'plainAfter':
    case 'cachedBefore':
    case 'cachedAfter':
      return format.money(value)
    case 'saved':
    case 'cachedSaved':
      return format.share(value / 100)
    case 'recommended': {
      if (row.recommendation?.state !== 'mask') return t('doNotMask')
      const { windowTurns: window, batchTurns: batch } = row.recommendation.point
      const values = { window, batch, share: format.share(value / 100) }
      return <span title={t('ownSettingTip', values)}>{t('ownSetting', values)}</span>
    }
    default:
      return format.number(value)
  }
}

/** Class of cells that a narrow screen leaves out. */
export const WIDE_ONLY = 'max-lg:hidden'

const ALWAYS: readonly Column[] = [
  'name',
  'before',
  'after',
  'saved',
  'cachedBefore',
  'cachedAfter',
  'cachedSaved',
]

export function isWideOnly(column: Column): boolean {
  return !ALWAYS.includes(column)
}

export function isTextColumn(column: Column): boolean {
  return column === 'name' || column === 'format' || column === 'model'
}
