import type { ComponentProps } from 'react'

/** Unfolds more of a text; as quiet as the text around it, since there is one in almost every message. */
export function QuietButton(props: Omit<ComponentProps<'button'>, 'className' | 'type'>) {
  return (
    <button
      type="button"
      className="cursor-pointer rounded-xs text-faint text-sm underline decoration-line underline-offset-3 hover:text-ink hover:decoration-ink pointer-coarse:py-2"
      {...props}
    />
  )
}
