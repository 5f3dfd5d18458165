'use client'

import { X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import { droppedFiles } from '@/lib/state/files/dropped-files'
import { STORAGE_KEYS } from '@/lib/state/sync-stored'
import { useFileList, usePlaygroundState } from '../playground-context'
import { IconButton } from '../ui/icon-button'
import { useWindowEvents } from '../use-events'
import { OpenButton } from './open-menu'

/** Opens files and folders dropped anywhere on the page, and shows a drop target during the drag. */
export function DropZone() {
  const t = useTranslations('shell')
  const { actions } = useFileList()
  /** The elements that the drag has entered and not left. */
  const [depth, setDepth] = useState(0)
  const carriesFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false
  const change = (by: number) => (event: DragEvent) => {
    if (carriesFiles(event)) setDepth((before) => Math.max(0, before + by))
  }
  useWindowEvents(
    {
      dragenter: change(1),
      dragleave: change(-1),
      dragover: (event) => carriesFiles(event) && event.preventDefault(),
      drop: (event) => {
        if (!carriesFiles(event)) return
        // Handle the drop before the editor, which would insert the file name or nothing.
        event.preventDefault()
        event.stopPropagation()
        setDepth(0)
        if (event.dataTransfer !== null)
          void droppedFiles(event.dataTransfer).then(actions.openFiles)
      },
    },
    { isCapture: true },
  )
  if (depth === 0) return null
  return (
    <div className="pointer-events-none fixed inset-0 z-60 grid place-items-center bg-paper/85 p-6">
      <p className="grid size-full place-items-center rounded-xl border-2 border-accent border-dashed text-center font-medium text-accent text-xl">
        {t('dropHere')}
      </p>
    </div>
  )
}

/** A note on what masking is and where to put a transcript, until it is hidden. */
export function OpeningNote() {
  const t = useTranslations('shell')
  const origin = usePlaygroundState(({ source }) => source.origin.kind)
  const [isHidden, setHidden] = useState(false)
  const [isLinked, setLinked] = useState(false)
  useEffect(() => {
    setHidden(localStorage.getItem(STORAGE_KEYS.openingNoteHidden) !== null)
    setLinked(location.hash.length > 1)
  }, [])
  if (isHidden) return null
  return (
    <aside className="flex items-center gap-3 border-line border-b bg-raised px-6 max-lg:px-4">
      <p className="min-w-0 flex-1 py-1 text-soft text-sm">
        <span className="text-ink">{t('opening')}</span>
        {/* A first visit's sample will be opened: its room is reserved. */}
        {(origin === 'sample' || origin === 'none') && (
          <span className={origin === 'none' ? 'invisible' : ''}>
            {' '}
            <span className="max-[90rem]:hidden">{t('openingSample')}</span>
            <span className="min-[90rem]:hidden">{t('openingSampleNarrow')}</span>{' '}
            <OpenButton kind="link">{t('openingOpen')}</OpenButton>.{' '}
            {isLinked && <span className="max-xl:hidden">{t('openingLink')}</span>}
          </span>
        )}
      </p>
      <IconButton
        label={t('openingDismiss')}
        onClick={() => {
          localStorage.setItem(STORAGE_KEYS.openingNoteHidden, '1')
          setHidden(true)
        }}
        icon={X}
      />
    </aside>
  )
}
