import { useTranslations } from 'use-intl'
import { type FlagField, type IntegerField, policyField } from '@/lib/core/policy/policy-fields'
import { extensionsInUse, requestTokensOf } from '@/lib/state/policy/policy-facts'
import { usePlaygroundState } from '../playground-context'
import { Collapsible } from '../ui/collapsible'
import { useFigureFormat } from '../use-figure-format'
import { ExcludeToolsField } from './exclude-tools-field'
import { FlagControl, IntegerControl } from './generic-field'

const INSIDE: readonly string[] = [
  'textParts',
  'linkByOrder',
  'neverGrow',
  'triggerTokens',
  'excludeTools',
]

/** Settings of the remaining extensions. */
export function AdvancedFields() {
  const t = useTranslations('policy')
  const inUse = usePlaygroundState(
    ({ policy }) => extensionsInUse(policy).filter((key) => INSIDE.includes(key)).length,
  )
  return (
    <Collapsible
      label={t('advanced.title')}
      trailing={
        inUse > 0 && (
          <span className="rounded-full bg-accent-tint px-2 text-accent">
            {t('advanced.inUse', { n: inUse })}
          </span>
        )
      }
    >
      <div className="flex flex-col gap-3.5 pt-2">
        <FlagControl
          field={policyField('textParts') as FlagField}
          help={t('descriptions.textParts')}
        />
        <FlagControl
          field={policyField('linkByOrder') as FlagField}
          help={t('descriptions.linkByOrder')}
        />
        <FlagControl
          field={policyField('neverGrow') as FlagField}
          help={t('descriptions.neverGrow')}
        />
        <IntegerControl
          field={policyField('triggerTokens') as IntegerField}
          description={<TriggerSentence />}
        />
        <ExcludeToolsField />
      </div>
    </Collapsible>
  )
}

function TriggerSentence() {
  const t = useTranslations('policy.advanced')
  const format = useFigureFormat()
  const tokens = usePlaygroundState(requestTokensOf)
  const trigger = usePlaygroundState(({ policy }) => policy.triggerTokens)
  const shown = format.number(tokens)
  if (trigger === 0 || tokens === undefined) return t('triggerNone', { tokens: shown })
  return t(tokens < trigger ? 'triggerBelow' : 'triggerAbove', { tokens: shown })
}
