import { useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { pastedName } from '@/lib/state/document/document-slice'
import { openSample, sampleFileName } from '@/lib/state/files/samples'
import { useDrafts, useDraftsDialog } from '../drafts/drafts-context'
import { Recent } from '../drafts/recent'
import { useWords } from '../language-provider'
import { usePlayground, usePlaygroundState, useView } from '../playground-context'
import { Button } from '../ui/button'
import { Collapsible } from '../ui/collapsible'
import { Dialog } from '../ui/dialog'
import { FIELD_SURFACE } from '../ui/popover'
import { askFor } from './drop-zone'
import { fetchText } from './fetch-text'

/** One place to open a transcript: pasted, dropped or chosen, a sample, or one that this browser has stored. */
export function OpenDialog() {
  const t = useTranslations('opening')
  return (
    <Dialog
      title={t('title')}
      description={t('help')}
      {...useDraftsDialog('open')}
      className="w-180"
    >
      <PasteField />
      <section aria-label={t('samples')} className="mt-4">
        <h3 className="mb-1 font-medium">{t('samples')}</h3>
        <Samples />
        <Collapsible kind="quiet" label={t('formats')}>
          <FormatSamples />
        </Collapsible>
      </section>
      <Recent />
    </Dialog>
  )
}

/** A field to paste a text, for screens without an editor, and the buttons to choose files. */
function PasteField() {
  const { t, actions } = useView('opening')
  const drafts = useDrafts()
  const [text, setText] = useState('')
  const open = () => {
    actions.openText(text, pastedName(text), { kind: 'paste' })
    drafts.show(undefined)
  }
  return (
    <>
      <textarea
        aria-label={t('field')}
        value={text}
        onChange={({ target }) => setText(target.value)}
        rows={4}
        spellCheck={false}
        autoCapitalize="off"
        autoCorrect="off"
        className={`${FIELD_SURFACE} w-full border-dashed p-2 font-mono text-sm`}
      />
      <div className="mt-2 flex flex-wrap gap-2">
        <Button kind="primary" disabled={text.trim() === ''} onClick={open}>
          {t('do')}
        </Button>
        <FileButtons />
      </div>
    </>
  )
}

export function FileButtons() {
  const t = useTranslations('opening')
  return (
    <>
      <Button onClick={() => askFor('files')}>{t('files')}</Button>
      <Button onClick={() => askFor('folder')}>{t('folder')}</Button>
    </>
  )
}

/** Buttons that open samples and close the dialog: the name of each, a fact about it, and what it shows. */
function SampleButtons(props: {
  readonly samples: readonly (readonly [id: string, name: string, fact: string, shows?: string])[]
}) {
  const playground = usePlayground()
  const drafts = useDrafts()
  const open = (id: string) => {
    void openSample(playground, id, fetchText)
    drafts.show(undefined)
  }
  return (
    <div className="-mx-2 grid items-start sm:grid-cols-2">
      {props.samples.map(([id, name, fact, shows]) => (
        <button
          key={id}
          type="button"
          onClick={() => open(id)}
          className="cursor-pointer rounded-md border border-transparent px-2 py-1 text-left hover:border-line hover:bg-line/50 pointer-coarse:min-h-11"
        >
          <span className="font-medium">{name}</span>{' '}
          <span className="break-words text-soft text-sm">{fact}</span>
          {shows && <span className="line-clamp-2 block text-soft text-sm">{shows}</span>}
        </button>
      ))}
    </div>
  )
}

function Samples({ most }: { readonly most?: number }) {
  const t = useTranslations('opening')
  const language = useLocale()
  const samples = usePlaygroundState((state) => state.samples).slice(0, most)
  const rows = samples.map(({ id, title, shows, turns, results }) => {
    return [id, title[language], t('facts', { turns, results }), shows[language]] as const
  })
  return <SampleButtons samples={rows} />
}

/** One of the samples in every format. */
function FormatSamples() {
  const { format } = useView('opening')
  const words = useWords()
  const samples = usePlaygroundState((state) => state.formatSamples)
  const rows = samples.map(({ id, file, format: name, bytes }) => {
    return [id, words({ name }), `${sampleFileName(file)} · ${format.size(bytes)}`] as const
  })
  return <SampleButtons samples={rows} />
}

/** What stands in place of the masked text while no transcript is open. */
export function EmptyZone() {
  const t = useTranslations('opening')
  const drafts = useDrafts()
  return (
    <div className="min-h-0 flex-1 overflow-y-auto p-4">
      <div className="flex min-h-full flex-col justify-center gap-4 rounded-xl border-2 border-line border-dashed p-6">
        <h3 className="font-semibold text-lg">{t('empty')}</h3>
        <div className="flex flex-wrap gap-2">
          <FileButtons />
          <Button kind="ghost" onClick={() => drafts.show('open')}>
            {t('all')}
          </Button>
        </div>
        <Samples most={3} />
      </div>
    </div>
  )
}
