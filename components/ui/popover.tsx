import { Popover as Base } from '@base-ui/react/popover'
import type { ReactElement, ReactNode } from 'react'

/** A popover with details. Closes on Escape and on a press outside. */
export function Popover(props: {
  /** A button; it must accept a ref and spread its attributes. */
  readonly trigger: ReactElement
  readonly title?: ReactNode
  /** Its name for screen readers, without a title. */
  readonly label?: string
  readonly children: ReactNode
  readonly align?: 'start' | 'center' | 'end'
  readonly isOpen?: boolean
  readonly onOpenChange?: (isOpen: boolean) => void
  readonly className?: string
  /** True to stay on its side, whatever the space there. */
  readonly isFixed?: boolean
}) {
  const { trigger, title, children, align = 'start', className = 'w-80' } = props
  return (
    <Base.Root open={props.isOpen} onOpenChange={props.onOpenChange}>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner
          align={align}
          sideOffset={6}
          collisionPadding={8}
          collisionAvoidance={props.isFixed ? { side: 'none' } : undefined}
          className="z-50"
        >
          <Base.Popup
            aria-label={props.label}
            className={`${POPUP_SURFACE} max-h-(--available-height) max-w-[calc(100vw-1rem)] overflow-y-auto p-4 outline-none ${className}`}
          >
            {title !== undefined && (
              <Base.Title className="mb-1.5 font-semibold">{title}</Base.Title>
            )}
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

/** Style of popups, the only elements with a shadow. */
export const POPUP_SURFACE =
  'rounded-lg border border-line bg-raised text-ink shadow-[0_12px_32px_#0000001f] dark:shadow-[0_12px_32px_#00000080] origin-(--transform-origin) transition-[opacity,scale] duration-100 data-starting-style:scale-98 data-starting-style:opacity-0 data-ending-style:scale-98 data-ending-style:opacity-0'

/** Style of text fields. */
export const FIELD_SURFACE =
  'rounded-md border border-line bg-raised text-ink hover:border-ghost focus:border-accent focus:outline-1 focus:outline-accent focus:outline-offset-0 disabled:text-faint'

/** Style of a box around a field and something beside it, with the focus ring of the field. */
export const FIELD_GROUP =
  'rounded-md border border-line bg-raised text-ink focus-within:border-accent focus-within:outline-1 focus-within:outline-accent hover:border-ghost'
