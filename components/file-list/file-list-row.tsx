import { ChevronRight } from 'lucide-react'
import { memo } from 'react'
import { batchNumber } from '@/lib/core/policy/policy'
import type { Problem } from '@/lib/core/problem'
import { figureOfRow, type Row } from '@/lib/state/files/file-list-rows'
import type { Column, ListedFile, View } from '@/lib/state/files/file-list-store'
import { COLUMNS } from '@/lib/state/files/file-list-store'
import { useProblemSentence, useWords } from '../language-provider'
import { useView } from '../playground-context'
import { PathName } from '../ui/path-name'

/** A row of the file list: figures, or the reason why there are none. A press opens the file. */
export const FileListRow = memo(function FileListRow(props: {
  readonly file: ListedFile
  /** Position in the table, whose first row is its head. */
  readonly rowIndex: number
  /** Folder that all files have in common. It is not shown. */
  readonly folder: string
  readonly isOpened: boolean
  /** True if the row is in the tab order. */
  readonly isTabStop: boolean
  /** True if the figures are for an earlier policy. */
  readonly isStale: boolean
  readonly view: View
  /** True if the rows of its conversations are shown. */
  readonly isExpanded: boolean
  readonly onExpand: (id: number) => void
  readonly onReach: (id: number) => void
  readonly onOpen: (id: number) => void
}) {
  const { file, folder, isOpened, isTabStop, isStale, view, isExpanded, onReach, onOpen } = props
  const { t } = useView('fileList')
  const sentence = useProblemSentence()
  const words = useWords()
  const { id, name, state } = file
  const shown = name.slice(folder.length)
  const ownName = shown.slice(shown.lastIndexOf('/') + 1)
  const measure = state.state === 'measured' ? state.measure : undefined
  const { sessions = [], totals, problems = 0 } = measure ?? {}
  const conversations = totals?.conversations ?? 0
  // For narrow screens.
  const summary = [
    shown.slice(0, -ownName.length).replace(/\/$/, ''),
    measure && words({ name: measure.formatLabel }),
    conversations > 1 && t('conversations', { count: conversations }),
    problems > 0 && t('problems', { count: problems }),
  ]
  return (
    <>
      {/* A click anywhere on the row; keyboard users press the button inside, whose click comes here too. */}
      <tr
        aria-rowindex={props.rowIndex}
        onClick={() => onOpen(id)}
        className={`cursor-pointer border-line border-b ${isOpened ? 'bg-accent-tint' : 'hover:bg-line/40'}`}
      >
        <th scope="row" className="max-w-0 text-left font-normal lg:w-[26%] max-lg:w-1/2">
          <span className="flex items-center gap-1">
            {sessions.length > 1 && (
              <button
                type="button"
                aria-label={t('expand', { name })}
                aria-expanded={isExpanded}
                onClick={(event) => {
                  event.stopPropagation()
                  props.onExpand(id)
                }}
                className="shrink-0 cursor-pointer rounded-sm text-soft hover:text-ink pointer-coarse:min-h-11 pointer-coarse:min-w-8"
              >
                <ChevronRight
                  aria-hidden
                  className={`size-3.5 transition-transform ${isExpanded ? 'rotate-90' : ''}`}
                />
              </button>
            )}
            <button
              type="button"
              data-row={id}
              tabIndex={isTabStop ? 0 : -1}
              aria-current={isOpened ? 'true' : undefined}
              aria-label={name}
              title={name}
              onFocus={() => onReach(id)}
              className="flex min-w-0 max-w-full cursor-pointer rounded-sm text-left pointer-coarse:min-h-11 pointer-coarse:items-center"
            >
              <span className="flex min-w-0 max-lg:hidden">
                <PathName name={shown} />
              </span>
              <span className="wrap-anywhere lg:hidden">{ownName}</span>
            </button>
          </span>
          <span className="wrap-anywhere block text-soft text-sm lg:hidden">
            {summary.filter(Boolean).join(' · ')}
          </span>
        </th>
        {state.state === 'measured' ? (
          <FigureCells row={state.measure} view={view} isStale={isStale} />
        ) : (
          <td
            colSpan={COLUMNS[view].length - 1}
            className={`text-left ${state.state === 'waiting' ? 'text-faint' : `text-sm ${isOther(state.problem) ? 'text-soft' : 'text-warn'}`}`}
          >
            {state.state === 'waiting' ? t('waiting') : sentence(state.problem)}
          </td>
        )}
      </tr>
      {isExpanded &&
        sessions.map((session) => (
          <tr
            key={session.conversation}
            className="border-line border-b bg-line/25 text-soft text-sm"
          >
            <th scope="row" className="pl-9! text-left font-normal">
              {t('conversation', { number: session.conversation + 1 })}
            </th>
            <FigureCells
              row={{ sessions: [session], recommendation: session.recommendation }}
              {...{ view, isStale }}
            />
          </tr>
        ))}
    </>
  )
})

const OTHER = [
  ...['no_conversation', 'no_conversation_lines', 'har_without_bodies', 'har_no_conversation'],
  ...['binary', 'empty_file'],
]

/** True if a file is valid but is not a transcript: among others, it does not start with a JSON value. */
function isOther({ code, offset }: Problem): boolean {
  return OTHER.includes(code) || (code === 'invalid_json' && offset === 0)
}

/** The figures of a row; dashes if they are unknown. */
export function FigureCells(props: {
  readonly row: Row | undefined
  readonly view: View
  /** True if the figures are for an earlier policy. */
  readonly isStale: boolean
}) {
  const { row, view, isStale } = props
  return COLUMNS[view].map((column) =>
    column === 'name' ? null : (
      <td
        key={column}
        className={`whitespace-nowrap ${isStale ? 'faded' : ''} ${columnClass(column, 'text-soft')} ${row === undefined ? '' : toneOf(row, column)}`}
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
  if (MONEY.includes(column)) return format.money(value)
  if (column === 'saved' || column === 'cachedSaved') return format.share(value / 100)
  if (column !== 'recommended') return format.number(value)
  if (row.recommendation?.state !== 'mask') return t('doNotMask')
  const { windowTurns: window, ...rest } = row.recommendation.point
  const batch = batchNumber(rest)
  const values = { window, batch, share: format.share(value / 100) }
  return <span title={t('ownSettingTip', values)}>{t('ownSetting', values)}</span>
}

const ALWAYS = ['name', 'before', 'after', 'saved', 'cachedBefore', 'cachedAfter', 'cachedSaved']
const MONEY = ['charged', 'plainBefore', 'plainAfter', 'cachedBefore', 'cachedAfter']
const TEXT = ['name', 'format', 'model']

/** Classes of a column that a narrow screen may leave out. */
export function columnClass(column: Column, textClass = ''): string {
  return `${ALWAYS.includes(column) ? '' : 'max-lg:hidden'} ${TEXT.includes(column) ? `text-left ${textClass}` : 'text-right'}`
}
