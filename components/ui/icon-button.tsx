import type { LucideIcon } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { Tooltip } from './tooltip'

/** A square button with an icon. */
export function IconButton(
  props: Omit<ComponentProps<'button'>, 'aria-label' | 'children'> & {
    /** Accessible name, also the default tooltip. */
    readonly label: string
    readonly icon: LucideIcon
    /** Longer tooltip, such as one with a shortcut. */
    readonly tooltip?: ReactNode
  },
) {
  const { label, icon: Icon, tooltip = label, className = '', ...rest } = props
  return (
    <Tooltip text={tooltip}>
      <button
        type="button"
        aria-label={label}
        className={`inline-flex size-7 shrink-0 cursor-pointer items-center justify-center rounded-md text-soft transition-colors hover:bg-line/50 hover:text-ink disabled:pointer-events-none disabled:opacity-45 aria-pressed:bg-line aria-pressed:text-ink pointer-coarse:size-11 [&_svg]:size-4 ${className}`}
        {...rest}
      >
        <Icon aria-hidden />
      </button>
    </Tooltip>
  )
}
