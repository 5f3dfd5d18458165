import { useTranslations } from 'use-intl'
import {
  ERROR_RULES,
  type ErrorRule,
  OPTIONAL_ERROR_RULES,
} from '@/lib/core/conversation/conversation'
import { type FlagField, type NamesField, policyField } from '@/lib/core/policy/policy-fields'
import { withRule } from '@/lib/core/results/rule-effects'
import { errorRuleCountsOf } from '@/lib/state/policy/policy-facts'
import { useDeferredState, usePlayground, usePlaygroundState } from '../playground-context'
import { Collapsible } from '../ui/collapsible'
import { CheckboxField } from '../ui/switch-field'
import { ChangeMark } from './change-mark'
import { FlagControl } from './generic-field'
import { AddName, ListedName } from './names-list'

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

/** The user's own texts that mark a result as an error. */
function ErrorPatternsField() {
  const t = useTranslations('errorLab')
  const { actions } = usePlayground()
  const patterns = usePlaygroundState(({ policy }) => policy.errorPatterns)
  const { limit } = policyField('errorPatterns') as NamesField
  const set = (errorPatterns: readonly string[]) => actions.changePolicy({ errorPatterns })
  return (
    <fieldset className="min-w-0">
      <legend className="float-left flex min-h-7 w-full items-center gap-1.5 text-soft text-sm">
        {t('texts')}
        <ChangeMark setting="errorPatterns" />
      </legend>
      <div className="clear-both">
        {patterns.map((pattern) => (
          <ListedName
            key={pattern}
            name={pattern}
            removeLabel={t('remove', { text: pattern })}
            onRemove={() => set(patterns.filter((other) => other !== pattern))}
          />
        ))}
        <AddName
          label={t('addText')}
          addLabel={t('add')}
          maxLength={limit?.length}
          onAdd={(text) => set([...new Set([...patterns, text])].slice(0, limit?.items))}
        />
      </div>
    </fieldset>
  )
}
