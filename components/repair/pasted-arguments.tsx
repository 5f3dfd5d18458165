'use client'

import { useEffect, useId, useState } from 'react'
import { useTranslations } from 'use-intl'
import type { TriedRepair } from '@/lib/state/repair/document-repair'
import { usePlayground, usePlaygroundState } from '../playground-context'
import { copyText } from '../save-file'
import { Button } from '../ui/button'
import { TextArea } from '../ui/text-area'
import { RepairOutcome } from './repair-outcome'

const MILLISECONDS_BEFORE_TRYING = 150

/** A field to repair pasted arguments. */
export function PastedArguments() {
  const t = useTranslations('repair')
  const [text, setText] = useState('')
  const tried = useTried(text)
  const id = useId()
  return (
    <>
      <label htmlFor={id} className="font-medium">
        {t('pasted.label')}
      </label>
      <p id={`${id}-hint`} className="mb-1.5 text-soft">
        {t('pasted.hint')}
      </p>
      <div className="max-h-60 overflow-y-auto">
        <TextArea
          id={id}
          isMono
          aria-describedby={`${id}-hint`}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
      </div>
      <div aria-live="polite" className="mt-2">
        {tried !== undefined && <Tried tried={tried} />}
      </div>
    </>
  )
}

function Tried({ tried: { text, result } }: { tried: TriedRepair }) {
  const t = useTranslations('repair')
  const { actions } = usePlayground()
  if (result.state === 'valid')
    return (
      <>
        <p className="text-good">{t('states.valid')}</p>
        {!result.isObject && <p className="text-bad">{t('failures.not_an_object')}</p>}
      </>
    )
  const copy = () => copyText(actions, result.text, 'copied', { chars: result.text.length })
  return (
    <>
      <RepairOutcome before={text} result={result} />
      {result.state === 'repaired' && (
        <Button size="small" className="mt-2" onClick={copy}>
          {t('pasted.copy')}
        </Button>
      )}
    </>
  )
}

/** Outcome of the repair, updated when typing pauses. */
function useTried(text: string): TriedRepair | undefined {
  const { actions } = usePlayground()
  const [tried, setTried] = useState<TriedRepair>()
  const settings = usePlaygroundState(({ repairSettings }) => repairSettings)
  useEffect(() => {
    let isAsked = true
    const timer = setTimeout(async () => {
      const next = text === '' ? undefined : await actions.tryRepair(text, settings)
      if (isAsked) setTried(next)
    }, MILLISECONDS_BEFORE_TRYING)
    return () => {
      isAsked = false
      clearTimeout(timer)
    }
  }, [text, actions, settings])
  return text === '' ? undefined : tried
}
