import type { ComponentProps, ReactNode } from 'react'
import { FIELD_GROUP, FIELD_SURFACE } from './popover'

interface TextAreaProps extends ComponentProps<'textarea'> {
  /** True for code or data. */
  readonly isMono?: boolean
  /** The same text with highlighted parts, drawn over the text. Highlights must not change any width. */
  readonly mirror?: ReactNode
}

/** A text area that grows with its text. It accepts a ref. */
export function TextArea({ isMono = false, mirror, className = '', ...rest }: TextAreaProps) {
  const text = `col-start-1 row-start-1 m-0 w-full whitespace-pre-wrap break-words px-2.5 py-1.5 [overflow-wrap:anywhere] ${isMono ? 'font-mono text-sm leading-normal' : ''}`
  return (
    <div className={`grid ${FIELD_GROUP}`}>
      <textarea
        spellCheck={!isMono}
        className={`field-sizing-content min-h-16 resize-none overflow-hidden bg-transparent outline-none ${text} ${mirror === undefined ? '' : 'text-transparent caret-ink'} ${className}`}
        {...rest}
      />
      {/* Placed after the area, so that the selection is drawn below the text. */}
      {mirror !== undefined && (
        <div aria-hidden className={`${text} pointer-events-none text-soft`}>
          {mirror}
          {/* The area shows a last empty line, this element would not. */}
          {'\u200b'}
        </div>
      )}
    </div>
  )
}

/** A field of one line. */
export function TextInput({ className = '', ...rest }: ComponentProps<'input'>) {
  return (
    <input
      type="text"
      spellCheck={false}
      className={`h-7 px-2 text-sm pointer-coarse:h-11 ${FIELD_SURFACE} ${className}`}
      {...rest}
    />
  )
}
