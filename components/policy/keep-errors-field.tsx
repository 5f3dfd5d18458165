import { useTranslations } from 'use-intl'
import type { ErrorRule } from '@/lib/core/conversation/conversation'
import { type FlagField, policyField, type RulesField } from '@/lib/core/policy/policy-fields'
import { errorRuleCountsOf } from '@/lib/state/policy/policy-facts'
import { usePlayground, usePlaygroundState } from '../playground-context'
import { CheckboxField } from '../ui/checkbox-field'
import { Collapsible } from '../ui/collapsible'
import { ChangeMark } from './change-mark'
import { FlagControl } from './generic-field'

/** Switch to keep errors, with the rules for errors below. */
export function KeepErrorsField() {
  const t = useTranslations('policy')
  const { actions } = usePlayground()
  const isOn = usePlaygroundState(({ policy }) => policy.keepErrors)
  const chosen = usePlaygroundState(({ policy }) => policy.errorRules)
  const counts = usePlaygroundState(errorRuleCountsOf)
  const { options } = policyField('errorRules') as RulesField
  // Few formats mark errors themselves, so the rule is hidden if none does.
  const shown = options.filter((rule) => rule !== 'flag' || (counts?.get('flag') ?? 0) > 0)
  const on = shown.filter((rule) => chosen.includes(rule)).length

  const toggle = (rule: ErrorRule, isChecked: boolean) =>
    actions.changePolicy({
      errorRules: options.filter((other) => (other === rule ? isChecked : chosen.includes(other))),
    })

  return (
    <div>
      <FlagControl field={policyField('keepErrors') as FlagField} />
      {isOn && (
        <Collapsible
          kind="quiet"
          label={t('errors.disclose')}
          trailing={t('errors.some', { on, all: shown.length })}
        >
          <div className="pt-0.5 pb-1">
            {shown.map((rule) => {
              const n = counts?.get(rule)
              return (
                <CheckboxField
                  key={rule}
                  label={<span className="text-sm">{t(`errors.matches.${rule}`)}</span>}
                  isChecked={chosen.includes(rule)}
                  onChange={(isChecked) => toggle(rule, isChecked)}
                  trailing={
                    counts && (
                      <span className={n === undefined ? 'text-faint' : ''}>
                        <span className="sr-only">{t('errors.countLabel', { n: n ?? 0 })}</span>
                        <span aria-hidden>{n ?? 0}</span>
                      </span>
                    )
                  }
                />
              )
            })}
            <span className="flex justify-end">
              <ChangeMark setting="errorRules" />
            </span>
          </div>
        </Collapsible>
      )}
      {isOn && on === 0 && <p className="text-sm text-warn">{t('errors.none')}</p>}
    </div>
  )
}
