import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import type { FlagField, IntegerField } from '@/lib/core/policy/policy-fields'
import { NumberField } from '../numbers/number-field'
import { usePlayground, usePlaygroundState } from '../playground-context'
import { SwitchField } from '../ui/switch-field'
import { ChangeMark } from './change-mark'
import { useGesture } from './use-gesture'

export interface FlagControlProps {
  readonly field: FlagField
  readonly description?: ReactNode
}

/** A switch for a boolean setting. */
export function FlagControl({ field: { key }, description }: FlagControlProps) {
  const t = useTranslations('policy')
  const { actions } = usePlayground()
  const isOn = usePlaygroundState(({ policy }) => policy[key])
  return (
    <SwitchField
      label={t(`labels.${key}`)}
      isOn={isOn}
      onChange={(next) => actions.changePolicy({ [key]: next })}
      mark={<ChangeMark setting={key} />}
      description={description}
    />
  )
}

export interface IntegerControlProps {
  readonly field: IntegerField
  readonly description?: ReactNode
}

/** A number field for a setting; its bounds come from the table of policy fields. */
export function IntegerControl({ field, description }: IntegerControlProps) {
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
      mark={<ChangeMark setting={key} />}
      description={description}
    />
  )
}
