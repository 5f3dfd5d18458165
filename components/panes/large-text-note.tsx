'use client'

import { useTranslations } from 'use-intl'
import { usePlayground, usePlaygroundState } from '../playground-context'
import { Button } from '../ui/button'
import { ProblemBar } from './problem-bar'

/** Explains why a text is shown as messages only, and shows its JSON on request. */
export function LargeTextNote() {
  const t = useTranslations('panes')
  const { actions } = usePlayground()
  const length = usePlaygroundState((state) => state.source.text.length)
  return (
    <>
      <div className="flex shrink-0 flex-wrap items-baseline gap-x-3 border-b bg-paper px-4 py-2 text-sm">
        <p className="min-w-0 flex-1 basis-80 text-soft">
          {t('largeText', { size: Math.round(length / 1e6) })}
        </p>
        <Button kind="link" className="whitespace-nowrap" onClick={actions.showJson}>
          {t('showJson')}
        </Button>
      </div>
      <ProblemBar />
    </>
  )
}
