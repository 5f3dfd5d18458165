import { Trash2 } from 'lucide-react'
import { useEffect, useId, useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { writeSessionFile } from '@/lib/core/share/session-file'
import type { RecentDraft } from '@/lib/state/drafts/save-draft'
import {
  changeNotes,
  extrasOf,
  sessionFileName,
  sessionFileOf,
} from '@/lib/state/files/session-files'
import { useWords } from '../language-provider'
import { loadWithTexts } from '../load-with-texts'
import { usePlayground, usePlaygroundState, useView } from '../playground-context'
import { saveBlob } from '../save-file'
import { Button } from '../ui/button'
import { Dialog } from '../ui/dialog'
import { TextArea } from '../ui/switch-field'
import { IconButton } from '../ui/tooltip'
import { useDrafts, useDraftsDialog, useDraftsState } from './drafts-context'

const MILLISECONDS_BETWEEN_LISTS = 1000

/** Transcripts stored in this browser, to open or remove, a button that saves the open one as a file, and one that deletes everything. */
export function Recent() {
  const { t, format } = useView('drafts')
  const drafts = useDrafts()
  const saving = useDraftsState((state) => state.saving)
  const recent = useDraftsState((state) => state.recent)
  const others = (recent ?? []).filter(({ isCurrent }) => !isCurrent)
  const bytes = (recent ?? []).reduce((total, draft) => total + draft.bytes, 0)
  const name = usePlaygroundState(({ source }) => source.name)
  const isEmpty = usePlaygroundState(({ source }) => source.text === '')
  useEffect(() => {
    void drafts.list()
    // The browser does not tell when another tab closes and its transcript becomes free.
    const timer = setInterval(() => void drafts.list(), MILLISECONDS_BETWEEN_LISTS)
    return () => clearInterval(timer)
  }, [drafts])
  return (
    <section aria-label={t('title')} className="mt-4">
      <h3 className="font-medium">{t('title')}</h3>
      {recent !== undefined && others.length === 0 && (
        <p className="mt-1 text-soft">
          {t('none')} {recent.length === 0 && t('noneHelp')}
        </p>
      )}
      {others.length > 0 && (
        <>
          <ul
            aria-label={t('title')}
            className="-mx-2 mt-1 max-h-[30dvh] divide-y divide-line overflow-y-auto"
          >
            {others.map((draft) => (
              <RecentRow key={draft.id} draft={draft} />
            ))}
          </ul>
          <p className="mt-2 text-faint text-sm tabular-nums">
            {t('total', { count: recent?.length ?? 0, size: format.size(bytes) })}
          </p>
        </>
      )}
      <p className="mt-2 text-soft text-sm">{t('stays')}</p>
      <section
        aria-label={t('openNow')}
        className="mt-3 flex flex-wrap items-center gap-x-4 gap-y-2 border-line border-t pt-3"
      >
        <div className="min-w-0 flex-1 basis-60">
          <p className="truncate font-medium">{name || t('untitled')}</p>
          <p className={`text-sm ${saving === 'failed' ? 'text-bad' : 'text-soft'}`}>
            {t(`saving.${saving}`)}
          </p>
        </div>
        <Button disabled={isEmpty} onClick={() => drafts.show('save')}>
          {t('save')}
        </Button>
        <Button kind="ghost" onClick={() => drafts.show('forget')}>
          {t('forget')}
        </Button>
      </section>
    </section>
  )
}

/** A stored transcript. A press opens it as it was left. */
function RecentRow({ draft }: { draft: RecentDraft }) {
  const { t, format } = useView('drafts')
  const { relativeTime } = useFormatter()
  const words = useWords()
  const drafts = useDrafts()
  const [isAsking, setAsking] = useState(false)
  const { isElsewhere } = draft
  const name = draft.name || t('untitled')
  const facts = [
    draft.origin.kind === 'sample' && t('sample'),
    draft.formatLabel === undefined ? t('unread') : words({ name: draft.formatLabel }),
    draft.turns !== undefined && t('turns', { turns: draft.turns }),
    format.size(draft.bytes),
    // The clock can have gone back since.
    relativeTime(Math.min(draft.keptAt, Date.now()), Date.now()),
    isElsewhere && t('openElsewhere'),
  ].filter((fact) => fact !== false)
  const open = async () => ((await drafts.open(draft.id)) ? drafts.show(undefined) : drafts.list())
  const remove = async () => {
    await drafts.remove(draft)
    await drafts.list()
  }
  return (
    <li className="flex items-center gap-2 py-1">
      <button
        type="button"
        disabled={isElsewhere}
        onClick={() => void open()}
        className="min-w-0 flex-1 cursor-pointer rounded-md px-2 py-1 text-left hover:bg-line/50 disabled:cursor-default disabled:hover:bg-transparent"
      >
        <span className="block truncate font-medium">{name}</span>
        <span className="block text-soft text-sm tabular-nums">{facts.join(' · ')}</span>
      </button>
      {isAsking ? (
        <span className="flex shrink-0 flex-wrap items-center justify-end gap-1.5">
          <span className="text-sm max-sm:sr-only">{t('removeSure')}</span>
          <Button size="small" onClick={() => void remove()}>
            {t('removeDo')}
          </Button>
          <Button kind="ghost" size="small" onClick={() => setAsking(false)}>
            {t('removeNot')}
          </Button>
        </span>
      ) : (
        <IconButton
          label={t('remove', { name })}
          disabled={isElsewhere}
          onClick={() => setAsking(true)}
          icon={Trash2}
        />
      )}
    </li>
  )
}

/** Asks before all stored data is deleted. */
export function ForgetDialog() {
  const t = useTranslations('drafts')
  const drafts = useDrafts()
  return (
    <Dialog
      title={t('forgetTitle')}
      description={t('forgetWhat')}
      {...useDraftsDialog('forget')}
      actions={
        <>
          <Button onClick={() => drafts.show(undefined)}>{t('cancel')}</Button>
          <Button kind="primary" onClick={() => void drafts.forgetEverything()}>
            {t('forgetDo')}
          </Button>
        </>
      }
    >
      <ul className="list-disc space-y-1 pl-5">
        {(['transcripts', 'prices', 'page'] as const).map((item) => (
          <li key={item}>{t(`forgetItems.${item}`)}</li>
        ))}
      </ul>
      <p className="mt-3 text-soft">{t('forgetTabs')}</p>
    </Dialog>
  )
}

const LazySecrets = loadWithTexts(async () => (await import('./session-secrets')).SessionSecrets)

/** Saves the open transcript as a session file, with notes. */
export function SaveDialog() {
  const { t, format } = useView('drafts')
  const drafts = useDrafts()
  const playground = usePlayground()
  const { store, actions } = playground
  const isOpen = useDraftsState(({ dialog }) => dialog === 'save')
  const notes = usePlaygroundState((state) => extrasOf(state).notes)
  const text = usePlaygroundState(({ source }) => source.text)
  const name = usePlaygroundState(sessionFileName)
  const notesId = useId()
  const [unredacted, setUnredacted] = useState<ReadonlySet<string>>()
  const write = async () => {
    const state = store.getState()
    if (unredacted === undefined) return writeSessionFile(sessionFileOf(state))
    const { redactedSession } = await import('@/lib/state/link/share-transcript')
    return redactedSession(state, unredacted)
  }
  const save = async () => {
    const pieces = await write()
    if (pieces === undefined) {
      actions.notify('session_secrets', {}, 'error')
      return
    }
    saveBlob(name, new Blob(pieces, { type: 'application/json' }))
    actions.notify('session_saved', { name })
    drafts.show(undefined)
    setUnredacted(undefined)
  }
  return (
    <Dialog
      title={t('saveTitle')}
      description={t('saveHelp')}
      isOpen={isOpen}
      onOpenChange={(open) => {
        drafts.show(open ? 'save' : undefined)
        setUnredacted(undefined)
      }}
      actions={
        <Button
          kind="primary"
          className="max-w-full"
          disabled={text === ''}
          onClick={() => void save()}
        >
          <span className="truncate">{t('saveDo', { name })}</span>
        </Button>
      }
    >
      <label htmlFor={notesId} className="mb-1 block font-medium">
        {t('notes')}
      </label>
      <TextArea
        id={notesId}
        value={notes}
        placeholder={t('notesHint')}
        onChange={({ target }) => changeNotes(playground, target.value)}
      />
      {isOpen && <LazySecrets unredacted={unredacted} onChange={setUnredacted} />}
      <p className="mt-3 text-soft text-sm">
        {isOpen && t('saveHolds', { size: format.size(new Blob([text]).size) })} {t('saveNotHeld')}
      </p>
    </Dialog>
  )
}
