'use client'

import type { ReactNode } from 'react'
import { Button, type ButtonProps } from '../ui/button'
import { useFileInput } from './use-file-input'

export interface OpenButtonProps {
  readonly kind: NonNullable<ButtonProps['kind']>
  readonly children: ReactNode
  readonly title?: string
  readonly className?: string
}

/** A button that opens files. */
export function OpenButton({ children, ...rest }: OpenButtonProps) {
  const { input, ask } = useFileInput('files')
  return (
    <>
      <Button {...rest} onClick={ask}>
        {children}
      </Button>
      {input}
    </>
  )
}
