import { Copy, Download } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { usePlayground } from '../playground-context'
import { copyText, saveFile } from '../save-file'
import { Button } from '../ui/button'

export interface TextPreviewProps {
  /** File name for saving. */
  readonly name: string
  /** Name of the text for the notice. */
  readonly label: string
  /** Heading, if the name is not unique. */
  readonly title?: string
  readonly text: string
  readonly mediaType: string
}

const MOST_ROWS = 22

/** Preview of a text with buttons to copy or save it. */
export function TextPreview({ name, label, title = name, text, mediaType }: TextPreviewProps) {
  const t = useTranslations('share.export')
  const { actions } = usePlayground()
  const copy = () => copyText(actions, text, 'copied_export', { name: label })
  const save = () => saveFile(actions, name, [text], mediaType)
  return (
    <div className="overflow-hidden rounded-md border">
      <div className="flex items-center justify-between gap-2 border-b py-1 pr-1 pl-3">
        <span className="min-w-0 truncate font-mono text-sm text-soft">{title}</span>
        <span className="flex shrink-0 gap-1">
          <Button
            size="small"
            kind="ghost"
            onClick={save}
            aria-label={t('save', { name })}
            icon={Download}
          ></Button>
          <Button size="small" onClick={() => void copy()} icon={Copy}>
            {t('copy')}
          </Button>
        </span>
      </div>
      <textarea
        readOnly
        aria-label={t('preview', { name })}
        value={text}
        rows={Math.min(MOST_ROWS, text.split('\n').length)}
        spellCheck={false}
        // Where the browser can, as high as its text with wrapped lines.
        className="field-sizing-content block max-h-[24lh] w-full resize-none bg-transparent p-3 font-mono text-sm leading-normal outline-none focus-visible:bg-paper"
      />
    </div>
  )
}
