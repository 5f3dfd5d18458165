'use client'

import { Wrench } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { repairOf } from '@/lib/state/repair/document-repair'
import { usePlayground, usePlaygroundState } from '../playground-context'
import { Button } from '../ui/button'

/** Number of calls whose arguments do not parse. Renders nothing if there are none. */
export function RepairOpener() {
  const t = useTranslations('repair')
  const { actions } = usePlayground()
  const count = usePlaygroundState((state) => repairOf(state)?.calls.length ?? 0)
  if (count === 0) return null
  return (
    <Button
      kind="ghost"
      size="small"
      title={t('openerTip')}
      onClick={() => actions.setRepairOpen(true)}
    >
      <Wrench aria-hidden className="size-3.5 text-warn" />
      <span className="text-warn">{t('opener', { count })}</span>
    </Button>
  )
}
