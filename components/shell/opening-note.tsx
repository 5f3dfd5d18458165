'use client'

import { X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import { STORAGE_KEYS } from '@/lib/state/sync-stored'
import { usePlaygroundState } from '../playground-context'
import { IconButton } from '../ui/icon-button'
import { OpenButton } from './open-button'

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
      >
        <X aria-hidden />
      </IconButton>
    </aside>
  )
}
