'use client'

import { useTranslations } from 'use-intl'
import { BottomDrawer } from '../../drawer/bottom-drawer'
import { DrawerContent } from './drawer-content'

/** The drawer with the cost of the session. */
export function CostDrawer() {
  const t = useTranslations('drawer')
  return (
    <BottomDrawer drawer="cost" title={t('cost')} closeLabel={t('close')}>
      <DrawerContent />
    </BottomDrawer>
  )
}
