import { useTranslations } from 'use-intl'
import {
  ERROR_RULES,
  type ErrorRule,
  OPTIONAL_ERROR_RULES,
} from '@/lib/core/conversation/conversation'
import { type FlagField, policyField } from '@/lib/core/policy/policy-fields'
import { withRule } from '@/lib/core/results/rule-effects'
import { errorRuleCountsOf } from '@/lib/state/policy/policy-facts'
import { useDeferredState, usePlayground, usePlaygroundState } from '../playground-context'
import { CheckboxField } from '../ui/checkbox-field'
import { Collapsible } from '../ui/collapsible'
import { ChangeMark } from './change-mark'
import { ErrorPatternsField } from './error-patterns-field'
import { FlagControl } from './generic-field'

/** Switch to keep errors, with the rules for errors below. */
export function KeepErrorsField() {
  const t = useTranslations('policy')
  const lab = useTranslations('errorLab')
  const { actions } = usePlayground()
  const isOn = usePlaygroundState(({ policy }) => policy.keepErrors)
  const chosen = usePlaygroundState(({ policy }) => policy.errorRules)
  const counts = useDeferredState(errorRuleCountsOf)
  const patterns = usePlaygroundState(({ policy }) => policy.errorPatterns)
  // Few formats mark errors themselves, so the rule is hidden if none does.
  const shown = ERROR_RULES.filter((rule) => rule !== 'flag' || (counts?.get('flag') ?? 0) > 0)
  const added = OPTIONAL_ERROR_RULES.filter((rule) => chosen.includes(rule)).length
  const on = shown.filter((rule) => chosen.includes(rule)).length + added
  const boxOf = (rule: ErrorRule) => {
    const n = counts?.get(rule)
    return (
      <CheckboxField
        key={rule}
        label={<span className="text-sm">{t(`errors.matches.${rule}`)}</span>}
        isChecked={chosen.includes(rule)}
        onChange={(isChecked) =>
          actions.changePolicy({ errorRules: withRule(chosen, rule, isChecked) })
        }
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
  }

  return (
    <div>
      <FlagControl field={policyField('keepErrors') as FlagField} />
      {isOn && (
        <Collapsible
          kind="quiet"
          label={t('errors.disclose')}
          trailing={t('errors.some', { on, all: shown.length + added })}
        >
          <div className="pt-0.5 pb-1">
            {shown.map(boxOf)}
            <p className="mt-2 text-soft text-sm">{lab('more_rules')}</p>
            {OPTIONAL_ERROR_RULES.map(boxOf)}
            <ErrorPatternsField />
            <span className="flex justify-end">
              <ChangeMark setting="errorRules" />
            </span>
          </div>
        </Collapsible>
      )}
      {isOn && on + patterns.length === 0 && (
        <p className="text-sm text-warn">{t('errors.none')}</p>
      )}
    </div>
  )
}
