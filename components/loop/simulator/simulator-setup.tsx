'use client'

import { useMemo } from 'react'
import { useTranslations } from 'use-intl'
import { DEFAULT_LIMITS, type LoopLimits } from '@/lib/core/loop/tool-call-manager'
import { DEFAULT_STUB, type Stub } from '@/lib/state/loop/simulator-state'
import { NumberField } from '../../numbers/number-field'
import { Button } from '../../ui/button'
import { Collapsible } from '../../ui/collapsible'
import { SegmentedControl } from '../../ui/segmented-control'
import { TextArea } from '../../ui/text-area'
import { useSimulator, useSimulatorState } from '../loop-tools'

const KINDS = ['answer', 'fail_once', 'fail', 'never'] as const
const MOST_DELAY = 3_600_000
const SECOND = 1000

/** Behaviour of each tool in the batch. */
export function SimulatedTools() {
  const t = useTranslations('simulator.tools')
  const calls = useSimulatorState((state) => state.calls)
  // A tool without a name cannot be configured.
  const names = useMemo(
    () => [...new Set(calls.map(({ name }) => name))].filter((name) => name.trim() !== ''),
    [calls],
  )
  return (
    <section>
      <h3 className="font-medium">{t('title')}</h3>
      {names.length === 0 && <p className="text-soft text-sm">{t('none')}</p>}
      <ul className="mt-1 flex flex-col gap-3">
        {names.map((name) => (
          <SimulatedTool key={name} name={name} />
        ))}
      </ul>
    </section>
  )
}

function SimulatedTool({ name }: { name: string }) {
  const t = useTranslations('simulator.tools')
  const simulator = useSimulator()
  const { kind, delay, text } = useSimulatorState((state) => state.stubs.get(name) ?? DEFAULT_STUB)
  const timeout = useSimulatorState((state) => state.limits.timeout)
  const seconds = timeout / SECOND
  const change = (part: Partial<Stub>) => simulator.changeStub(name, part)
  return (
    <li className="border-line border-l-2 pl-3">
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <span className="min-w-0 break-words font-medium font-mono text-sm">{name}</span>
        <span className="flex flex-wrap items-center gap-2">
          {kind !== 'never' && (
            <NumberField
              isLabelHidden
              label={t('delay', { name })}
              unit={t('delayUnit')}
              value={delay}
              minimum={0}
              maximum={MOST_DELAY}
              onValueChange={(next) => change({ delay: next })}
            />
          )}
          <SegmentedControl
            kind="quiet"
            label={t('kind', { name })}
            value={kind}
            options={KINDS.map((value) => ({ value, label: t(`kinds.${value}`) }))}
            onValueChange={(next) => change({ kind: next })}
          />
        </span>
      </div>
      {kind === 'never' ? (
        <p className="mt-0.5 text-soft text-sm">{t('never', { seconds })}</p>
      ) : (
        <>
          <div className="mt-1 max-h-32 overflow-y-auto">
            <TextArea
              isMono
              aria-label={t(kind === 'fail' ? 'failure' : 'answer', { name })}
              value={text}
              onChange={({ target }) => change({ text: target.value })}
              className="min-h-8!"
            />
          </div>
          {delay >= timeout && (
            <p className="mt-0.5 text-sm text-warn">{t('tooLate', { seconds })}</p>
          )}
        </>
      )}
    </li>
  )
}

/** The unit of a limit in its field, and its bounds there. */
const LIMITS = {
  callsPerBatch: [1, 0, 1000],
  idWindow: [SECOND, 0, 86_400],
  signatureWindow: [SECOND, 0, 86_400],
  timeout: [SECOND, 1, 3600],
  retries: [1, 0, 10],
  callsPerSession: [1, 1, 100_000],
  historyEntries: [1, 1, 10_000],
} as const satisfies Readonly<Partial<Record<keyof LoopLimits, readonly number[]>>>

const KEYS = Object.keys(LIMITS) as (keyof typeof LIMITS)[]

/** Limits of the guards, applied from the next batch on. */
export function SimulatorLimits() {
  const t = useTranslations('simulator.limits')
  const simulator = useSimulator()
  const limits = useSimulatorState((state) => state.limits)
  const hasRun = useSimulatorState(({ batches }) => batches.length > 0)
  const isDefault = KEYS.every((key) => limits[key] === DEFAULT_LIMITS[key])
  return (
    <Collapsible label={t('title')}>
      <div className="flex flex-col gap-1 pt-1 [&_label]:font-normal">
        {KEYS.map((key) => {
          const [unit, minimum, maximum] = LIMITS[key]
          return (
            <NumberField
              key={key}
              label={t(key)}
              unit={unit === SECOND ? t('seconds') : ''}
              value={limits[key] / unit}
              minimum={minimum}
              maximum={maximum}
              onValueChange={(value) => simulator.changeLimits({ [key]: value * unit })}
            />
          )
        })}
        <p className="text-soft text-sm">{t('historyHint', { count: limits.historyEntries })}</p>
        {hasRun && <p className="text-soft text-sm">{t('nextBatch')}</p>}
        {!isDefault && (
          <div className="text-sm">
            <Button kind="link" onClick={() => simulator.changeLimits(DEFAULT_LIMITS)}>
              {t('reset')}
            </Button>
          </div>
        )}
      </div>
    </Collapsible>
  )
}
