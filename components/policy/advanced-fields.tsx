import { useState } from 'react'
import type { ErrorRule } from '@/lib/core/conversation/conversation'
import { ERROR_RULES, OPTIONAL_ERROR_RULES } from '@/lib/core/conversation/conversation'
import { POLICY_FIELDS } from '@/lib/core/policy/policy'
import { withRule } from '@/lib/core/results/rule-effects'
import { offeredRulesOf } from '@/lib/state/policy/error-lab'
import {
  errorRuleCountsOf,
  extensionsInUse,
  requestTokensOf,
  toolSharesOf,
} from '@/lib/state/policy/policy-facts'
import { useDeferredState, usePlaygroundState, useView } from '../playground-context'
import { Button, linkTo } from '../ui/button'
import { Collapsible } from '../ui/collapsible'
import { CheckboxField } from '../ui/switch-field'
import { ChangeMark, NamesFieldset, PolicyField, useNames } from './policy-field'

/** Extensions that are shown beside another setting, and those that are last here. */
const ELSEWHERE = ['batchTurns', 'errorRules', 'errorPatterns']
const LAST = ['neverGrow', 'triggerTokens', 'excludeTools']

/** The other extensions, so that a new one has its field. */
const INSIDE = POLICY_FIELDS.filter(
  ({ key, isExtension }) => isExtension && !ELSEWHERE.includes(key),
).sort((a, b) => LAST.indexOf(a.key) - LAST.indexOf(b.key))

/** Settings of the remaining extensions. */
export function AdvancedFields() {
  const { t } = useView('policy')
  const used = extensionsInUse(usePlaygroundState(({ policy }) => policy))
  const inUse = used.filter((key) => !ELSEWHERE.includes(key)).length
  const names = used.map((key) => t(`labels.${key}`)).join(', ')
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
        <p className="text-soft text-sm">
          {t(`schema.${used.length === 0 ? 'exact' : 'extended'}`, { n: used.length, names })}
        </p>
        {INSIDE.map(({ key }) =>
          key === 'excludeTools' ? (
            <ExcludeToolsField key={key} />
          ) : (
            <PolicyField
              key={key}
              setting={key}
              description={key === 'triggerTokens' ? <TriggerSentence /> : undefined}
            />
          ),
        )}
      </div>
    </Collapsible>
  )
}

function TriggerSentence() {
  const { t, format } = useView('policy.advanced')
  const tokens = usePlaygroundState(requestTokensOf)
  const trigger = usePlaygroundState(({ policy }) => policy.triggerTokens)
  const kind = trigger === 0 || tokens === undefined ? 'None' : tokens < trigger ? 'Below' : 'Above'
  return t(`trigger${kind}`, { tokens: format.number(tokens) })
}

/** Number of tools shown before “more”. */
const FIRST_TOOLS = 8

const TOKENS_COLUMN = 'inline-block w-16 text-right'

/** Tools whose results are never masked: checkboxes for the document's tools, a field for others. */
function ExcludeToolsField() {
  const { t, format } = useView('policy')
  const { names: excluded, add, remove } = useNames('excludeTools')
  const tools = useDeferredState(toolSharesOf)
  const [isWhole, setIsWhole] = useState(false)
  const shown = isWhole
    ? tools
    : tools.filter((tool, index) => index < FIRST_TOOLS || excluded.includes(tool.name))
  return (
    <NamesFieldset
      setting="excludeTools"
      label={t('labels.excludeTools')}
      labelClass="font-medium"
      listed={excluded.filter((tool) => tools.every((present) => present.name !== tool))}
      note={t('advanced.toolAbsent')}
      addLabel={t('advanced.addTool')}
      addButton={t('advanced.add')}
      removeLabel={(tool) => t('advanced.remove', { tool })}
    >
      <p className="text-soft text-sm">
        {t(tools.length === 0 ? 'advanced.noTools' : 'advanced.excludeWhy')}
      </p>
      {tools.length > 0 && (
        <p aria-hidden className="flex justify-end text-faint text-xs">
          <span>{t('advanced.resultsColumn')}</span>
          <span className={TOKENS_COLUMN}>{t('advanced.tokensColumn')}</span>
        </p>
      )}
      {shown.map((tool) => (
        <CheckboxField
          key={tool.name}
          label={<span className="font-mono text-sm wrap-anywhere">{tool.name}</span>}
          isChecked={excluded.includes(tool.name)}
          onChange={(isChecked) => (isChecked ? add : remove)(tool.name)}
          trailing={
            <>
              <span className="sr-only">
                {t('advanced.toolFacts', { n: tool.results, tokens: format.number(tool.tokens) })}
              </span>
              <span aria-hidden>
                {format.number(tool.results)}
                <span className={TOKENS_COLUMN}>{format.number(tool.tokens)}</span>
              </span>
            </>
          }
        />
      ))}
      {shown.length < tools.length && (
        <Button kind="link" className="text-sm" onClick={() => setIsWhole(true)}>
          {t('advanced.moreTools', { n: tools.length - shown.length })}
        </Button>
      )}
    </NamesFieldset>
  )
}

