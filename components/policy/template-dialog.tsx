'use client'

import { useEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import type { TemplateCheck } from '@/lib/core/results/check-template'
import { countsOf } from '@/lib/state/document/selectors'
import {
  checkChoices,
  maskedResultsOf,
  type TemplateChoice,
  templateChoices,
} from '@/lib/state/policy/policy-facts'
import { usePlayground, usePlaygroundState } from '../playground-context'
import { Collapsible } from '../ui/collapsible'
import { Dialog } from '../ui/dialog'
import { TemplateList } from './template-list'
import { TemplateMatrix } from './template-matrix'

export interface TemplateDialogProps {
  readonly isOpen: boolean
  readonly onOpenChange: (isOpen: boolean) => void
}

/** The placeholder templates side by side, checked on the shown conversation. */
export function TemplateDialog({ isOpen, onOpenChange }: TemplateDialogProps) {
  const t = useTranslations('policy.templates')
  return (
    <Dialog
      title={t('title')}
      description={t('description')}
      closeLabel={t('close')}
      className="w-[min(64rem,calc(100vw-2rem))]"
      isOpen={isOpen}
      onOpenChange={onOpenChange}
    >
      <Templates />
    </Dialog>
  )
}

function Templates() {
  const t = useTranslations('policy.templates')
  const current = usePlaygroundState(({ policy }) => policy.placeholderTemplate)
  // The user's own template stays in the list after another one is chosen.
  const [own] = useState(current)
  const choices = templateChoices(own)
  const checks = useTemplateChecks(choices)
  const results = usePlaygroundState(maskedResultsOf)
  const isAll = usePlaygroundState(
    (state) =>
      state.read?.model.conversations[state.conversation]?.results.length === results.length,
  )
  return (
    <div className="flex flex-col gap-4">
      <p className="text-soft text-sm">
        {results.length === 0
          ? t('noResults')
          : t(isAll ? 'ofAll' : 'ofMasked', { count: results.length })}
      </p>
      <TemplateList choices={choices} checks={checks} current={current} />
      {checks !== undefined && results.length > 0 && (
        <Collapsible label={t('byResult')}>
          <TemplateMatrix choices={choices} checks={checks} results={results} />
        </Collapsible>
      )}
      <p className="max-w-prose text-soft text-sm">{t('checks')}</p>
    </div>
  )
}

/** Asks the worker for the checks; undefined until it answers, and without a document. */
function useTemplateChecks(
  choices: readonly TemplateChoice[],
): readonly TemplateCheck[] | undefined {
  const { run } = usePlayground()
  const read = usePlaygroundState((state) => state.read)
  const conversation = usePlaygroundState((state) => state.conversation)
  const isCounted = usePlaygroundState((state) => countsOf(state) !== undefined)
  const [checks, setChecks] = useState<readonly TemplateCheck[]>()
  useEffect(() => {
    if (!isCounted) return
    let isWanted = true
    void checkChoices({ read, conversation }, choices, run).then((found) => {
      if (isWanted) setChecks(found)
    })
    return () => {
      isWanted = false
    }
  }, [run, read, conversation, choices, isCounted])
  return checks
}
