import { pastedName } from '@/lib/state/document/document-slice'
import { useDrafts } from '../drafts/drafts-context'
import { usePlayground } from '../playground-context'
import { useWindowEvents } from '../use-events'

/** Handles undo, redo and paste for the page, unless the focus is in a field or an editor. Ctrl+S saves the session, not the page. */
export function useShortcuts(): void {
  const { actions } = usePlayground()
  const drafts = useDrafts()
  useWindowEvents({
    keydown: (event) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey) return
      const key = event.key.toLowerCase()
      if (key === 's' && !event.shiftKey) {
        event.preventDefault()
        drafts.show('save')
      }
      if (isTyping(event.target)) return
      const isRedo = (key === 'z' && event.shiftKey) || key === 'y'
      if (!isRedo && key !== 'z') return
      event.preventDefault()
      if (isRedo) actions.redo()
      else actions.undo()
    },
    paste: (event) => {
      const text = event.clipboardData?.getData('text/plain')
      if (text === undefined || text.trim() === '' || isTyping(event.target)) return
      event.preventDefault()
      actions.openText(text, pastedName(text), { kind: 'paste' })
      drafts.show(undefined)
    },
  })
}

/** Calls `step` for the keys of the previous and the next one, unless the focus is in a field or an editor. */
export function useStepKeys(keys: '[]' | '{}', isActive: boolean, step: (by: -1 | 1) => void) {
  const keydown = ({ target, key, metaKey, ctrlKey, altKey }: KeyboardEvent) => {
    // Browsers report AltGr, which types brackets on many keyboards, as Ctrl and Alt together.
    if (isTyping(target) || metaKey || ctrlKey !== altKey) return
    if (key === keys[0]) step(-1)
    if (key === keys[1]) step(1)
  }
  useWindowEvents({ keydown }, { isActive })
}

const TEXT_FIELDS =
  'input:not([type=range], [type=checkbox], [type=radio], [type=file]), textarea, select, [contenteditable], .monaco-editor, [role="textbox"]'

/** True if a key press or paste is for a field or an editor. Sliders and switches take no text. */
export function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(TEXT_FIELDS) !== null
}
