import { Drawer } from '@base-ui/react/drawer'
import { X } from 'lucide-react'
import type { ReactElement, ReactNode } from 'react'
import { IconButton } from './icon-button'

export interface SheetProps {
  readonly title: ReactNode
  readonly children: ReactNode
  readonly closeLabel: string
  readonly trigger?: ReactElement
  readonly isOpen?: boolean
  readonly onOpenChange?: (isOpen: boolean) => void
  /** Stays visible below the scrolling content. */
  readonly footer?: ReactNode
}

/** A sheet from the bottom of a narrow screen. Closes by swiping down, its button or Escape. */
export function Sheet(props: SheetProps) {
  const { title, children, closeLabel, trigger, footer } = props
  return (
    <Drawer.Root
      swipeDirection="down"
      open={props.isOpen}
      onOpenChange={(isOpen) => props.onOpenChange?.(isOpen)}
    >
      {trigger !== undefined && <Drawer.Trigger render={trigger} />}
      <Drawer.Portal>
        <Drawer.Backdrop className="fixed inset-0 z-50 bg-[#00000052] transition-opacity duration-300 data-ending-style:opacity-0 data-starting-style:opacity-0 data-swiping:duration-0 dark:bg-[#000000a6]" />
        <Drawer.Viewport className="fixed inset-0 z-50 flex items-end justify-center">
          <Drawer.Popup className="flex max-h-[85dvh] w-full max-w-180 short:max-h-dvh short:overflow-y-auto translate-y-(--drawer-swipe-movement-y) flex-col rounded-t-2xl border-line border-t bg-paper outline-none transition-transform duration-300 ease-out data-swiping:duration-0 data-ending-style:translate-y-full data-starting-style:translate-y-full">
            <div className="mx-auto mt-2 h-1 w-9 rounded-full bg-line" aria-hidden />
            <div className="flex items-center justify-between gap-3 border-line border-b py-1 pr-2 pl-5">
              <Drawer.Title className="font-semibold text-lg">{title}</Drawer.Title>
              <Drawer.Close
                render={
                  <IconButton label={closeLabel}>
                    <X aria-hidden />
                  </IconButton>
                }
              />
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
