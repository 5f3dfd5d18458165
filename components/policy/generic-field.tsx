import { CircleHelp } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import type { FlagField, IntegerField } from '@/lib/core/policy/policy-fields'
import { NumberField } from '../numbers/number-field'
import { usePlayground, usePlaygroundState } from '../playground-context'
import { IconButton } from '../ui/icon-button'
import { Popover } from '../ui/popover'
import { SwitchField } from '../ui/switch-field'
import { ChangeMark } from './change-mark'
import { useGesture } from './use-window'

interface FlagControlProps {
  readonly field: FlagField
  /** What the setting does, behind a mark. */
  readonly help?: ReactNode
}

/** A switch for a boolean setting. */
export function FlagControl({ field: { key }, help }: FlagControlProps) {
  const t = useTranslations('policy')
  const { actions } = usePlayground()
  const isOn = usePlaygroundState(({ policy }) => policy[key])
  return (
    <SwitchField
      label={t(`labels.${key}`)}
      isOn={isOn}
      onChange={(next) => actions.changePolicy({ [key]: next })}
      mark={<Marks setting={key} help={help} />}
    />
  )
}

function Marks({
  setting,
  help,
}: {
  readonly setting: FlagField['key'] | IntegerField['key']
  readonly help: ReactNode
}) {
  const t = useTranslations('policy')
  return (
    <>
      {help !== undefined && <HelpMark name={t(`labels.${setting}`)}>{help}</HelpMark>}
      <ChangeMark setting={setting} />
    </>
  )
}

interface IntegerControlProps extends Pick<FlagControlProps, 'help'> {
  readonly field: IntegerField
  /** What it does to the open conversation. */
  readonly description?: ReactNode
}

/** A number field for a setting; its bounds come from the table of policy fields. */
export function IntegerControl({ help, ...rest }: IntegerControlProps) {
  // Made here, so that a new number does not redraw it.
  return <IntegerInput {...rest} mark={<Marks setting={rest.field.key} help={help} />} />
}

function IntegerInput({
  field,
  description,
  mark,
}: Omit<IntegerControlProps, 'help'> & { readonly mark: ReactNode }) {
  const { key, minimum, maximum, unit } = field
  const t = useTranslations('policy')
  const gesture = useGesture(key)
  const value = usePlaygroundState(({ policy }) => policy[key])
  return (
    <NumberField
      label={t(`labels.${key}`)}
      value={value}
      minimum={minimum}
      maximum={maximum}
      width={unit === 'tokens' ? 'wide' : 'narrow'}
      unit={t(`units.${unit}`, { n: value })}
      onValueChange={(next) => gesture.change({ [key]: next })}
      onValueCommitted={(by) => (by === 'blur' ? gesture.end() : gesture.endSoon())}
      mark={mark}
      description={description}
    />
  )
}

/** A button beside a setting's name that says what it does. */
function HelpMark({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  const t = useTranslations('policy')
  return (
    <Popover
      align="start"
      label={name}
      trigger={
        <IconButton label={t('help', { name })} className="-mx-1 -my-1 pointer-coarse:-my-2.5">
          <CircleHelp aria-hidden />
        </IconButton>
      }
    >
      <p>{children}</p>
    </Popover>
  )
}
