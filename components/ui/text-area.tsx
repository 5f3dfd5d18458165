import type { ComponentProps, ReactNode } from 'react'
import { FIELD_GROUP } from './surface'

export interface TextAreaProps extends ComponentProps<'textarea'> {
  /** Text that is code or data. */
  readonly isMono?: boolean
  /** The same text with marks in it, drawn in the text's place; it may not change any width. */
  readonly mirror?: ReactNode
}

/** Grows with its text; takes a ref, for the caret. */
export function TextArea({ isMono = false, mirror, className = '', ...rest }: TextAreaProps) {
  const text = `col-start-1 row-start-1 m-0 w-full whitespace-pre-wrap break-words px-2.5 py-1.5 [overflow-wrap:anywhere] ${isMono ? 'font-mono text-sm leading-normal' : ''}`
  return (
    <div className={`grid ${FIELD_GROUP}`}>
      <textarea
        spellCheck={!isMono}
        className={`field-sizing-content min-h-16 resize-none overflow-hidden bg-transparent outline-none ${text} ${mirror === undefined ? '' : 'text-transparent caret-ink'} ${className}`}
        {...rest}
      />
      {/* After the area, so that a selection's colour lies below the text. */}
      {mirror !== undefined && (
        <div aria-hidden className={`${text} pointer-events-none text-soft`}>
          {/* After the area, so that a selection's colour lies below the text. */}
          {mirror}
          {/* A last empty line counts in the area and would not here. */}
          {'\u200b'}
        </div>
      )}
    </div>
  )
}
