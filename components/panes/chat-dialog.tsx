import { useState } from 'react'
import { chatBodyOf, chatFileName } from '@/lib/state/files/chat-body'
import { usePlaygroundState, useView } from '../playground-context'
import { saveFile } from '../save-file'
import { Button } from '../ui/button'
import { Dialog, type DialogState } from '../ui/dialog'
import { SegmentedControl } from '../ui/segmented-control'

/** Saves the conversation shown as a chat completions body, after listing what such a body cannot hold. */
export function ChatDialog(dialog: DialogState) {
  const { t, actions } = useView('panes.chat')
  const { t: tLoss } = useView('losses')
  const [which, setWhich] = useState<'unmasked' | 'masked'>('unmasked')
  const isMasked = which === 'masked'
  // The body is written only while the dialog is open.
  const body = usePlaygroundState((state) =>
    dialog.isOpen ? chatBodyOf(state, isMasked) : undefined,
  )
  const name = usePlaygroundState((state) => chatFileName(state, isMasked))
  const save = () => {
    if (body === undefined) return
    saveFile(actions, name, [body.text])
    dialog.onOpenChange(false)
  }
  return (
    <Dialog
      title={t('title')}
      description={t('description')}
      {...dialog}
      actions={
        <Button kind="primary" className="max-w-full" disabled={body === undefined} onClick={save}>
          <span className="truncate">{t('save', { name })}</span>
        </Button>
      }
    >
      <div className="flex flex-wrap items-center justify-between gap-2">
        <span className="font-medium">{t('which')}</span>
        <SegmentedControl
          label={t('which')}
          value={which}
          options={(['unmasked', 'masked'] as const).map((value) => ({ value, label: t(value) }))}
          onValueChange={setWhich}
        />
      </div>
      <section aria-label={t('lost')} aria-live="polite" className="mt-4 border-t pt-3">
        <h3 className="font-medium">{t('lost')}</h3>
        {body?.lost.length === 0 && <p className="mt-1.5">{t('nothingLost')}</p>}
        {body !== undefined && body.lost.length > 0 && (
          <ul className="mt-1.5 list-disc space-y-1 pl-5 marker:text-faint">
            {body.lost.map(({ kind, count }) => (
              <li key={kind}>{tLoss(kind, { count })}</li>
            ))}
          </ul>
        )}
        <p className="mt-2 text-soft text-sm">{t('beside')}</p>
      </section>
    </Dialog>
  )
}
