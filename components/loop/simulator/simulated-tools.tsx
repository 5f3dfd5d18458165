'use client'

import { useMemo } from 'react'
import { useTranslations } from 'use-intl'
import { DEFAULT_STUB, type Stub } from '@/lib/state/loop/simulator'
import { NumberField } from '../../numbers/number-field'
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

function SimulatedTool({ name }: { readonly name: string }) {
  const t = useTranslations('simulator.tools')
  const simulator = useSimulator()
  const stub: Stub = useSimulatorState((state) => state.stubs.get(name) ?? DEFAULT_STUB)
  const timeout = useSimulatorState((state) => state.limits.timeout)
  const { kind, delay, text } = stub
  const seconds = timeout / SECOND
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
              onValueChange={(next) => simulator.changeStub(name, { delay: next })}
            />
          )}
          <SegmentedControl
            kind="quiet"
            label={t('kind', { name })}
            value={kind}
            options={KINDS.map((value) => ({ value, label: t(`kinds.${value}`) }))}
            onValueChange={(next) => simulator.changeStub(name, { kind: next })}
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
              onChange={({ target }) => simulator.changeStub(name, { text: target.value })}
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
