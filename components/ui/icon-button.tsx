import type { LucideIcon } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { Tooltip, type TooltipProps } from './tooltip'

export interface IconButtonProps extends Omit<ComponentProps<'button'>, 'aria-label'> {
  /** Accessible name, also the default tooltip. */
  readonly label: string
  /** By default the children. */
  readonly icon?: LucideIcon
  /** Longer tooltip, such as one with a shortcut. */
  readonly tooltip?: ReactNode
  readonly side?: NonNullable<TooltipProps['side']>
}

/** A square button with an icon as its child. */
export function IconButton({
  label,
  icon: Icon,
  tooltip,
  side = 'bottom',
  className = '',
  type = 'button',
  children = Icon && <Icon aria-hidden />,
  ...rest
}: IconButtonProps) {
  return (
    <Tooltip text={tooltip ?? label} side={side}>
      <button
        type={type}
        aria-label={label}
        className={`inline-flex size-7 shrink-0 cursor-pointer items-center justify-center rounded-md text-soft transition-colors hover:bg-line/50 hover:text-ink disabled:pointer-events-none disabled:opacity-45 aria-pressed:bg-line aria-pressed:text-ink pointer-coarse:size-11 [&_svg]:size-4 ${className}`}
        {...rest}
      >
        {children}
      </button>
    </Tooltip>
  )
}
