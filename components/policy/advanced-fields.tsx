import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { type FlagField, type IntegerField, policyField } from '@/lib/core/policy/policy-fields'
import {
  extensionsInUse,
  requestTokensOf,
  type ToolShare,
  toolSharesOf,
} from '@/lib/state/policy/policy-facts'
import { useDeferredState, usePlayground, usePlaygroundState } from '../playground-context'
import { Button } from '../ui/button'
import { Collapsible } from '../ui/collapsible'
import { CheckboxField } from '../ui/switch-field'
import { useFigureFormat } from '../use-figure-format'
import { ChangeMark } from './change-mark'
import { FlagControl, IntegerControl } from './generic-field'
import { AddName, ListedName } from './names-list'

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

/** Number of tools shown before “more”. */
const FIRST_TOOLS = 8

const TOKENS_COLUMN = 'inline-block w-16 text-right'

/** Tools whose results are never masked: checkboxes for the document's tools, a field for others. */
function ExcludeToolsField() {
  const t = useTranslations('policy')
  const { actions } = usePlayground()
  const excluded = usePlaygroundState(({ policy }) => policy.excludeTools)
  const tools = useDeferredState(toolSharesOf)
  const [isWhole, setIsWhole] = useState(false)
  const absent = excluded.filter((tool) => tools.every((present) => present.name !== tool))
  const shown = isWhole
    ? tools
    : tools.filter((tool, index) => index < FIRST_TOOLS || excluded.includes(tool.name))

  const exclude = (tool: string) =>
    actions.changePolicy({ excludeTools: [...new Set([...excluded, tool])] })
  const include = (tool: string) =>
    actions.changePolicy({ excludeTools: excluded.filter((other) => other !== tool) })

  return (
    <fieldset className="min-w-0">
      <legend className="float-left flex min-h-7 w-full items-center gap-1.5 font-medium">
        {t('labels.excludeTools')}
        <ChangeMark setting="excludeTools" />
      </legend>
      <p className="clear-both text-soft text-sm">
        {tools.length === 0 ? t('advanced.noTools') : t('advanced.excludeWhy')}
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
          onChange={(isChecked) => (isChecked ? exclude(tool.name) : include(tool.name))}
          trailing={<ToolFacts tool={tool} />}
        />
      ))}
      {shown.length < tools.length && (
        <Button kind="link" className="text-sm" onClick={() => setIsWhole(true)}>
          {t('advanced.moreTools', { n: tools.length - shown.length })}
        </Button>
      )}
      {absent.map((tool) => (
        <ListedName
          key={tool}
          name={tool}
          note={t('advanced.toolAbsent')}
          removeLabel={t('advanced.remove', { tool })}
          onRemove={() => include(tool)}
        />
      ))}
      <AddName
        label={t('advanced.addTool')}
        addLabel={t('advanced.add')}
        onAdd={(name) => exclude(name.trim())}
      />
    </fieldset>
  )
}

function ToolFacts({ tool: { results, tokens } }: { tool: ToolShare }) {
  const t = useTranslations('policy.advanced')
  const format = useFigureFormat()
  const shown = format.number(tokens)
  return (
    <>
      <span className="sr-only">{t('toolFacts', { n: results, tokens: shown })}</span>
      <span aria-hidden>
        {format.number(results)}
        <span className={TOKENS_COLUMN}>{shown}</span>
      </span>
    </>
  )
}
