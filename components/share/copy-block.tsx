import { Copy, Download } from 'lucide-react'
import { useView } from '../playground-context'
import { copyText, saveFile } from '../save-file'
import { Button } from '../ui/button'

const MOST_ROWS = 22

/** Preview of a text with buttons to copy or save it. */
export function CopyBlock(props: {
  /** Its heading, and the name of the preview. */
  readonly title: string
  /** Its name in the notice, if it has another one. */
  readonly label?: string
  readonly text: string
  /** The file it is saved as; undefined for what is only pasted. */
  readonly file?: { readonly name: string; readonly type: string }
  /** Called when it is copied or saved. */
  readonly onUsed?: () => void
}) {
  const { title, label = title, text, file, onUsed } = props
  const { t, actions } = useView('share.export')
  const copy = async () => {
    if (await copyText(actions, text, 'copied_export', { name: label })) onUsed?.()
  }
  const save = ({ name, type }: { name: string; type: string }) => {
    saveFile(actions, name, [text], type)
    onUsed?.()
  }
  return (
    <div className="overflow-hidden rounded-md border">
      <div className="flex items-center justify-between gap-2 border-b py-1 pr-1 pl-3">
        <span className="min-w-0 break-words text-sm text-soft">{title}</span>
        <span className="flex shrink-0 gap-1">
          {file !== undefined && (
            <Button
              size="small"
              kind="ghost"
              onClick={() => save(file)}
              aria-label={t('save', { name: file.name })}
              icon={Download}
            />
          )}
          <Button size="small" onClick={() => void copy()} icon={Copy}>
            {t('copy')}
          </Button>
        </span>
      </div>
      <textarea
        readOnly
        aria-label={t('preview', { name: title })}
        value={text}
        rows={Math.min(MOST_ROWS, text.split('\n').length)}
        spellCheck={false}
        // Where the browser can, as high as its text with wrapped lines.
        className="field-sizing-content block max-h-[24lh] w-full resize-none bg-transparent p-3 font-mono text-sm leading-normal outline-none focus-visible:bg-paper"
      />
    </div>
  )
}
