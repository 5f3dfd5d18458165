import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { type Exported, type ExportInput, maskedBy } from '@/lib/core/share/exports/export-target'
import { EXPORT_TARGETS, type ExportId } from '@/lib/core/share/exports/export-targets'
import { everyTurnCostOf } from '@/lib/state/costs/session-advice'
import { exportInputOf } from '@/lib/state/link/export-input'
import { figuresOf } from '@/lib/state/policy/policy-view'
import { useComments } from '../language-provider'
import { RejectedMasking } from '../meters/history-notes'
import { usePlaygroundState, useView } from '../playground-context'
import { Dialog, type DialogState } from '../ui/dialog'
import { Tabs } from '../ui/tabs'
import { ConfigFile, TextPreview } from './config-file'
import { siteUrl } from './page-url'

/** Exports of the policy, each with the differences of its target. */
export function ExportDialog(state: DialogState) {
  const t = useTranslations('share')
  const [id, setId] = useState<ExportId>('toml')
  return (
    <Dialog
      title={t('export.title')}
      description={t('export.description')}
      closeLabel={t('close')}
      className="flex flex-col short:h-auto h-[calc(100dvh-2rem)] w-[min(58rem,calc(100vw-2rem))] lg:h-[min(44rem,calc(100dvh-2rem))]"
      {...state}
    >
      <Tabs
        label={t('export.targets')}
        value={id}
        onValueChange={setId}
        options={EXPORT_TARGETS.map(({ id: value }) => ({
          value,
          label: t(`export.names.${value}`),
        }))}
      >
        <ExportView key={id} id={id} />
        {id === 'toml' && <ConfigFile />}
      </Tabs>
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
      <TextPreview
        name={target.fileName}
        label={t(`names.${id}`)}
        text={exported.text}
        mediaType={target.mediaType}
      />
    </div>
  )
}

/** What the window costs if it advances every turn, beside the cost of the current policy; nothing while unknown. */
function EveryTurnCost() {
  const { t, format } = useView('share.export.notes')
  const every = usePlaygroundState(everyTurnCostOf)
  const own = usePlaygroundState((state) => figuresOf(state)?.after.costs.cached)
  const batch = usePlaygroundState(({ policy }) => policy.batchTurns)
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
  if (extra + missing > 0) {
    return t('other', { cleared: cleared.size, all, masked: masked.size, extra, missing })
  }
  return cleared.size === 0 ? t('none', { all }) : t('same', { cleared: cleared.size, all })
}