/** Switch to keep errors, with the rules for errors below. */
export function KeepErrorsField() {
  const { t, actions } = useView('policy.errors')
  const { t: lab } = useView('errorLab')
  const keepErrors = usePlaygroundState(({ policy }) => policy.keepErrors)
  const errorRules = usePlaygroundState(({ policy }) => policy.errorRules)
  const errorPatterns = usePlaygroundState(({ policy }) => policy.errorPatterns)
  const counts = useDeferredState(errorRuleCountsOf)
  const offered = useDeferredState(offeredRulesOf)
  // Few formats mark errors themselves, so the rule is hidden if none does.
  const shown = ERROR_RULES.filter((rule) => rule !== 'flag' || (counts?.get('flag') ?? 0) > 0)
  const added = OPTIONAL_ERROR_RULES.filter((rule) => errorRules.includes(rule)).length
  const on = shown.filter((rule) => errorRules.includes(rule)).length + added
  const boxOf = (rule: ErrorRule) => {
    const n = counts?.get(rule)
    return (
      <CheckboxField
        key={rule}
        label={<span className="text-sm">{t(`matches.${rule}`)}</span>}
        isChecked={errorRules.includes(rule)}
        onChange={(isChecked) =>
          actions.changePolicy({ errorRules: withRule(errorRules, rule, isChecked) })
        }
        trailing={
          counts && (
            <span className={n === undefined ? 'text-faint' : ''}>
              <span className="sr-only">{t('countLabel', { n: n ?? 0 })}</span>
              <span aria-hidden>{n ?? 0}</span>
            </span>
          )
        }
      />
    )
  }
  return (
    <div>
      <PolicyField setting="keepErrors" />
      {keepErrors && (
        <Collapsible
          kind="quiet"
          label={t('disclose')}
          trailing={t('some', { on, all: shown.length + added })}
        >
          <div className="pt-0.5 pb-1">
            {shown.map(boxOf)}
            <p className="mt-2 text-soft text-sm">{lab('more_rules')}</p>
            {OPTIONAL_ERROR_RULES.map(boxOf)}
            <NamesFieldset
              setting="errorPatterns"
              label={lab('texts')}
              labelClass="text-soft text-sm"
              addLabel={lab('addText')}
              addButton={lab('add')}
              removeLabel={(text) => lab('remove', { text })}
            />
            <span className="flex justify-end">
              <ChangeMark setting="errorRules" />
            </span>
          </div>
        </Collapsible>
      )}
      {offered !== undefined && offered.results > 0 && (
        <p className="text-soft text-sm">
          {t.rich('offered', {
            count: offered.results,
            a: linkTo(() => {
              const rules = offered.rules.reduce(
                (all, rule) => withRule(all, rule, true),
                errorRules,
              )
              actions.changePolicy({ errorRules: rules })
            }),
          })}
        </p>
      )}
      {keepErrors && on + errorPatterns.length === 0 && (
        <p className="text-sm text-warn">{t('none')}</p>
      )}
    </div>
  )
}
