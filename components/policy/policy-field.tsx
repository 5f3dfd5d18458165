import { CircleHelp, RotateCcw, X } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import type { FlagField, MaskPolicy, NamesField, NumericField } from '@/lib/core/policy/policy'
import { policyField } from '@/lib/core/policy/policy'
import { LINK_DEFAULTS } from '@/lib/core/share/link/settings-link'
import { isChanged } from '@/lib/state/policy/policy-facts'
import { NumberField } from '../numbers/number-field'
import { usePlayground, usePlaygroundState, useView } from '../playground-context'
import { Button } from '../ui/button'
import { Popover } from '../ui/popover'
import { SwitchField, TextInput } from '../ui/switch-field'
import { IconButton, Tooltip } from '../ui/tooltip'
import { useGesture } from './window-field'

/** The field of a flag or a number, as its row in the table of policy fields says; the description is of the open conversation. */
export function PolicyField(props: {
  readonly setting: keyof MaskPolicy
  readonly description?: ReactNode
}) {
  const { setting, description } = props
  const field = policyField(setting)
  // Made here, so that a new number does not redraw it.
  const mark = <Marks setting={setting} isBeside={field.kind === 'number'} />
  if (field.kind === 'flag') return <FlagControl field={field} mark={mark} />
  if (field.kind !== 'number') return null
  return <NumericControl field={field} mark={mark} description={description} />
}

function FlagControl({ field: { key }, mark }: { field: FlagField; mark: ReactNode }) {
  const { t, actions } = useView('policy.labels')
  const isOn = usePlaygroundState(({ policy }) => policy[key])
  const change = (next: boolean) => actions.changePolicy({ [key]: next })
  return <SwitchField label={t(key)} isOn={isOn} onChange={change} mark={mark} />
}

function NumericControl(
  props: { field: NumericField } & Pick<Parameters<typeof NumberField>[0], 'mark' | 'description'>,
) {
  const { field, ...beside } = props
  const { key, minimum, maximum, unit, isWhole, hasAuto } = field
  const { t } = useView('policy')
  const gesture = useGesture(key)
  const value = usePlaygroundState(({ policy }) => policy[key])
  const n = value === 'auto' ? undefined : value
  return (
    <NumberField
      label={t(`labels.${key}`)}
      value={n}
      minimum={minimum}
      maximum={maximum}
      width={unit === 'tokens' ? 'wide' : 'narrow'}
      // Labels name the turns.
      unit={
        unit === 'ratio' || unit === 'turns' || n === undefined
          ? undefined
          : t(`units.${unit}`, { n })
      }
      digits={isWhole ? 0 : 3}
      {...(hasAuto && {
        placeholder: key === 'batchTurns' ? t('advance.short') : 'auto',
        onEmptied: () => gesture.change({ [key]: 'auto' }),
      })}
      onValueChange={(next) => gesture.change({ [key]: next })}
      onValueCommitted={(by) => (by === 'blur' ? gesture.end() : gesture.endSoon())}
      {...beside}
    />
  )
}

/**
 * What a setting does, if its words have a description, and whether it is changed; `isBeside` puts that before the name, so
 * that a long name stays on its line.
 */
function Marks({ setting, isBeside }: { setting: keyof MaskPolicy; isBeside: boolean }) {
  const { t } = useView('policy')
  const name = t(`labels.${setting}`)
  const help = `descriptions.${setting as 'textParts'}` as const
  return (
    <>
      {t.has(help) && (
        <Popover
          align="start"
          label={name}
          trigger={
            <IconButton
              label={t('help', { name })}
              className="-mx-1 -my-1 pointer-coarse:-my-2.5"
              icon={CircleHelp}
            />
          }
        >
          <p>{t(help)}</p>
        </Popover>
      )}
      <span className={isBeside ? 'absolute right-full flex' : 'contents'}>
        <ChangeMark setting={setting} />
      </span>
    </>
  )
}

