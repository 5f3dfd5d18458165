import { X } from 'lucide-react'
import { useId, useState } from 'react'
import { useTranslations } from 'use-intl'
import { type NamesField, policyField } from '@/lib/core/policy/policy-fields'
import { usePlayground, usePlaygroundState } from '../playground-context'
import { Button } from '../ui/button'
import { IconButton } from '../ui/icon-button'
import { FIELD_SURFACE } from '../ui/surface'
import { ChangeMark } from './change-mark'

/** The user's own texts that mark a result as an error. */
export function ErrorPatternsField() {
  const t = useTranslations('errorLab')
  const id = useId()
  const { actions } = usePlayground()
  const patterns = usePlaygroundState(({ policy }) => policy.errorPatterns)
  const [text, setText] = useState('')
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
          <div key={pattern} className="flex items-center gap-2">
            <span className="min-w-0 flex-1 font-mono text-sm wrap-anywhere">{pattern}</span>
            <IconButton
              label={t('remove', { text: pattern })}
              onClick={() => set(patterns.filter((other) => other !== pattern))}
            >
              <X aria-hidden />
            </IconButton>
          </div>
        ))}
        <form
          className="mt-1 flex gap-1.5"
          onSubmit={(event) => {
            event.preventDefault()
            if (text.trim() !== '') set([...new Set([...patterns, text])].slice(0, limit?.items))
            setText('')
          }}
        >
          <label htmlFor={id} className="sr-only">
            {t('addText')}
          </label>
          <input
            id={id}
            value={text}
            maxLength={limit?.length}
            placeholder={t('addText')}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            onChange={(event) => setText(event.currentTarget.value)}
            className={`h-7 min-w-0 flex-1 px-2 font-mono text-sm placeholder:font-sans placeholder:text-faint pointer-coarse:h-11 ${FIELD_SURFACE}`}
          />
          <Button type="submit" size="small" disabled={text.trim() === ''}>
            {t('add')}
          </Button>
        </form>
      </div>
    </fieldset>
  )
}
