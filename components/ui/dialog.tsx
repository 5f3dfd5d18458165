import { Dialog as Base } from '@base-ui/react/dialog'
import { Drawer } from '@base-ui/react/drawer'
import { X } from 'lucide-react'
import { type ReactElement, type ReactNode, type RefObject, useRef } from 'react'
import { useTranslations } from 'use-intl'
import { IconButton } from './tooltip'

/** Whether a dialog is open: of the button that opens it. */
export interface DialogState {
  readonly isOpen: boolean
  readonly onOpenChange: (isOpen: boolean) => void
  /** Element that gets the focus on close, if it is not the trigger. */
  readonly returnFocusTo?: RefObject<HTMLElement | null>
}

/** A modal dialog. */
export function Dialog(
  props: Partial<DialogState> & {
    readonly title: ReactNode
    readonly description?: ReactNode
    readonly children?: ReactNode
    /** Buttons at the end, with the main action last. */
    readonly actions?: ReactNode
    readonly trigger?: ReactElement
    readonly className?: string
  },
) {
  const { title, description, children, actions, trigger, className = 'w-120' } = props
  const t = useTranslations('shell')
  const popup = useRef<HTMLDivElement>(null)
  return (
    <Base.Root open={props.isOpen} onOpenChange={props.onOpenChange}>
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
                render={<IconButton label={t('close')} className="-mt-1 -mr-1.5" icon={X} />}
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

/** A sheet from the bottom of a narrow screen. Closes by swiping down, its button or Escape. */
export function Sheet(
  props: Partial<DialogState> & {
    readonly title: ReactNode
    readonly children: ReactNode
    readonly trigger: ReactElement
    /** Stays visible below the scrolling content. */
    readonly footer?: ReactNode
  },
) {
  const { title, children, trigger, footer } = props
  const t = useTranslations('shell')
  return (
    <Drawer.Root swipeDirection="down" open={props.isOpen} onOpenChange={props.onOpenChange}>
      <Drawer.Trigger render={trigger} />
      <Drawer.Portal>
        <Drawer.Backdrop className="fixed inset-0 z-50 bg-[#00000052] transition-opacity duration-300 data-ending-style:opacity-0 data-starting-style:opacity-0 data-swiping:duration-0 dark:bg-[#000000a6]" />
        <Drawer.Viewport className="fixed inset-0 z-50 flex items-end justify-center">
          <Drawer.Popup className="flex max-h-[85dvh] w-full max-w-180 short:max-h-dvh short:overflow-y-auto translate-y-(--drawer-swipe-movement-y) flex-col rounded-t-2xl border-line border-t bg-paper outline-none transition-transform duration-300 ease-out data-swiping:duration-0 data-ending-style:translate-y-full data-starting-style:translate-y-full">
            <div className="mx-auto mt-2 h-1 w-9 rounded-full bg-line" aria-hidden />
            <div className="flex items-center justify-between gap-3 border-line border-b py-1 pr-2 pl-5">
              <Drawer.Title className="font-semibold text-lg">{title}</Drawer.Title>
              <Drawer.Close render={<IconButton label={t('close')} icon={X} />} />
            </div>
            <Drawer.Content className="min-h-0 flex-1 overflow-y-auto overscroll-contain short:flex-none short:overflow-visible">
              {children}
            </Drawer.Content>
            {footer !== undefined && (
              <div className="border-line border-t px-5 py-2 pb-[max(0.5rem,env(safe-area-inset-bottom))]">
                {footer}
              </div>
            )}
          </Drawer.Popup>
        </Drawer.Viewport>
      </Drawer.Portal>
    </Drawer.Root>
  )
}
