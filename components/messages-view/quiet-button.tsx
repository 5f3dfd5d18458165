import type { ComponentProps } from 'react'

/** A button that expands a text. It is unobtrusive because almost every message has one. */
export function QuietButton(props: Omit<ComponentProps<'button'>, 'className' | 'type'>) {
  return (
    <button
      type="button"
      className="cursor-pointer rounded-xs text-faint text-sm underline decoration-line underline-offset-3 hover:text-ink hover:decoration-ink pointer-coarse:py-2"
      {...props}
    />
  )
}
