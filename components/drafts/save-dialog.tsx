import { useId, useState } from 'react'
import { writeSessionFile } from '@/lib/core/share/session-file'
import {
  changeNotes,
  extrasOf,
  sessionFileName,
  sessionFileOf,
} from '@/lib/state/files/session-files'
import { loadWithTexts } from '../load-with-texts'
import { usePlayground, usePlaygroundState, useView } from '../playground-context'
import { saveBlob } from '../save-file'
import { Button } from '../ui/button'
import { Dialog } from '../ui/dialog'
import { TextArea } from '../ui/switch-field'
import { useDrafts, useDraftsState } from './drafts-context'

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
