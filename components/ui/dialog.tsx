import { Dialog as Base } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import { type ReactElement, type ReactNode, type RefObject, useRef } from 'react'
import { IconButton } from './icon-button'

export interface DialogProps {
  readonly title: ReactNode
  readonly description?: ReactNode
  readonly children?: ReactNode
  /** Buttons at the end, with the main action last. */
  readonly actions?: ReactNode
  readonly closeLabel: string
  readonly trigger?: ReactElement
  readonly isOpen?: boolean
  readonly onOpenChange?: (isOpen: boolean) => void
  /** Called once the dialog has left the screen and the rest of the page can be used. */
  readonly onClosed?: () => void
  readonly className?: string
  /** Element that gets the focus on close, if it is not the trigger. */
  readonly returnFocusTo?: RefObject<HTMLElement | null> | undefined
}

/** A modal dialog. */
export function Dialog(props: DialogProps) {
  const { title, description, children, actions, closeLabel, trigger, className = 'w-120' } = props
  const popup = useRef<HTMLDivElement>(null)
  return (
    <Base.Root
      open={props.isOpen}
      onOpenChange={(isOpen) => props.onOpenChange?.(isOpen)}
      onOpenChangeComplete={(isOpen) => isOpen || props.onClosed?.()}
    >
      {trigger !== undefined && <Base.Trigger render={trigger} />}
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-50 bg-[#00000052] transition-opacity duration-150 data-ending-style:opacity-0 data-starting-style:opacity-0 dark:bg-[#000000a6]" />
        <Base.Viewport className="fixed inset-0 z-50 grid grid-cols-[minmax(0,1fr)] place-items-center overflow-y-auto scroll-pt-16 p-4">
          {/* Do not focus the close button: its tooltip would take the first Escape. */}
          <Base.Popup
            finalFocus={props.returnFocusTo}
            ref={popup}
            initialFocus={popup}
            className={`max-w-full rounded-xl border border-line bg-raised p-5 outline-none transition-[opacity,scale] duration-150 data-ending-style:scale-98 data-ending-style:opacity-0 data-starting-style:scale-98 data-starting-style:opacity-0 ${className}`}
          >
            {/* Sticky, so that it stays visible if the content is taller than the screen. */}
            <div className="short:static sticky -top-4 z-10 -mx-5 -mt-5 flex items-start justify-between gap-3 rounded-t-xl bg-raised px-5 pt-5 pb-1">
              <Base.Title className="font-semibold text-lg">{title}</Base.Title>
              <Base.Close
                render={
                  <IconButton label={closeLabel} className="-mt-1 -mr-1.5">
                    <X aria-hidden />
                  </IconButton>
                }
              />
            </div>
            {description !== undefined && (
              <Base.Description className="text-soft">{description}</Base.Description>
            )}
            {children !== undefined && <div className="mt-4 min-h-0 flex-1">{children}</div>}
            {actions !== undefined && (
              <div className="mt-5 flex flex-wrap justify-end gap-2">{actions}</div>
            )}
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  )
}