/** A dot beside a setting that differs from its default. A press resets the setting. */
export function ChangeMark({ setting }: { setting: keyof MaskPolicy }) {
  const { t, format, actions } = useView('policy')
  const isMarked = usePlaygroundState(({ policy }) => isChanged(policy, setting))
  if (!isMarked) return null
  const value = LINK_DEFAULTS[setting]
  const onOrOff = value === true ? t('mark.on') : t('mark.off')
  const text = typeof value === 'number' ? format.number(value) : onOrOff
  const isShort = typeof value === 'number' || typeof value === 'boolean'
  const hint = isShort ? t('mark.hint', { value: text }) : t('mark.hintOther')
  return (
    <Tooltip text={hint} side="top">
      <button
        type="button"
        aria-label={t('mark.reset', { label: t(`labels.${setting}`) })}
        onClick={() => actions.changePolicy({ [setting]: value })}
        className="group relative -m-1 inline-flex size-6 shrink-0 cursor-pointer items-center justify-center rounded-sm text-accent pointer-coarse:before:absolute pointer-coarse:before:-inset-2.5 pointer-coarse:before:content-['']"
      >
        <span
          aria-hidden
          className="size-1.5 rounded-full bg-accent group-hover:hidden group-focus-visible:hidden"
        />
        <RotateCcw
          aria-hidden
          className="hidden size-3.5 group-hover:block group-focus-visible:block"
        />
      </button>
    </Tooltip>
  )
}

/** A list of names of the policy, and how it changes. */
export function useNames(setting: NamesField['key']) {
  const { actions } = usePlayground()
  const names = usePlaygroundState(({ policy }) => policy[setting])
  const { limit } = policyField(setting) as NamesField
  return {
    names,
    maxLength: limit?.length,
    add: (name: string) =>
      actions.changePolicy({ [setting]: [...new Set([...names, name])].slice(0, limit?.items) }),
    remove: (name: string) =>
      actions.changePolicy({ [setting]: names.filter((other) => other !== name) }),
  }
}

/** A list of names with its heading, and a field that adds one; blank ones are not added. */
export function NamesFieldset(props: {
  readonly setting: NamesField['key']
  readonly label: string
  readonly labelClass: string
  /** Names with a row of their own; by default all. */
  readonly listed?: readonly string[]
  readonly note?: string
  readonly addLabel: string
  readonly addButton: string
  readonly removeLabel: (name: string) => string
  readonly children?: ReactNode
}) {
  const { setting, note } = props
  const { names, maxLength, add, remove } = useNames(setting)
  const id = useId()
  const [text, setText] = useState('')
  const isBlank = text.trim() === ''
  return (
    <fieldset className="min-w-0">
      <legend className={`float-left flex min-h-7 w-full items-center gap-1.5 ${props.labelClass}`}>
        {props.label}
        <ChangeMark setting={setting} />
      </legend>
      <div className="clear-both">
        {props.children}
        {(props.listed ?? names).map((name) => (
          <div key={name} className="flex items-center gap-2">
            <span className="min-w-0 flex-1 font-mono text-sm wrap-anywhere">{name}</span>
            {note !== undefined && <span className="shrink-0 text-soft text-sm">{note}</span>}
            <IconButton label={props.removeLabel(name)} onClick={() => remove(name)} icon={X} />
          </div>
        ))}
        <form
          className="mt-1 flex gap-1.5"
          onSubmit={(event) => {
            event.preventDefault()
            // Spaces around a text are part of it.
            if (!isBlank) add(setting === 'excludeTools' ? text.trim() : text)
            setText('')
          }}
        >
          <label htmlFor={id} className="sr-only">
            {props.addLabel}
          </label>
          <TextInput
            id={id}
            value={text}
            maxLength={maxLength}
            placeholder={props.addLabel}
            autoComplete="off"
            autoCapitalize="off"
            onChange={(event) => setText(event.currentTarget.value)}
            className="min-w-0 flex-1 font-mono placeholder:font-sans placeholder:text-faint"
          />
          <Button type="submit" size="small" disabled={isBlank}>
            {props.addButton}
          </Button>
        </form>
      </div>
    </fieldset>
  )
}
