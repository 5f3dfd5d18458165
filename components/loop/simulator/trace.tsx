'use client'

import { Copy } from 'lucide-react'
import { useDeferredValue, useMemo } from 'react'
import { useTranslations } from 'use-intl'
import { writeTrace } from '@/lib/core/loop/run-metrics'
import { usePlayground } from '../../playground-context'
import { Button } from '../../ui/button'
import { writeClipboard } from '../../write-clipboard'
import { useSimulatorState } from '../loop-tools'

const MOST_ROWS = 16

/** The trace of the run, to read or copy. Renders nothing before the run starts. */
export function Trace() {
  const t = useTranslations('simulator.trace')
  const { actions } = usePlayground()
  const events = useDeferredValue(useSimulatorState((state) => state.events))
  const text = useMemo(() => writeTrace(events), [events])
  if (events.length === 0) return null
  const copy = async () => {
    if (await writeClipboard(text)) actions.notify('copied_export', { name: t('name') })
    else actions.notify('copy_failed', {}, 'error')
  }
  return (
    <section aria-label={t('title')}>
      <div className="flex items-center justify-between gap-2">
        <h3 className="font-medium">{t('title')}</h3>
        <Button size="small" onClick={() => void copy()}>
          <Copy className="size-3.5" aria-hidden />
          {t('copy')}
        </Button>
      </div>
      <textarea
        readOnly
        aria-label={t('text')}
        value={text}
        rows={Math.min(MOST_ROWS, events.length + 1)}
        wrap="off"
        spellCheck={false}
        className="mt-1 block w-full resize-none rounded-md border border-line bg-raised p-2 font-mono text-sm leading-normal outline-none focus-visible:border-accent"
      />
    </section>
  )
}
