import { useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { pastedName, type SampleEntry } from '@/lib/state/document/document-slice'
import { openSample, sampleFileName } from '@/lib/state/files/samples'
import { useDrafts, useDraftsState } from '../drafts/drafts-context'
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
  const drafts = useDrafts()
  const isOpen = useDraftsState(({ dialog }) => dialog === 'open')
  const samples = usePlaygroundState((state) => state.samples)
  return (
    <Dialog
      title={t('title')}
      description={t('help')}
      isOpen={isOpen}
      onOpenChange={(open) => drafts.show(open ? 'open' : undefined)}
      className="w-180"
    >
      <PasteField />
      <section aria-label={t('samples')} className="mt-4">
        <h3 className="mb-1 font-medium">{t('samples')}</h3>
        <SampleButtons samples={samples} />
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

/** Returns what opens a sample and closes the dialog. */
function useOpenSample() {
  const playground = usePlayground()
  const drafts = useDrafts()
  return (id: string) => {
    void openSample(playground, id, fetchText)
    drafts.show(undefined)
  }
}

const SAMPLE =
  'cursor-pointer rounded-md border border-transparent px-2 py-1 text-left hover:border-line hover:bg-line/50 pointer-coarse:min-h-11'

function SampleButtons({ samples }: { readonly samples: readonly SampleEntry[] }) {
  const t = useTranslations('opening')
  const language = useLocale()
  const open = useOpenSample()
  return (
    <div className="-mx-2 grid items-start sm:grid-cols-2">
      {samples.map(({ id, title, shows, turns, results }) => (
        <button key={id} type="button" onClick={() => open(id)} className={SAMPLE}>
          <span className="font-medium">{title[language]}</span>{' '}
          <span className="text-soft text-sm">{t('facts', { turns, results })}</span>
          <span className="line-clamp-2 block text-soft text-sm">{shows[language]}</span>
        </button>
      ))}
    </div>
  )
}

/** One of the samples in every format. */
function FormatSamples() {
  const { format } = useView('opening')
  const words = useWords()
  const open = useOpenSample()
  const samples = usePlaygroundState((state) => state.formatSamples)
  return (
    <div className="-mx-2 grid items-start sm:grid-cols-2">
      {samples.map(({ id, file, format: name, bytes }) => (
        <button key={id} type="button" onClick={() => open(id)} className={SAMPLE}>
          <span className="font-medium">{words({ name })}</span>{' '}
          <span className="break-words text-soft text-sm">
            {sampleFileName(file)} · {format.size(bytes)}
          </span>
        </button>
      ))}
    </div>
  )
}

/** What stands in place of the masked text while no transcript is open. */
export function EmptyZone() {
  const t = useTranslations('opening')
  const drafts = useDrafts()
  const samples = usePlaygroundState((state) => state.samples)
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
        <SampleButtons samples={samples.slice(0, 3)} />
      </div>
    </div>
  )
}
