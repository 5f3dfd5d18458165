'use client'

import { type ReactElement, useRef } from 'react'
import { namedFiles } from '@/lib/state/files/dropped-files'
import { useFileList } from '../playground-context'

const ENDINGS =
  '.json,.jsonl,.ndjson,.traj,.txt,.log,.har,.gz,.zip,.zst,.eval,application/json,text/plain'

/** Returns a hidden file input and functions that open its file or folder picker. Chosen files are opened. */
export function useFileInput(kind: 'files' | 'folder'): {
  readonly input: ReactElement
  readonly ask: () => void
} {
  const { actions } = useFileList()
  const element = useRef<HTMLInputElement>(null)
  const isFolder = kind === 'folder'
  return {
    ask: () => element.current?.click(),
    input: (
      <input
        ref={(input) => {
          element.current = input
          if (input !== null) input.webkitdirectory = isFolder
        }}
        type="file"
        hidden
        multiple
        tabIndex={-1}
        aria-hidden
        accept={isFolder ? undefined : ENDINGS}
        onChange={({ target }) => {
          const files = namedFiles(target.files ?? [])
          // Reset, so that choosing the same file again fires a change event.
          target.value = ''
          void actions.openFiles(files)
        }}
      />
    ),
  }
}
