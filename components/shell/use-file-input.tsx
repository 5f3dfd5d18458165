'use client'

import { type ReactElement, useRef } from 'react'
import { namedFiles } from '@/lib/state/dropped-files'
import { useLibrary } from '../playground-context'

const ENDINGS =
  '.json,.jsonl,.ndjson,.traj,.txt,.log,.har,.gz,.zip,.zst,.eval,application/json,text/plain'

/** An input to put somewhere unseen, and what makes it ask for files or for a folder; they are opened. */
export function useFileInput(kind: 'files' | 'folder'): {
  readonly input: ReactElement
  readonly ask: () => void
} {
  const { actions } = useLibrary()
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
          // Else choosing the same file again would say nothing.
          target.value = ''
          void actions.openFiles(files)
        }}
      />
    ),
  }
}
