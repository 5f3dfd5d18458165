import { Copy, Download } from 'lucide-react'
import { useRef, useState } from 'react'
import type { MaskPolicy } from '@/lib/core/policy/policy'
import { ReadError, sentenceOf } from '@/lib/core/problem'
import { writePolicyIntoToml } from '@/lib/core/share/toml/policy-toml'
import { decodeUtf8 } from '@/lib/core/text/decode-utf8'
import { type AppliedConfig, applyConfig } from '@/lib/state/files/config-file'
import { useComments, useWords } from '../language-provider'
import { usePlayground, usePlaygroundState, useView } from '../playground-context'
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

/** Reads the policy from a config file of the user, and writes this one back into it. */
export function ConfigFile({ policy }: { readonly policy: MaskPolicy }) {
  const { t } = useView('share.export.config')
  const words = useWords()
  const comments = useComments()
  const playground = usePlayground()
  const config = usePlaygroundState((state) => state.config)
  const [applied, setApplied] = useState<{ name: string; result: AppliedConfig }>()
  const input = useRef<HTMLInputElement>(null)
  const open = async (file: File | undefined) => {
    if (file === undefined) return
    const { name } = file
    try {
      const text = decodeUtf8(new Uint8Array(await file.arrayBuffer()))
      setApplied({ name, result: applyConfig(playground, name, text) })
    } catch (error) {
      if (!(error instanceof ReadError)) throw error
      setApplied({ name, result: { state: 'failed', reason: sentenceOf(error.problem) } })
    }
  }
  const written = config && writePolicyIntoToml(config.text, policy, comments)
  return (
    <section aria-label={t('title')} className="mt-4 flex flex-col gap-2 border-t pt-3">
      <h3 className="font-medium">{t('title')}</h3>
      <p className="text-soft">{t('help')}</p>
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => input.current?.click()}>{t('open')}</Button>
        {config !== undefined && (
          <Button
            kind="ghost"
            onClick={() => {
              playground.store.setState({ config: undefined })
              setApplied(undefined)
            }}
          >
            {t('forget', { name: config.name })}
          </Button>
        )}
        <input
          ref={input}
          type="file"
          accept=".toml,text/plain"
          hidden
          aria-label={t('open')}
          onChange={({ target }) => {
            void open(target.files?.[0])
            target.value = ''
          }}
        />
      </div>
      <div aria-live="polite">{applied !== undefined && <Applied {...applied} />}</div>
      {written?.state === 'failed' && <p className="text-bad">{words(written.reason)}</p>}
      {config !== undefined && written?.state === 'written' && (
        <CopyBlock
          title={t('whole', { name: config.name })}
          text={written.text}
          file={{ name: config.name, type: 'application/toml' }}
        />
      )}
    </section>
  )
}

function Applied({ name, result }: { name: string; result: AppliedConfig }) {
  const { t } = useView('share.export.config')
  const words = useWords()
  if (result.state === 'failed')
    return <p className="text-bad">{`${t('failed', { name })} ${words(result.reason)}`}</p>
  return (
    <>
      <p>{t('applied', { name })}</p>
      {result.problems.length > 0 && (
        <p className="mt-1 text-warn">{t('problems', { n: result.problems.length })}</p>
      )}
      <ul className="list-disc pl-4.5 text-soft empty:hidden">
        {result.problems.map(words).map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </>
  )
}
