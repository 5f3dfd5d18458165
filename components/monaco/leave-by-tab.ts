import type { editor } from 'monaco-editor/editor'
import { monaco } from './setup'

/** After Escape, the next Tab leaves the editor; any other key makes Tab type again. */
export function leaveByTab(own: editor.IStandaloneCodeEditor): () => void {
  const set = (tabFocusMode: boolean) => {
    if (own.getOption(monaco.editor.EditorOption.tabFocusMode) !== tabFocusMode)
      own.updateOptions({ tabFocusMode })
  }
  const keys = own.onKeyDown(({ keyCode }) => {
    if (keyCode === monaco.KeyCode.Escape) set(true)
    else if (keyCode !== monaco.KeyCode.Tab && keyCode !== monaco.KeyCode.Shift) set(false)
  })
  const blur = own.onDidBlurEditorText(() => set(false))
  return () => {
    keys.dispose()
    blur.dispose()
  }
}
