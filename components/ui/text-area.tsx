import type { ComponentProps } from 'react'
import { FIELD_SURFACE } from './surface'

export interface TextAreaProps extends ComponentProps<'textarea'> {
  /** Text that is code or data. */
  readonly isMono?: boolean
}

/** Grows with its text up to a dozen lines; takes a ref, for the caret. */
export function TextArea({ isMono = false, className = '', ...rest }: TextAreaProps) {
  return (
    <textarea
      spellCheck={!isMono}
      className={`field-sizing-content block max-h-60 min-h-16 w-full resize-none px-2.5 py-1.5 ${isMono ? 'font-mono text-sm leading-normal' : ''} ${FIELD_SURFACE} ${className}`}
      {...rest}
    />
  )
}
