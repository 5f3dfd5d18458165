'use client'

import { type RefObject, useState } from 'react'
import { useTranslations } from 'use-intl'
import { EXPORT_IDS, type ExportId } from '@/lib/core/share/exports/export-target'
import { Dialog } from '../ui/dialog'
import { Tabs } from '../ui/tabs'
import { ConfigFile } from './config-file'
import { ExportView } from './export-view'

export interface ExportDialogProps {
  readonly isOpen: boolean
  readonly onOpenChange: (isOpen: boolean) => void
  readonly returnFocusTo: RefObject<HTMLElement | null>
}

/** Exports of the policy, each with the differences of its target. */
export function ExportDialog({ isOpen, onOpenChange, returnFocusTo }: ExportDialogProps) {
  const t = useTranslations('share')
  const [id, setId] = useState<ExportId>('toml')
  return (
    <Dialog
      title={t('export.title')}
      description={t('export.description')}
      closeLabel={t('close')}
      className="flex flex-col short:h-auto h-[calc(100dvh-2rem)] w-[min(58rem,calc(100vw-2rem))] lg:h-[min(44rem,calc(100dvh-2rem))]"
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      returnFocusTo={returnFocusTo}
    >
      <Tabs
        label={t('export.targets')}
        value={id}
        onValueChange={setId}
        options={EXPORT_IDS.map((value) => ({ value, label: t(`export.names.${value}`) }))}
      >
        <ExportView key={id} id={id} />
        {id === 'toml' && <ConfigFile />}
      </Tabs>
    </Dialog>
  )
}
