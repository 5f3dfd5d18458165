import { type KeyboardEvent, useCallback, useState } from 'react'
import { flushSync } from 'react-dom'
import {
  commonFolderOf,
  fileListTotalsOf,
  isStale,
  openedFileOf,
  shownFilesOf,
  termsKeyOf,
} from '@/lib/state/files/file-list-rows'
import { COLUMNS, type ListedFile } from '@/lib/state/files/file-list-store'
import { useFileList, useFileListState, usePlaygroundState, useView } from '../playground-context'
import { ProgressLine } from '../ui/progress-line'
import { ShowMore } from '../ui/show-more'
import { SortHeading } from '../ui/table'
import { useWindowEvents } from '../use-events'
import { columnClass, FigureCells, FileListRow } from './file-list-row'

/** Browsers lay out a whole table anew whenever a row changes. */
const AT_ONCE = 100

/** The files with the effect of the policy on each, sortable by column, and the totals. */
export function FileListTable({ onOpened }: { readonly onOpened: () => void }) {
  const { t } = useView('fileList')
  const { actions } = useFileList()
  const state = useFileListState((fileList) => fileList)
  const source = usePlaygroundState((playground) => playground.source)
  const key = usePlaygroundState(termsKeyOf)
  const files = shownFilesOf(state)
  const folder = commonFolderOf(state.files)
  const { row, measured } = fileListTotalsOf(state)
  const { view, sorting, work } = state
  const direction = sorting?.isDescending ? 'descending' : 'ascending'
  const columns = COLUMNS[view].length
  const opened = openedFileOf(state, { source })
  // One row is in the tab order; arrow keys move from there.
  const [reached, setReached] = useState<number>()
  const [most, setMost] = useState(AT_ONCE)
  useWindowEvents({
    beforeprint: () => flushSync(() => setMost(files.length)),
    afterprint: () => setMost(AT_ONCE),
  })
  const stop = files.find(({ id }) => id === reached) ?? opened ?? files[0]

  // The open file is among them, and the one with the focus.
  const last = Math.max(files.indexOf(stop as ListedFile), files.indexOf(opened as ListedFile))
  const shown = files.slice(0, Math.max(most, last + 1))

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
      onOpened()
    },
    [actions, onOpened],
  )

  const shared = { folder, view, onExpand: expand, onReach: setReached, onOpen: open }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const by = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }[event.key]
    const { row: focused } = (event.target as HTMLElement).dataset
    const at = shown.findIndex(({ id }) => String(id) === focused)
    const ends = { Home: 0, End: shown.length - 1 }[event.key]
    const next = ends ?? (by === undefined ? undefined : at + by)
    if (at === -1 || next === undefined) return
    event.preventDefault()
    const row = shown[Math.min(Math.max(next, 0), shown.length - 1)]
    event.currentTarget.querySelector<HTMLElement>(`[data-row="${row?.id}"]`)?.focus()
  }
  return (
    <div className="relative lg:mx-6 lg:mb-3 lg:rounded-md lg:border lg:border-line">
      {work !== undefined && (
        <ProgressLine
          label={t('progress')}
          share={Math.round((work.done / Math.max(work.all, 1)) * 100) / 100}
          className="sticky z-20 -mb-0.5"
        />
      )}
      <table
        aria-rowcount={files.length + 2}
        className="w-full text-right [&_td]:px-2.5 [&_td]:py-1 [&_th]:px-2.5 [&_th]:py-1 max-lg:[&_td]:px-1.5 max-lg:[&_th]:px-1.5"
      >
        <thead className="print:static sticky top-0 z-10 bg-raised text-soft text-sm">
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
        <tbody onKeyDown={onKeyDown} className="[&>tr:last-child]:border-b-0">
          {shown.map((file, at) => (
            <FileListRow
              key={file.id}
              file={file}
              rowIndex={at + 2}
              isOpened={file.id === opened?.id}
              isTabStop={file.id === stop?.id}
              isStale={isStale(file, key)}
              isExpanded={expanded.has(file.id)}
              {...shared}
            />
          ))}
          {(files.length === 0 || shown.length < files.length) && (
            <tr>
              <td colSpan={columns} className="text-left text-soft">
                {files.length === 0 && t('filter.none')}
                <ShowMore
                  all={files.length}
                  most={shown.length}
                  atOnce={AT_ONCE}
                  onMore={setMost}
                />
              </td>
            </tr>
          )}
        </tbody>
        <tfoot className="low:static print:static sticky bottom-0 bg-raised">
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
