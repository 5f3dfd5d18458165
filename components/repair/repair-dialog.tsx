'use client'

import { useTranslations } from 'use-intl'
import { repairedTextOf, repairOf } from '@/lib/state/repair'
import { usePlayground, usePlaygroundState } from '../playground-context'
import { saveBlob } from '../save-file'
import { Button } from '../ui/button'
import { Collapsible } from '../ui/collapsible'
import { Dialog } from '../ui/dialog'
import { BreakerNotice } from './breaker-notice'
import { OwnArguments } from './own-arguments'
import { RepairLimitsFields } from './repair-limits-fields'
import { RepairList } from './repair-list'
import { RepairMetricsTable } from './repair-metrics-table'

/** The broken arguments of the document, what was done to them, and a field to try one's own. */
export function RepairDialog() {
  const t = useTranslations('repair')
  const { actions } = usePlayground()
  const isOpen = usePlaygroundState(({ isRepairOpen }) => isRepairOpen)
  return (
    <Dialog
      title={t('title')}
      description={t('description')}
      closeLabel={t('close')}
      className="w-[min(62rem,calc(100vw-2rem))]"
      isOpen={isOpen}
      onOpenChange={actions.setRepairOpen}
    >
      <Found />
      <OwnArguments />
    </Dialog>
  )
}

function Found() {
  const t = useTranslations('repair')
  const hasDocument = usePlaygroundState(({ read }) => read !== undefined)
  const repair = usePlaygroundState(repairOf)
  const source = usePlaygroundState(({ broken }) => broken?.source)
  if (repair === undefined) return <p>{t(hasDocument ? 'found.looking' : 'found.nothing')}</p>
  const { calls, metrics } = repair
  if (calls.length === 0) return <p>{t('found.none', { calls: metrics.calls })}</p>
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <p className="min-w-0 flex-1 basis-64 tabular-nums">
          {t('found.some', { ...metrics, broken: calls.length })}
        </p>
        <SaveButton />
      </div>
      <BreakerNotice metrics={metrics} />
      {/* Another document begins with all of its calls. */}
      <RepairList key={source} calls={calls} />
      <div className="mt-3 border-line border-t pt-2">
        <Collapsible label={t('metrics.title')}>
          <RepairMetricsTable metrics={metrics} />
          <RepairLimitsFields />
        </Collapsible>
      </div>
    </>
  )
}

function SaveButton() {
  const t = useTranslations('repair')
  const { store, actions } = usePlayground()
  const repairable = usePlaygroundState((state) => repairOf(state)?.metrics.repaired ?? 0)
  const save = () => {
    const text = repairedTextOf(store.getState())
    if (text === undefined) return
    const name = repairedName(store.getState().read?.source.name ?? '')
    saveBlob(name, new Blob([text], { type: 'application/json' }))
    actions.notify('downloaded', { name })
  }
  return (
    <Button kind="primary" title={t('saveNote')} disabled={repairable === 0} onClick={save}>
      {t('save')}
    </Button>
  )
}

/** `run.json` gives `run.repaired.json`. */
function repairedName(name: string): string {
  const [, stem, ending] = /^(.*?)(?:\.([A-Za-z0-9]{1,8}))?$/s.exec(name) ?? []
  return `${stem || 'conversation'}.repaired.${ending ?? 'json'}`
}
