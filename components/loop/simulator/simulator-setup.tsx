import { Plus, Trash2 } from 'lucide-react'
import { useId, useState } from 'react'
import { useTranslations } from 'use-intl'
import { DEFAULT_LIMITS } from '@/lib/core/loop/guards'
import { isJsonText } from '@/lib/core/text/json'
import { LIMIT_FIELDS } from '@/lib/state/loop/loop-settings'
import { DEFAULT_STUB, type RunCall, type Stub } from '@/lib/state/loop/simulator'
import { isSameBatch, withAnother } from '@/lib/state/loop/simulator-rows'
import { NumberField } from '../../numbers/number-field'
import { Button } from '../../ui/button'
import { Collapsible } from '../../ui/collapsible'
import { SegmentedControl } from '../../ui/segmented-control'
import { ShowMore } from '../../ui/show-more'
import { TextArea, TextInput } from '../../ui/switch-field'
import { IconButton } from '../../ui/tooltip'
import { useSimulator, useSimulatorState } from '../loop-tools'

interface Calls {
  readonly calls: readonly RunCall[]
}

const CALLS_AT_ONCE = 20

/** Editable calls of the batch: those of the last turn, until the user changes them. */
export function BatchCalls({ calls, turn }: Calls & { turn: readonly RunCall[] | undefined }) {
  const t = useTranslations('simulator.calls')
  const simulator = useSimulator()
  const [most, setMost] = useState(CALLS_AT_ONCE)
  const isOther = !isSameBatch(calls, turn ?? [])
  return (
    <section>
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <h3 className="font-medium">
          {t('title')}{' '}
          {calls.length > 0 && (
            <span className="font-normal text-soft text-sm">
              {t(isOther ? 'custom' : 'fromTurn')}
            </span>
          )}
        </h3>
        {isOther && turn !== undefined && turn.length > 0 && (
          <Button kind="link" className="text-sm" onClick={() => simulator.setCalls(undefined)}>
            {t('load')}
          </Button>
        )}
      </div>
      {calls.length === 0 && <p className="text-soft text-sm">{t('none')}</p>}
      <ol className="mt-1 flex flex-col gap-3">
        {calls.slice(0, most).map((call, at) => (
          <BatchCall
            // biome-ignore lint/suspicious/noArrayIndexKey: ids can repeat
            key={at}
            call={call}
            number={at + 1}
            onChange={(...changed) => simulator.setCalls(calls.toSpliced(at, 1, ...changed))}
          />
        ))}
      </ol>
      <div className="mt-2 flex gap-2">
        <ShowMore all={calls.length} most={most} atOnce={CALLS_AT_ONCE} onMore={setMost} />
        <Button size="small" icon={Plus} onClick={() => simulator.setCalls(withAnother(calls))}>
          {t('add')}
        </Button>
      </div>
    </section>
  )
}

function BatchCall(props: {
  readonly call: RunCall
  readonly number: number
  /** Replaces the call by another, or by none. */
  readonly onChange: (...changed: readonly RunCall[]) => void
}) {
  const { call, number, onChange } = props
  const t = useTranslations('simulator.calls')
  const id = useId()
  const problems = [
    call.name.trim() === '' && t('noName'),
    call.id.trim() === '' && t('noId'),
    call.arguments.trim() !== '' && !isJsonText(call.arguments) && t('brokenArguments'),
  ].filter(Boolean)
  const field = (key: keyof RunCall) => ({
    'aria-label': t(`${key}Of`, { number }),
    'aria-describedby': problems.length > 0 ? `${id}-problems` : undefined,
    placeholder: t(key),
    value: call[key],
    onChange: ({ target }: { readonly target: { readonly value: string } }) =>
      onChange({ ...call, [key]: target.value }),
  })
  return (
    <li>
      <div className="flex items-center gap-1.5">
        <span className="w-4 shrink-0 text-right text-faint text-sm tabular-nums">{number}</span>
        {(['name', 'id'] as const).map((key) => (
          <TextInput
            key={key}
            {...field(key)}
            aria-invalid={call[key].trim() === ''}
            className="w-0 min-w-0 flex-1 font-mono"
          />
        ))}
        <IconButton label={t('remove', { number })} onClick={() => onChange()} icon={Trash2} />
      </div>
      <div className="mt-1 ml-5.5 max-h-32 overflow-y-auto">
        <TextArea isMono {...field('arguments')} className="min-h-8!" />
      </div>
      {problems.length > 0 && (
        <p id={`${id}-problems`} className="mt-0.5 ml-5.5 text-sm text-warn">
          {problems.join(' ')}
        </p>
      )}
    </li>
  )
}

