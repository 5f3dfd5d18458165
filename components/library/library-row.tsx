'use client'

import { memo } from 'react'
import { useTranslations } from 'use-intl'
import type { Problem } from '@/lib/core/problem'
import { COLUMNS, type FileState, type LibraryFile } from '@/lib/state/library-store'
import { PathName } from '../ui/path-name'
import { FigureCells } from './figure-cells'
import { WIDE_ONLY } from './wide-only'

export interface LibraryRowProps {
  readonly file: LibraryFile
  /** What all names begin with: it goes without saying. */
  readonly folder: string
  readonly isOpened: boolean
  /** Whether the tab key stops here. */
  readonly isStop: boolean
  /** Whether its figures are of another policy. */
  readonly isStale: boolean
  readonly onReach: (id: number) => void
  readonly onOpen: (id: number) => void
}

/** A file of the list: its figures, or the sentence that says why it has none. A press opens it. */
export const LibraryRow = memo(function LibraryRow(props: LibraryRowProps) {
  const { file, folder, isOpened, isStop, isStale, onReach, onOpen } = props
  const t = useTranslations('library')
  const problemText = useTranslations('problems')
  const { id, name, state } = file
  const shown = name.slice(folder.length)
  const ownName = shown.slice(shown.lastIndexOf('/') + 1)
  return (
    // The button in it is the way for keys; a press anywhere on the row is the same.
    <tr
      onClick={() => onOpen(id)}
      className={`cursor-pointer border-line border-b last:border-b-0 ${isOpened ? 'bg-accent-tint' : 'hover:bg-line/40'}`}
    >
      <th scope="row" className="max-w-0 text-left font-normal lg:w-[26%] max-lg:w-1/2">
        <button
          type="button"
          data-row
          tabIndex={isStop ? 0 : -1}
          aria-current={isOpened ? 'true' : undefined}
          aria-label={name}
          title={name}
          onFocus={() => onReach(id)}
          onClick={(event) => {
            event.stopPropagation()
            onOpen(id)
          }}
          className="flex max-w-full cursor-pointer rounded-sm text-left pointer-coarse:min-h-11 pointer-coarse:items-center"
        >
          <span className="flex min-w-0 max-lg:hidden">
            <PathName name={shown} />
          </span>
          <span className="wrap-anywhere lg:hidden">{ownName}</span>
        </button>
        <span className="wrap-anywhere block text-soft text-sm lg:hidden">
          <Standing state={state} folder={shown.slice(0, -ownName.length)} />
        </span>
      </th>
      {state.state === 'failed' && (
        <td
          colSpan={COLUMNS.length - 1}
          className={`text-left text-sm ${isOther(state.problem) ? 'text-soft' : 'text-warn'}`}
        >
          {problemText(state.problem.code, state.problem.values as never)}
        </td>
      )}
      {state.state === 'waiting' && (
        <td colSpan={COLUMNS.length - 1} className="text-left text-faint">
          {t('waiting')}
        </td>
      )}
      {state.state === 'surveyed' && (
        <>
          <td className={`whitespace-nowrap text-left text-soft ${WIDE_ONLY}`}>
            {state.facts.formatLabel}
          </td>
          <FigureCells
            totals={state.facts.totals}
            problems={state.facts.problems}
            isStale={isStale}
          />
        </>
      )}
    </tr>
  )
})

/** Whether a file is sound and merely no transcript: nothing to worry about. */
function isOther({ code, offset }: Problem): boolean {
  // Not a value of JSON to begin with.
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

/** On a narrow screen: where the file lies, what it is, and how many conversations it holds when several. */
function Standing({ state, folder }: { readonly state: FileState; readonly folder: string }) {
  const t = useTranslations('library')
  const facts = state.state === 'surveyed' ? state.facts : undefined
  const { totals, problems = 0 } = facts ?? {}
  const conversations = totals?.conversations ?? 0
  const parts = [
    folder.replace(/\/$/, ''),
    facts?.formatLabel,
    conversations > 1 && t('conversations', { count: conversations }),
    problems > 0 && t('problems', { count: problems }),
  ]
  return parts.filter(Boolean).join(' · ')
}
