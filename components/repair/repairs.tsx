import { useFormatter, useTranslations } from 'use-intl'
import type { RepairMetrics } from '@/lib/core/repair/repair-document'
import { repairOf } from '@/lib/state/repair/document-repair'
import { repairedTextOf } from '@/lib/state/repair/shown-repair'
import { NumberField } from '../numbers/number-field'
import { usePlaygroundState, useView } from '../playground-context'
import { markedName, saveFile } from '../save-file'
import { Button } from '../ui/button'
import { Collapsible } from '../ui/collapsible'
import { SwitchField } from '../ui/switch-field'
import { PastedArguments, RepairList } from './repair-list'

/** Broken arguments of the document with their repairs, and a field to repair pasted arguments. */
export function Repairs() {
  const { t, actions } = useView('repair')
  const isWrapping = usePlaygroundState(({ repairSettings }) => repairSettings.wrapInput)
  return (
    <div className="grid min-h-0 flex-1 content-start gap-x-8 gap-y-4 overflow-y-auto pb-5 xl:grid-cols-[minmax(0,1fr)_24rem]">
      <div className="min-w-0">
        <Found />
      </div>
      <div className="min-w-0">
        <PastedArguments />
        <div className="mt-3 border-line border-t pt-2">
          <SwitchField
            label={t('limits.wrapInput', { example: '{"input": …}' })}
            isOn={isWrapping}
            onChange={(wrapInput) => actions.setRepairSettings({ wrapInput })}
          />
        </div>
        <p className="mt-3 text-soft text-sm">{t('description')}</p>
      </div>
    </div>
  )
}

const LIMIT_OF = { too_many_attempts: 'attempts', out_of_time: 'milliseconds' } as const

function Found() {
  const { t, store, actions } = useView('repair')
  const bounds = usePlaygroundState(({ repairSettings }) => repairSettings)
  const hasDocument = usePlaygroundState(({ read }) => read !== undefined)
  const repair = usePlaygroundState(repairOf)
  const source = usePlaygroundState(({ read }) => read?.source.id)
  if (repair === undefined) return <p>{t(hasDocument ? 'found.looking' : 'found.nothing')}</p>
  const { calls, metrics } = repair
  if (calls.length === 0) return <p>{t('found.none', { calls: metrics.calls })}</p>
  const save = () => {
    const state = store.getState()
    const text = repairedTextOf(state)
    if (text !== undefined)
      saveFile(actions, markedName(state.read?.source.name, 'repaired'), [text])
  }
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <p className="min-w-0 flex-1 basis-64 tabular-nums">
          {t('found.some', {
            calls: metrics.calls,
            repaired: metrics.repaired,
            failed: metrics.failed,
            broken: calls.length,
          })}
        </p>
        <Button
          kind="primary"
          title={t('saveNote')}
          disabled={metrics.repaired === 0}
          onClick={save}
        >
          {t('save')}
        </Button>
      </div>
      {/* A limit that was reached before the last call, with an offer to raise it. */}
      {metrics.failures.map(({ failure, calls }) => {
        if (failure !== 'too_many_attempts' && failure !== 'out_of_time') return null
        const limit = bounds[LIMIT_OF[failure]]
        const raise = () => actions.setRepairSettings({ [LIMIT_OF[failure]]: limit * 10 })
        return (
          <p key={failure} className="mt-2 text-warn tabular-nums">
            {t(`breaker.${failure}`, { limit, calls })}{' '}
            <Button kind="link" onClick={raise}>
              {t('breaker.more', { limit: limit * 10 })}
            </Button>
          </p>
        )
      })}
      {/* The key resets the filter when the document changes. */}
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

/** Limits of the repair. A change runs the repair again. */
function RepairLimitsFields() {
  const { t, actions } = useView('repair.limits')
  const settings = usePlaygroundState(({ repairSettings }) => repairSettings)
  const limits = {
    attempts: { description: t('attemptsNote'), maximum: 1_000_000 },
    milliseconds: { unit: t('unit'), maximum: 600_000 },
  }
  return (
    <div className="mt-3 flex max-w-xl flex-col gap-1">
      <SwitchField
        label={t('enabled')}
        isOn={settings.enabled}
        onChange={(enabled) => actions.setRepairSettings({ enabled })}
      />
      {settings.enabled &&
        (['attempts', 'milliseconds'] as const).map((limit) => (
          <NumberField
            key={limit}
            label={t(limit)}
            value={settings[limit]}
            minimum={1}
            {...limits[limit]}
            width="wide"
            onValueChange={(next) => actions.setRepairSettings({ [limit]: next })}
          />
        ))}
    </div>
  )
}

/** Attempts, outcomes of the calls, and repairs by strategy. A number is of calls. */
function RepairMetricsTable({ metrics }: { metrics: RepairMetrics }) {
  const t = useTranslations('repair')
  const format = useFormatter()
  const most = usePlaygroundState(({ repairSettings }) => repairSettings.attempts)
  const { averageMilliseconds: time, byRisk, byStrategy } = metrics
  const risks = (['none', 'guess', 'loss'] as const).filter((risk) => byRisk[risk] > 0)
  const row = (name: string, count: number | string, isPart = false) => (
    <tr key={name} className="border-line border-b">
      <th scope="row" className={`py-1 pr-4 font-normal ${isPart ? 'pl-4 text-soft' : ''}`}>
        {name}
      </th>
      <td className="py-1 text-right align-top">
        {typeof count === 'number' ? format.number(count) : count}
      </td>
    </tr>
  )
  return (
    <table className="mt-1 w-full max-w-xl text-left tabular-nums">
      <thead className="text-faint text-xs [&_th]:py-1 [&_th]:font-normal">
        <tr>
          <th scope="col">{t('metrics.what')}</th>
          <th scope="col" className="text-right">
            {t('metrics.calls')}
          </th>
        </tr>
      </thead>
      <tbody>
        {row(t('metrics.all'), metrics.calls)}
        {row(t('metrics.valid'), metrics.valid)}
        {row(t('metrics.repaired'), metrics.repaired)}
        {risks.map((risk) => row(t(`metrics.risks.${risk}`), byRisk[risk], true))}
        {row(t('metrics.failed'), metrics.failed)}
        {metrics.failures.map(({ failure, calls }) => row(t(`failures.${failure}`), calls, true))}
        {row(t('metrics.attempts', { most }), metrics.attempts)}
        {time !== undefined && row(t('metrics.time'), t('metrics.milliseconds', { time }))}
      </tbody>
      {byStrategy.length > 0 && (
        <tbody>
          <tr>
            <th scope="rowgroup" colSpan={2} className="pt-3 pb-1 font-normal text-faint text-xs">
              {t('metrics.byStrategy')}
            </th>
          </tr>
          {byStrategy.map(({ strategy, calls }) => row(t(`strategies.${strategy}`), calls))}
        </tbody>
      )}
    </table>
  )
}
