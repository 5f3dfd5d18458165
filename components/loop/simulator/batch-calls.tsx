'use client'

import { CopyPlus, Plus, Trash2 } from 'lucide-react'
import { useId, useState } from 'react'
import { useTranslations } from 'use-intl'
import type { UnansweredCall } from '@/lib/core/loop/next-request'
import { resultNote } from '@/lib/state/loop/next-request-inputs'
import { isSameBatch, type RunCall } from '@/lib/state/loop/simulator-state'
import { Button } from '../../ui/button'
import { IconButton } from '../../ui/icon-button'
import { TextArea, TextInput } from '../../ui/text-area'
import { useSimulator, useSimulatorState } from '../loop-tools'

const CALLS_AT_ONCE = 20

/** Editable calls of the batch. The default is the calls of the last turn. */
export function BatchCalls({ turn }: { turn: readonly UnansweredCall[] | undefined }) {
  const t = useTranslations('simulator.calls')
  const simulator = useSimulator()
  const calls = useSimulatorState((state) => state.calls)
  const isOwn = useSimulatorState((state) => state.isOwn)
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
