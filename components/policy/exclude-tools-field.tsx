import { X } from 'lucide-react'
import { useId, useState } from 'react'
import { useTranslations } from 'use-intl'
import { type ToolShare, toolSharesOf } from '@/lib/state/policy/policy-facts'
import { usePlayground, usePlaygroundState } from '../playground-context'
import { Button } from '../ui/button'
import { CheckboxField } from '../ui/checkbox-field'
import { IconButton } from '../ui/icon-button'
import { FIELD_SURFACE } from '../ui/surface'
import { useFigureFormat } from '../use-figure-format'
import { ChangeMark } from './change-mark'

/** Number of tools shown before “more”. */
const FIRST_TOOLS = 8

const TOKENS_COLUMN = 'inline-block w-16 text-right'

/** Tools whose results are never masked: checkboxes for the document's tools, a field for others. */
export function ExcludeToolsField() {
  const t = useTranslations('policy')
  const id = useId()
  const { actions } = usePlayground()
  const excluded = usePlaygroundState(({ policy }) => policy.excludeTools)
  const tools = usePlaygroundState(toolSharesOf)
  const [isWhole, setIsWhole] = useState(false)
  const [name, setName] = useState('')
  const absent = excluded.filter((tool) => tools.every((present) => present.name !== tool))
  const shown = isWhole
    ? tools
    : tools.filter((tool, index) => index < FIRST_TOOLS || excluded.includes(tool.name))

  const exclude = (tool: string) =>
    actions.changePolicy({ excludeTools: [...new Set([...excluded, tool])] })
  const include = (tool: string) =>
    actions.changePolicy({ excludeTools: excluded.filter((other) => other !== tool) })
  const trimmed = name.trim()

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
        <div key={tool} className="flex items-center gap-2">
          <span className="min-w-0 flex-1 font-mono text-sm wrap-anywhere">{tool}</span>
          <span className="shrink-0 text-soft text-sm">{t('advanced.toolAbsent')}</span>
          <IconButton label={t('advanced.remove', { tool })} onClick={() => include(tool)}>
            <X aria-hidden />
          </IconButton>
        </div>
      ))}
      <form
        className="mt-1 flex gap-1.5"
        onSubmit={(event) => {
          event.preventDefault()
          if (trimmed !== '') exclude(trimmed)
          setName('')
        }}
      >
        <label htmlFor={id} className="sr-only">
          {t('advanced.addTool')}
        </label>
        <input
          id={id}
          value={name}
          placeholder={t('advanced.addTool')}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          onChange={(event) => setName(event.currentTarget.value)}
          className={`h-7 min-w-0 flex-1 px-2 font-mono text-sm placeholder:font-sans placeholder:text-faint pointer-coarse:h-11 ${FIELD_SURFACE}`}
        />
        <Button type="submit" size="small" disabled={trimmed === ''}>
          {t('advanced.add')}
        </Button>
      </form>
    </fieldset>
  )
}

function ToolFacts({ tool: { results, tokens } }: { readonly tool: ToolShare }) {
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
