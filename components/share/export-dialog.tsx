import { Tabs } from '@base-ui/react/tabs'
import { Copy, Download } from 'lucide-react'
import { useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { TEMPLATE_KINDS, TEMPLATE_LANGUAGES, TEMPLATES } from '@/lib/core/policy/placeholder'
import { batchNumber } from '@/lib/core/policy/policy'
import { ReadError, sentenceOf } from '@/lib/core/problem'
import { type Exported, type ExportInput, maskedBy } from '@/lib/core/share/exports/export-target'
import { EXPORT_TARGETS, type ExportId } from '@/lib/core/share/exports/export-targets'
import { writePolicyIntoToml } from '@/lib/core/share/toml/write-policy-toml'
import { decodeUtf8 } from '@/lib/core/text/decode-utf8'
import { everyTurnCostOf } from '@/lib/state/costs/session-advice'
import { type AppliedConfig, applyConfig } from '@/lib/state/files/config-file'
import { exportInputOf } from '@/lib/state/link/export-input'
import { figuresOf } from '@/lib/state/policy/policy-view'
import { useComments, useWords } from '../language-provider'
import { RejectedMasking } from '../meters/history-notes'
import { usePlayground, usePlaygroundState, useView } from '../playground-context'
import { copyText, saveFile } from '../save-file'
import { Button } from '../ui/button'
import { Dialog, type DialogState } from '../ui/dialog'
import { SegmentedControl } from '../ui/segmented-control'
import { siteUrl } from './page-url'

/** Exports of the policy, each with the differences of its target. */
export function ExportDialog(state: DialogState) {
  const t = useTranslations('share')
  const [id, setId] = useState<ExportId>('toml')
  return (
    <Dialog
      title={t('export.title')}
      description={t('export.description')}
      className="flex flex-col short:h-auto h-[calc(100dvh-2rem)] w-[min(58rem,calc(100vw-2rem))] lg:h-[min(44rem,calc(100dvh-2rem))]"
      {...state}
    >
      {/* Tabs in a column on a wide screen, in rows on a narrow one. The content scrolls, the tabs stay. */}
      <Tabs.Root
        value={id}
        onValueChange={(next: ExportId) => setId(next)}
        orientation="vertical"
        className="flex h-full gap-x-5 gap-y-3 max-lg:flex-col"
      >
        <Tabs.List
          aria-label={t('export.targets')}
          activateOnFocus
          className="flex shrink-0 gap-0.5 max-lg:flex-wrap lg:w-36 lg:flex-col"
        >
          {EXPORT_TARGETS.map(({ id: value }) => (
            <Tabs.Tab
              key={value}
              value={value}
              className="h-7 cursor-pointer select-none whitespace-nowrap rounded-md px-2 text-left text-soft transition-colors hover:text-ink data-active:bg-accent-tint data-active:text-accent pointer-coarse:h-10"
            >
              {t(`export.names.${value}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={id} className="min-h-0 min-w-0 flex-1 overflow-y-auto outline-none">
          <ExportView key={id} id={id} />
          {id === 'toml' && <ConfigFile />}
        </Tabs.Panel>
      </Tabs.Root>
    </Dialog>
  )
}

/** An export: its target, effect on this conversation, differences, and text. */
function ExportView({ id }: { id: ExportId }) {
  const t = useTranslations('share.export')
  const comments = useComments()
  const input = usePlaygroundState((state) => exportInputOf(state, siteUrl()))
  const target = EXPORT_TARGETS.find((known) => known.id === id) as (typeof EXPORT_TARGETS)[number]
  const exported = target.write(input, comments)
  const notes = exported.notes.filter(({ code }) => code !== 'exact')
  return (
    <div className="flex flex-col gap-3">
      <p className="text-soft">{t(`abouts.${id}`)}</p>
      {input.shown !== undefined && (
        <p>
          <span className="font-medium">{t('effect.title')}</span>{' '}
          <Effect input={input} exported={exported} />
        </p>
      )}
      <p className="empty:hidden">
        <RejectedMasking place="dialog" />
      </p>
      {notes.length > 0 && (
        <section aria-label={t('instead')}>
          <h3 className="font-medium">{t('instead')}</h3>
          <ul className="mt-1 list-disc pl-4.5 text-soft marker:text-warn">
            {notes.map(({ code, values }) => (
              <li key={code}>
                {t(`notes.${code}`, values as never)}
                {code === 'no_batch' && <EveryTurnCost />}
              </li>
            ))}
          </ul>
        </section>
      )}
      <PlaceholderLanguage />
      <TextPreview
        name={target.fileName}
        label={t(`names.${id}`)}
        text={exported.text}
        mediaType={target.mediaType}
      />
    </div>
  )
}

/** The language of the placeholder that the export carries, unless its text is the user's own. */
function PlaceholderLanguage() {
  const { t, actions } = useView('policy.templates')
  const template = usePlaygroundState(({ policy }) => policy.placeholderTemplate)
  const kind = TEMPLATE_KINDS.find((known) =>
    TEMPLATE_LANGUAGES.some((language) => TEMPLATES[language][known] === template),
  )
  if (kind === undefined) return null
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      {t('language')}
      <SegmentedControl
        label={t('language')}
        value={template}
        options={TEMPLATE_LANGUAGES.map((language) => ({
          value: TEMPLATES[language][kind],
          label: t(`languages.${language}`),
        }))}
        onValueChange={(placeholderTemplate) => actions.changePolicy({ placeholderTemplate })}
      />
    </div>
  )
}

/** What the window costs if it advances every turn, beside the cost of the current policy; nothing while unknown. */
function EveryTurnCost() {
  const { t, format } = useView('share.export.notes')
  const every = usePlaygroundState(everyTurnCostOf)
  const own = usePlaygroundState((state) => figuresOf(state)?.after.costs.cached)
  const batch = usePlaygroundState(({ policy }) => batchNumber(policy))
  if (every === undefined || own === undefined) return null
  return ` ${t('no_batch_cost', { every: format.money(every, own), own: format.money(own, every), batch })}`
}

function Effect({ input, exported: { cleared } }: { input: ExportInput; exported: Exported }) {
  const t = useTranslations('share.export.effect')
  const masked = maskedBy(input)
  const all = input.shown?.conversation.results.length ?? 0
  if (cleared === undefined || masked === undefined) return t('unknown')
  const extra = [...cleared].filter((index) => !masked.has(index)).length
  const missing = [...masked].filter((index) => !cleared.has(index)).length
  const kind = extra + missing > 0 ? 'other' : cleared.size === 0 ? 'none' : 'same'
  return t(kind, { cleared: cleared.size, all, masked: masked.size, extra, missing })
}

/** Reads the policy from a config file of the user, and writes the current policy back into it. */
export function ConfigFile() {
  const t = useTranslations('share.export.config')
  const words = useWords()
  const comments = useComments()
  const playground = usePlayground()
  const config = usePlaygroundState((state) => state.config)
  const policy = usePlaygroundState((state) => state.policy)
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
        <TextPreview
          name={config.name}
          label={t('whole', { name: config.name })}
          title={t('whole', { name: config.name })}
          text={written.text}
          mediaType="application/toml"
        />
      )}
    </section>
  )
}

function Applied({ name, result }: { name: string; result: AppliedConfig }) {
  const t = useTranslations('share.export.config')
  const words = useWords()
  if (result.state === 'failed') {
    return (
      <p className="text-bad">
        {t('failed', { name })} {words(result.reason)}
      </p>
    )
  }
  return (
    <>
      <p>{t('applied', { name })}</p>
      {result.problems.length > 0 && (
        <>
          <p className="mt-1 text-warn">{t('problems', { n: result.problems.length })}</p>
          <ul className="list-disc pl-4.5 text-soft">
            {result.problems.map(words).map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </>
      )}
    </>
  )
}

const MOST_ROWS = 22

/** Preview of a text with buttons to copy or save it. */
export function TextPreview(props: {
  /** File name for saving. */
  readonly name: string
  /** Name of the text for the notice. */
  readonly label: string
  /** Heading, if the name is not unique. */
  readonly title?: string
  readonly text: string
  readonly mediaType: string
}) {
  const { name, label, title = name, text, mediaType } = props
  const { t, actions } = useView('share.export')
  const copy = () => void copyText(actions, text, 'copied_export', { name: label })
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
          />
          <Button size="small" onClick={copy} icon={Copy}>
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
