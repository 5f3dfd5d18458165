'use client'

import { useEffect } from 'react'
import { useTranslations } from 'use-intl'
import { NumberField } from '../numbers/number-field'
import { usePlaygroundState } from '../playground-context'
import { Button } from '../ui/button'
import { Collapsible } from '../ui/collapsible'
import { Dialog } from '../ui/dialog'
import { SwitchField } from '../ui/switch-field'
import { useFigureFormat } from '../use-figure-format'
import { useDrafts, useDraftsState } from './drafts-context'
import { RecentRow } from './recent-row'

const MILLISECONDS_BETWEEN_LISTS = 1000

/** Transcripts stored in this browser, to open or remove, and a button that deletes everything. */
export function RecentDialog() {
  const t = useTranslations('drafts')
  const drafts = useDrafts()
  const isOpen = useDraftsState(({ dialog }) => dialog === 'recent')
  useEffect(() => {
    if (!isOpen) return
    void drafts.list()
    // The browser does not tell when another tab closes and its transcript becomes free.
    const timer = setInterval(() => void drafts.list(), MILLISECONDS_BETWEEN_LISTS)
    return () => clearInterval(timer)
  }, [drafts, isOpen])
  return (
    <Dialog
      title={t('title')}
      closeLabel={t('close')}
      isOpen={isOpen}
      onOpenChange={(open) => drafts.show(open ? 'recent' : undefined)}
      className="w-150"
    >
      <OpenNow />
      <Kept />
      <SavedConversations />
      <p className="mt-4 text-soft text-sm">{t('stays')}</p>
      <div className="mt-3 flex justify-end">
        <Button kind="ghost" className="-mr-3" onClick={() => drafts.show('forget')}>
          {t('forget')}
        </Button>
      </div>
    </Dialog>
  )
}

/** How runs of the simulator and built requests are saved. */
function SavedConversations() {
  const t = useTranslations('drafts.conversations')
  const drafts = useDrafts()
  const { isAutomatic, most } = useDraftsState(({ conversations }) => conversations)
  return (
    <Collapsible kind="quiet" label={t('title')}>
      <SwitchField
        label={t('automatic')}
        isOn={isAutomatic}
        onChange={(isOn) => drafts.changeConversationSettings({ isAutomatic: isOn })}
      />
      <NumberField
        label={t('most')}
        value={most}
        minimum={1}
        maximum={1000}
        onValueChange={(next) => drafts.changeConversationSettings({ most: next })}
        description={t('mostHelp')}
      />
    </Collapsible>
  )
}

function OpenNow() {
  const t = useTranslations('drafts')
  const drafts = useDrafts()
  const name = usePlaygroundState(({ source }) => source.name)
  const isEmpty = usePlaygroundState(({ source }) => source.text === '')
  const saving = useDraftsState((state) => state.saving)
  return (
    <section
      aria-label={t('openNow')}
      className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-lg border border-line bg-paper px-3 py-2"
    >
      <div className="min-w-0 flex-1 basis-60">
        <h3 className="truncate font-medium">{name || t('untitled')}</h3>
        <p className={`text-sm ${saving === 'failed' ? 'text-bad' : 'text-soft'}`}>
          {t(`saving.${saving}`)}
        </p>
      </div>
      <Button disabled={isEmpty} onClick={() => drafts.show('save')}>
        {t('save')}
      </Button>
    </section>
  )
}

function Kept() {
  const t = useTranslations('drafts')
  const { size } = useFigureFormat()
  const recent = useDraftsState((state) => state.recent)
  if (recent === undefined) return null
  const others = recent.filter(({ openIn }) => openIn !== 'this')
  if (others.length === 0) {
    return (
      <p className="mt-4 text-soft">
        {t('none')} {recent.length === 0 && t('noneHelp')}
      </p>
    )
  }
  const bytes = recent.reduce((total, draft) => total + draft.bytes, 0)
  return (
    <>
      <ul
        aria-label={t('list')}
        className="-mx-2 mt-3 max-h-[45dvh] divide-y divide-line overflow-y-auto"
      >
        {others.map((draft) => (
          <RecentRow key={draft.id} draft={draft} />
        ))}
      </ul>
      <p className="mt-2 text-faint text-sm tabular-nums">
        {t('total', { count: recent.length, size: size(bytes) })}
      </p>
    </>
  )
}
