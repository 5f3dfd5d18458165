import { CopyPlus, Plus, Trash2 } from 'lucide-react'
import { useId, useMemo, useState } from 'react'
import { useTranslations } from 'use-intl'
import type { UnansweredCall } from '@/lib/core/loop/next-request'
import { DEFAULT_LIMITS, type LoopLimits } from '@/lib/core/loop/tool-call-manager'
import { resultNote } from '@/lib/state/loop/next-request-inputs'
import {
  DEFAULT_STUB,
  isSameBatch,
  type RunCall,
  type Stub,
} from '@/lib/state/loop/simulator-state'
import { NumberField } from '../../numbers/number-field'
import { Button } from '../../ui/button'
import { Collapsible } from '../../ui/collapsible'
import { IconButton } from '../../ui/icon-button'
import { SegmentedControl } from '../../ui/segmented-control'
import { TextArea, TextInput } from '../../ui/text-area'
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
  const { limits, batches } = useSimulatorState()
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
        {batches.length > 0 && <p className="text-soft text-sm">{t('nextBatch')}</p>}
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

const CALLS_AT_ONCE = 20

/** Editable calls of the batch. The default is the calls of the last turn. */
export function BatchCalls({ turn }: { turn: readonly UnansweredCall[] | undefined }) {
  const t = useTranslations('simulator.calls')
  const simulator = useSimulator()
  const { calls, isOwn } = useSimulatorState()
  const [most, setMost] = useState(CALLS_AT_ONCE)
  const isOther = isOwn || (turn !== undefined && !isSameBatch(calls, turn))
  return (
    <section>
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <h3 className="font-medium">
          {t('title')}{' '}
          {calls.length > 0 && (
            <span className="font-normal text-soft text-sm">
              {t(isOwn ? 'custom' : isOther ? 'fromOther' : 'fromTurn')}
            </span>
          )}
        </h3>
        {isOther && turn !== undefined && turn.length > 0 && (
          <Button kind="link" className="text-sm" onClick={() => simulator.takeCalls(turn)}>
            {t('load')}
          </Button>
        )}
      </div>
      {calls.length === 0 && <p className="text-soft text-sm">{t('none')}</p>}
      <ol className="mt-1 flex flex-col gap-3">
        {calls.slice(0, most).map((call, index) => (
          <BatchCall key={call.key} call={call} number={index + 1} />
        ))}
      </ol>
      <div className="mt-2 flex gap-2">
        {calls.length > most && (
          <Button size="small" onClick={() => setMost(most + CALLS_AT_ONCE)}>
            {t('more', { count: Math.min(CALLS_AT_ONCE, calls.length - most) })}
          </Button>
        )}
        <Button size="small" onClick={simulator.addCall} icon={Plus}>
          {t('add')}
        </Button>
      </div>
    </section>
  )
}

function BatchCall({ call, number }: { call: RunCall; number: number }) {
  const t = useTranslations('simulator.calls')
  const simulator = useSimulator()
  const id = useId()
  const problems = [
    call.name.trim() === '' && t('noName'),
    call.id.trim() === '' && t('noId'),
    isBroken(call.arguments) && t('brokenArguments'),
  ].filter(Boolean)
  const described = problems.length > 0 ? `${id}-problems` : undefined
  const field = (key: 'name' | 'id') => (
    <TextInput
      aria-label={t(`${key}Of`, { number })}
      placeholder={t(key)}
      value={call[key]}
      aria-invalid={call[key].trim() === ''}
      aria-describedby={described}
      onChange={({ target }) => simulator.changeCall(call.key, { [key]: target.value })}
      className="w-0 min-w-0 flex-1 font-mono"
    />
  )
  const buttons = [
    [t('duplicate', { number }), CopyPlus, simulator.duplicateCall],
    [t('remove', { number }), Trash2, simulator.removeCall],
  ] as const
  return (
    <li>
      <div className="flex items-center gap-1.5">
        <span className="w-4 shrink-0 text-right text-faint text-sm tabular-nums">{number}</span>
        {field('name')}
        {field('id')}
        <span className="flex shrink-0">
          {buttons.map(([label, Icon, change]) => (
            <IconButton key={label} label={label} onClick={() => change(call.key)} icon={Icon} />
          ))}
        </span>
      </div>
      <div className="mt-1 ml-5.5 max-h-32 overflow-y-auto">
        <TextArea
          isMono
          aria-label={t('argumentsOf', { number })}
          placeholder={t('arguments')}
          aria-describedby={described}
          value={call.arguments}
          onChange={({ target }) => simulator.changeCall(call.key, { arguments: target.value })}
          className="min-h-8!"
        />
      </div>
      {problems.length > 0 && (
        <p id={`${id}-problems`} className="mt-0.5 ml-5.5 text-sm text-warn">
          {problems.join(' ')}
        </p>
      )}
    </li>
  )
}

function isBroken(text: string): boolean {
  if (text.trim() === '') return false
  return resultNote({ text, isError: false, code: 'NOT_RUN' }).kind !== 'isJson'
}
