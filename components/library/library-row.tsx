'use client'

import { memo } from 'react'
import { useTranslations } from 'use-intl'
import type { Problem } from '@/lib/core/problem'
import { COLUMNS, type LibraryFile } from '@/lib/state/library-store'
import { FigureCells } from './figure-cells'
import { WIDE_ONLY } from './wide-only'

export interface LibraryRowProps {
  readonly file: LibraryFile
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
  const { file, isOpened, isStop, isStale, onReach, onOpen } = props
  const t = useTranslations('library')
  const problemText = useTranslations('problems')
  const { id, name, state } = file
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
          <PathName name={name} />
        </button>
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
function isOther({ code }: Problem): boolean {
  return [
    'no_conversation',
    'no_conversation_lines',
    'har_without_bodies',
    'har_no_conversation',
    'binary',
    'empty_file',
  ].includes(code)
}

/** The folders give way first: a file is known by its own name. */
function PathName({ name }: { readonly name: string }) {
  const slash = name.lastIndexOf('/') + 1
  return (
    <>
      <span className="min-w-0 truncate text-soft">{name.slice(0, slash)}</span>
      <span className="min-w-0 max-w-full shrink-0 truncate">{name.slice(slash)}</span>
    </>
  )
}
