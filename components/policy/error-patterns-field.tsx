import { useTranslations } from 'use-intl'
import { type NamesField, policyField } from '@/lib/core/policy/policy-fields'
import { usePlayground, usePlaygroundState } from '../playground-context'
import { ChangeMark } from './change-mark'
import { AddName, ListedName } from './names-list'

/** The user's own texts that mark a result as an error. */
export function ErrorPatternsField() {
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
