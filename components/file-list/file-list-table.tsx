import { type KeyboardEvent, useCallback, useEffect, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import {
  commonFolderOf,
  fileListTotalsOf,
  isStale,
  openedFileOf,
  shownFilesOf,
  termsKeyOf,
} from '@/lib/state/files/file-list-rows'
import { COLUMNS } from '@/lib/state/files/file-list-store'
import { useFileList, useFileListState, usePlaygroundState } from '../playground-context'
import { ProgressLine } from '../ui/progress-line'
import { SortHeading } from '../ui/table'
import { columnClass, FigureCells, FileListRow, RowBlock } from './file-list-row'

const BLOCK_ROWS = 25

/** The files with the effect of the policy on each, sortable by column, and the totals. */
export function FileListTable({ onOpened }: { readonly onOpened?: () => void }) {
  const t = useTranslations('fileList')
  const { actions } = useFileList()
  const state = useFileListState((fileList) => fileList)
  const source = usePlaygroundState((playground) => playground.source)
  const key = usePlaygroundState(termsKeyOf)
  const files = shownFilesOf(state)
  const folder = commonFolderOf(state.files)
  const { row, measured } = fileListTotalsOf(state)
  const { view, sorting } = state
  const direction = sorting?.isDescending ? 'descending' : 'ascending'
  const columns = COLUMNS[view].length
  const opened = openedFileOf(state, { source })
  // One row is in the tab order; arrow keys move from there.
  const [reached, setReached] = useState<number>()
  const stop = files.find(({ id }) => id === reached) ?? opened ?? files[0]

  const [expanded, setExpanded] = useState<ReadonlySet<number>>(new Set())
  const expand = useCallback(
    (id: number) =>
      setExpanded(
        (ids) => new Set(ids.has(id) ? [...ids].filter((one) => one !== id) : [...ids, id]),
      ),
    [],
  )

  const open = useCallback(
    (id: number) => {
      void actions.openFile(id)
      onOpened?.()
    },
    [actions, onOpened],
  )

  const shared = { folder, view, onExpand: expand, onReach: setReached, onOpen: open }
  const table = useRef<HTMLTableElement>(null)
  const isFocusWanted = useRef(false)
  useEffect(() => {
    if (!isFocusWanted.current) return
    isFocusWanted.current = false
    table.current?.querySelector<HTMLElement>(`[data-row="${reached}"]`)?.focus()
  }, [reached])
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const by = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }[event.key]
    const { row: focused } = (event.target as HTMLElement).dataset
    const at = files.findIndex(({ id }) => String(id) === focused)
    const ends = { Home: 0, End: files.length - 1 }[event.key]
    const next = ends ?? (by === undefined ? undefined : at + by)
    if (at === -1 || next === undefined) return
    event.preventDefault()
    isFocusWanted.current = true
    setReached(files[Math.min(Math.max(next, 0), files.length - 1)]?.id)
  }
  const blocks = Array.from({ length: Math.ceil(files.length / BLOCK_ROWS) }, (_, at) =>
    files.slice(at * BLOCK_ROWS, (at + 1) * BLOCK_ROWS),
  )

  return (
    <div className="relative lg:mx-6 lg:mb-3 lg:rounded-md lg:border lg:border-line">
      <FileListProgress />
      <table
        ref={table}
        aria-rowcount={files.length + 2}
        className="w-full text-right [&_td]:px-2.5 [&_td]:py-1 [&_th]:px-2.5 [&_th]:py-1 max-lg:[&_td]:px-1.5 max-lg:[&_th]:px-1.5"
      >
        <thead className="sticky top-0 z-10 bg-raised text-soft text-sm">
          <tr className="shadow-[inset_0_-1px_var(--line)]">
            {COLUMNS[view].map((column) => {
              const tip = `tips.${column as 'charged'}` as const
              const sortBy = t('sortBy', { column: t(`columns.${column}`) })
              return (
                <SortHeading
                  key={column}
                  label={t(`columns.${column}`)}
                  note={column === 'name' && folder !== '' ? t('inFolder', { folder }) : ''}
                  title={t.has(tip) ? `${t(tip)}. ${sortBy}` : sortBy}
                  sort={sorting?.column === column ? direction : 'none'}
                  onSort={() => actions.sortBy(column)}
                  className={`whitespace-nowrap ${columnClass(column)}`}
                />
              )
            })}
          </tr>
        </thead>
        {blocks.map((block, at) => (
          <RowBlock
            key={block[0]?.id}
            rows={block.length}
            columns={columns}
            isKept={at === 0 || block.some(({ id }) => id === stop?.id)}
            onKeyDown={onKeyDown}
            render={() =>
              block.map((file, index) => (
                <FileListRow
                  key={file.id}
                  file={file}
                  rowIndex={at * BLOCK_ROWS + index + 2}
                  isOpened={file.id === opened?.id}
                  isTabStop={file.id === stop?.id}
                  isStale={isStale(file, key)}
                  isExpanded={expanded.has(file.id)}
                  {...shared}
                />
              ))
            }
          />
        ))}
        {files.length === 0 && (
          <tbody>
            <tr>
              <td colSpan={columns} className="text-left text-soft">
                {t('filter.none')}
              </td>
            </tr>
          </tbody>
        )}
        <tfoot className="sticky bottom-0 bg-raised">
          <tr className="font-medium shadow-[inset_0_1px_var(--line)]">
            <th scope="row" className="text-left font-medium">
              {t('totals', { measured })}
            </th>
            <FigureCells
              row={measured === 0 ? undefined : row}
              view={view}
              isStale={files.some((file) => isStale(file, key))}
            />
          </tr>
        </tfoot>
      </table>
    </div>
  )
}

/** A thin progress bar at the top edge while files are read. */
function FileListProgress() {
  const t = useTranslations('fileList')
  const work = useFileListState((state) => state.work)
  if (work === undefined) return null
  const share = Math.round((work.done / Math.max(work.all, 1)) * 100) / 100
  return <ProgressLine label={t('progress')} share={share} className="sticky z-20 -mb-0.5" />
}
