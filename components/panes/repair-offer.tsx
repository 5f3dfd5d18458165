'use client'

import { useTranslations } from 'use-intl'
import type { RepairFix } from '@/lib/core/repair/parser/parser'
import { riskOf } from '@/lib/core/repair/repair-metrics'
import { lineColumnAt } from '@/lib/core/text/lines'
import { lineIndexOf } from '@/lib/state/document/selectors'
import { offerKindOf } from '@/lib/state/repair/document-repair'
import { usePlayground, usePlaygroundState } from '../playground-context'
import { ChangedText } from '../repair/repair-outcome'
import { Button } from '../ui/button'

const MOST_SHOWN = 50

/** Offers to repair a text that is nearly JSON, with the edits. Renders nothing if no repair is known. */
export function RepairOffer() {
  const t = useTranslations('panes.repair')
  const risks = useTranslations('repair.risks')
  const { actions } = usePlayground()
  const text = usePlaygroundState(({ source }) => source.text)
  const fixes = usePlaygroundState(({ reading }) =>
    reading.state === 'failed' ? reading.repair : undefined,
  )
  const [first] = fixes ?? []
  if (fixes === undefined || first === undefined) return null
  const index = lineIndexOf(text)
  const { line } = lineColumnAt(index, first.start)
  const left = fixes.length - MOST_SHOWN
  const risk = riskOf({ fixes })
  return (
    <div className="basis-full">
      <ol
        aria-label={t('edits')}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
        tabIndex={0}
        className="max-h-22 overflow-y-auto"
      >
        {fixes.slice(0, MOST_SHOWN).map((fix) => (
          <li key={`${fix.start} ${fix.text}`} className="flex gap-2">
            <span className="shrink-0 text-soft tabular-nums">
              {t('line', { line: lineColumnAt(index, fix.start).line })}
            </span>
            <EditInContext fix={fix} text={text} />
          </li>
        ))}
        {left > 0 && <li className="text-soft">{t('more', { count: left })}</li>}
      </ol>
      <div className="mt-1.5 flex flex-wrap items-center gap-x-3 gap-y-1">
        <Button size="small" onClick={() => actions.repairSource()}>
          {t(`offer.${offerKindOf(fixes)}`, { count: fixes.length, line })}
        </Button>
        {risk !== 'none' && (
          <span className="min-w-0 flex-1 basis-60 text-warn">{risks(risk)}</span>
        )}
      </div>
    </div>
  )
}

const CONTEXT_CHARS = 24
const MOST_CHARS = 80

function EditInContext({ fix, text }: { readonly fix: RepairFix; readonly text: string }) {
  const { start, end } = fix
  return (
    <code className="min-w-0 truncate whitespace-pre font-mono">
      {onOneLine(text.slice(Math.max(0, start - CONTEXT_CHARS), start))}
      {end !== start && <ChangedText change="removed" text={clipped(text.slice(start, end))} />}
      {fix.text.length > 0 && <ChangedText change="added" text={clipped(fix.text)} />}
      {onOneLine(text.slice(end, end + CONTEXT_CHARS))}
    </code>
  )
}

function clipped(text: string): string {
  const part = onOneLine(text.slice(0, MOST_CHARS))
  return text.length > MOST_CHARS ? `${part}…` : part
}

function onOneLine(text: string): string {
  return text.replace(/\s+/g, ' ')
}
