'use client'

import { ChevronRight } from 'lucide-react'
import { memo } from 'react'
import { useTranslations } from 'use-intl'
import type { Problem } from '@/lib/core/problem'
import {
  COLUMNS,
  type FileState,
  type ListedFile,
  type View,
} from '@/lib/state/files/file-list-store'
import { useWords } from '../language-provider'
import { PathName } from '../ui/path-name'
import { useProblemSentence } from '../use-figure-format'
import { ConversationRows } from './conversation-rows'
import { FigureCells } from './figure-cells'

export interface FileListRowProps {
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
}

/** A row of the file list: figures, or the reason why there are none. A press opens the file. */
export const FileListRow = memo(function FileListRow(props: FileListRowProps) {
  const { file, folder, isOpened, isTabStop, isStale, view, isExpanded } = props
  const { onReach, onOpen, onExpand } = props
  const t = useTranslations('fileList')
  const sentence = useProblemSentence()
  const { id, name, state } = file
  const shown = name.slice(folder.length)
  const ownName = shown.slice(shown.lastIndexOf('/') + 1)
  const sessions = state.state === 'measured' ? state.measure.sessions : []
  return (
    <>
      {/* Keyboard users press the button inside; a click anywhere on the row does the same. */}
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
                  onExpand(id)
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
              onClick={(event) => {
                event.stopPropagation()
                onOpen(id)
              }}
              className="flex min-w-0 max-w-full cursor-pointer rounded-sm text-left pointer-coarse:min-h-11 pointer-coarse:items-center"
            >
              <span className="flex min-w-0 max-lg:hidden">
                <PathName name={shown} />
              </span>
              <span className="wrap-anywhere lg:hidden">{ownName}</span>
            </button>
          </span>
          <span className="wrap-anywhere block text-soft text-sm lg:hidden">
            <FileSummary state={state} folder={shown.slice(0, -ownName.length)} />
          </span>
        </th>
        {state.state === 'failed' && (
          <td
            colSpan={COLUMNS[view].length - 1}
            className={`text-left text-sm ${isOther(state.problem) ? 'text-soft' : 'text-warn'}`}
          >
            {sentence(state.problem)}
          </td>
        )}
        {state.state === 'waiting' && (
          <td colSpan={COLUMNS[view].length - 1} className="text-left text-faint">
            {t('waiting')}
          </td>
        )}
        {state.state === 'measured' && (
          <FigureCells row={state.measure} view={view} isStale={isStale} />
        )}
      </tr>
      {isExpanded && <ConversationRows sessions={sessions} view={view} isStale={isStale} />}
    </>
  )
})

/** True if a file is valid but is not a transcript. */
function isOther({ code, offset }: Problem): boolean {
  // The file does not start with a JSON value.
  if (code === 'invalid_json' && offset === 0) return true
  return [
    'no_conversation',
    'no_conversation_lines',
    'har_without_bodies',
    'har_no_conversation',
    'binary',
    'empty_file',
  ].includes(code)
}

/** Folder, format and number of conversations, for narrow screens. */
function FileSummary({ state, folder }: { readonly state: FileState; readonly folder: string }) {
  const t = useTranslations('fileList')
  const words = useWords()
  const measure = state.state === 'measured' ? state.measure : undefined
  const { totals, problems = 0 } = measure ?? {}
  const conversations = totals?.conversations ?? 0
  const parts = [
    folder.replace(/\/$/, ''),
    measure && words({ name: measure.formatLabel }),
    conversations > 1 && t('conversations', { count: conversations }),
    problems > 0 && t('problems', { count: problems }),
  ]
  return parts.filter(Boolean).join(' · ')
}
