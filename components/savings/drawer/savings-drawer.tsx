'use client'

import { X } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import { useTranslations } from 'use-intl'
import { useIsNarrow } from '../../shell/use-is-narrow'
import { IconButton } from '../../ui/icon-button'
import { Sheet } from '../../ui/sheet'
import { DrawerContent } from './drawer-content'
import { DRAWER_ID, OPENER_ID, useIsDrawerOpen } from './use-is-drawer-open'

/** What the session costs, under the panes when it is open; over everything on a narrow screen. */
export function SavingsDrawer() {
  const t = useTranslations('drawer')
  const isNarrow = useIsNarrow()
  const [isOpen, setIsOpen] = useIsDrawerOpen()
  const close = () => {
    setIsOpen(false)
    document.getElementById(OPENER_ID)?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // A menu opened here stands elsewhere in the page; its Escape is its own.
    const isOwn = event.target instanceof Node && event.currentTarget.contains(event.target)
    if (event.key === 'Escape' && isOwn && !event.defaultPrevented) close()
  }
  if (isNarrow) {
    return (
      <Sheet title={t('savings')} closeLabel={t('close')} isOpen={isOpen} onOpenChange={setIsOpen}>
        <div className="px-5 py-4">
          <DrawerContent />
        </div>
      </Sheet>
    )
  }
  if (!isOpen || isNarrow === undefined) return null
  return (
    <section
      id={DRAWER_ID}
      aria-label={t('savings')}
      onKeyDown={onKeyDown}
      className="relative h-[45dvh] shrink-0 overflow-y-auto border-line border-t px-6 pt-4 pb-6"
    >
      <div className="absolute top-2.5 right-3 z-10">
        <IconButton label={t('close')} side="top" onClick={close}>
          <X aria-hidden />
        </IconButton>
      </div>
      <DrawerContent />
    </section>
  )
}
