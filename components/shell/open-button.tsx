'use client'

import { type ReactNode, useRef } from 'react'
import { openFiles } from '@/lib/state/open-file'
import { usePlayground } from '../playground-context'
import { Button, type ButtonProps } from '../ui/button'

export interface OpenButtonProps {
  readonly kind: NonNullable<ButtonProps['kind']>
  readonly children: ReactNode
  readonly title?: string
}

/** Asks for a file and opens it. */
export function OpenButton({ kind, children, title }: OpenButtonProps) {
  const playground = usePlayground()
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button kind={kind} title={title} onClick={() => input.current?.click()}>
        {children}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        tabIndex={-1}
        aria-hidden
        accept=".json,.jsonl,.ndjson,.traj,.txt,.log,.gz,.zip,.zst,.eval,application/json,text/plain"
        onChange={({ target }) => {
          const files = [...(target.files ?? [])]
          // Else choosing the same file again would say nothing.
          target.value = ''
          void openFiles(playground, files)
        }}
      />
    </>
  )
}
