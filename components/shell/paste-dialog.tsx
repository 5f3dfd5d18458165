import { useState } from 'react'
import { PASTED_NAME } from '@/lib/state/document/document-slice'
import { useView } from '../playground-context'
import { Button } from '../ui/button'
import { Dialog, type DialogState } from '../ui/dialog'
import { FIELD_SURFACE } from '../ui/popover'

/** A field to paste a transcript, for screens without an editor. */
export function PasteDialog(state: DialogState) {
  const { t, actions } = useView('shell')
  const [text, setText] = useState('')
  const isEmpty = text.trim() === ''
  const open = () => {
    actions.openText(text, PASTED_NAME, { kind: 'paste' })
    setText('')
    state.onOpenChange(false)
  }
  return (
    <Dialog
      title={t('pasteTitle')}
      description={t('pasteHelp')}
      {...state}
      actions={
        <Button kind="primary" disabled={isEmpty} onClick={open}>
          {t('pasteOpen')}
        </Button>
      }
    >
      <textarea
        aria-label={t('pasteTitle')}
        value={text}
        onChange={({ target }) => setText(target.value)}
        rows={10}
        spellCheck={false}
        autoCapitalize="off"
        autoCorrect="off"
        className={`${FIELD_SURFACE} w-full p-2 font-mono text-sm`}
      />
    </Dialog>
  )
}
