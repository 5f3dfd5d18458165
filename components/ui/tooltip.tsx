import { Tooltip as Base } from '@base-ui/react/tooltip'
import type { LucideIcon } from 'lucide-react'
import type { ComponentProps, ReactElement, ReactNode } from 'react'

/**
 * A line of text that appears on hover and focus, but not on the focus that a closing popup gives back: it would take
 * the next Escape.
 */
export function Tooltip(props: {
  /** Text of the tooltip. The trigger needs a name of its own. */
  readonly text: ReactNode
  readonly side?: 'top' | 'bottom'
  /** The trigger; it must accept a ref and spread its attributes. */
  readonly children: ReactElement
}) {
  const { text, side = 'bottom', children } = props
  return (
    <Base.Root
      onOpenChange={(isOpen, { reason, event, trigger, cancel }) => {
        if (isOpen && reason === 'trigger-focus' && isGivenBack(event, trigger)) cancel()
      }}
    >
      <Base.Trigger render={children} />
      <Base.Portal>
        <Base.Positioner side={side} sideOffset={6} className="z-60">
          <Base.Popup className="max-w-72 rounded-md bg-ink px-2.5 py-1.5 text-paper text-sm shadow-[0_8px_24px_#00000026] transition-opacity duration-100 data-ending-style:opacity-0 data-starting-style:opacity-0">
            {text}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

function isGivenBack(event: Event, trigger: Element | undefined): boolean {
  const from = event instanceof FocusEvent ? event.relatedTarget : null
  if (!(from instanceof Element)) return true
  const popup = from.closest('[role=dialog], [role=menu]')
  return popup !== null && !popup.contains(trigger ?? null)
}

/** Groups tooltips, so that the next one opens without delay. */
export function TooltipProvider({ children }: { readonly children: ReactNode }) {
  return <Base.Provider delay={400}>{children}</Base.Provider>
}

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