/** Behaviour of each tool in the batch; a tool without a name has none. */
export function SimulatedTools({ calls }: Calls) {
  const t = useTranslations('simulator.tools')
  const names = new Set(calls.map(({ name }) => name).filter((name) => name.trim() !== ''))
  return (
    <section>
      <h3 className="font-medium">{t('title')}</h3>
      {names.size === 0 && <p className="text-soft text-sm">{t('none')}</p>}
      <ul className="mt-1 flex flex-col gap-3">
        {[...names].map((name) => (
          <SimulatedTool key={name} name={name} />
        ))}
      </ul>
    </section>
  )
}

const KINDS = ['answer', 'fail_once', 'fail', 'never'] as const
const MOST_DELAY = 3_600_000

function SimulatedTool({ name }: { name: string }) {
  const t = useTranslations('simulator.tools')
  const simulator = useSimulator()
  const { kind, delay, text } = useSimulatorState((state) => state.stubs.get(name) ?? DEFAULT_STUB)
  const timeout = useSimulatorState((state) => state.limits.timeout)
  const change = (part: Partial<Stub>) => simulator.changeStub(name, part)
  const isAnswering = kind !== 'never'
  const late = isAnswering ? delay >= timeout && 'tooLate' : 'never'
  return (
    <li className="border-line border-l-2 pl-3">
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <span className="min-w-0 break-words font-medium font-mono text-sm">{name}</span>
        <span className="flex flex-wrap items-center gap-2">
          {isAnswering && (
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
      {isAnswering && (
        <div className="mt-1 max-h-32 overflow-y-auto">
          <TextArea
            isMono
            aria-label={t(kind === 'fail' ? 'failure' : 'answer', { name })}
            value={text}
            onChange={({ target }) => change({ text: target.value })}
            className="min-h-8!"
          />
        </div>
      )}
      {late && (
        <p className={`mt-0.5 text-sm ${isAnswering ? 'text-warn' : 'text-soft'}`}>
          {t(late, { seconds: timeout / 1000 })}
        </p>
      )}
    </li>
  )
}

const KEYS = Object.keys(LIMIT_FIELDS) as (keyof typeof LIMIT_FIELDS)[]

/** Limits of the guards, applied from the next batch on. */
export function SimulatorLimits() {
  const t = useTranslations('simulator.limits')
  const simulator = useSimulator()
  const { limits, batches } = useSimulatorState()
  return (
    <Collapsible label={t('title')}>
      <div className="flex flex-col gap-1 pt-1 [&_label]:font-normal">
        {KEYS.map((key) => {
          const { scale, minimum, maximum } = LIMIT_FIELDS[key]
          return (
            <NumberField
              key={key}
              label={t(key)}
              unit={scale === 1 ? '' : t('seconds')}
              value={limits[key] / scale}
              {...{ minimum, maximum }}
              onValueChange={(value) => simulator.changeLimits({ [key]: value * scale })}
            />
          )
        })}
        <p className="text-soft text-sm">
          {t('historyHint', { count: limits.historyEntries })}{' '}
          {batches.length > 0 && t('nextBatch')}
        </p>
        {KEYS.some((key) => limits[key] !== DEFAULT_LIMITS[key]) && (
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
