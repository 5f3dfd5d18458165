import type { ComponentProps } from 'react'
import { FIELD_GROUP, FIELD_SURFACE } from './popover'

/** A text area that grows with its text; `isMono` is for code or data. It accepts a ref. */
export function TextArea({
  isMono = false,
  className = '',
  ...rest
}: ComponentProps<'textarea'> & { readonly isMono?: boolean }) {
  const font = isMono ? 'font-mono text-sm leading-normal' : ''
  return (
    <div className={`grid ${FIELD_GROUP}`}>
      <textarea
        spellCheck={!isMono}
        className={`field-sizing-content min-h-16 w-full resize-none overflow-hidden whitespace-pre-wrap break-words bg-transparent px-2.5 py-1.5 outline-none [overflow-wrap:anywhere] ${font} ${className}`}
        {...rest}
      />
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
