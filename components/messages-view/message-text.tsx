'use client'

import { useTranslations } from 'use-intl'
import { clampText } from '@/lib/state/document/message-content'
import { useExpansion } from './expansions'
import { QuietButton } from './quiet-button'

const LINES = 12
/** Characters that fill the lines of a wide pane; narrow panes cut by lines. */
const UNITS = 900
/** Maximum characters that one press adds: a megabyte at once would freeze the page. */
const CHUNK = 100_000

/** The start of a text, expandable. `part` names it within the list, so that it stays expanded while scrolled away. */
export function MessageText({
  part,
  text,
  className,
}: {
  readonly part: string
  readonly text: string
  readonly className: string
}) {
  const t = useTranslations('reading')
  const [shown, setShown] = useExpansion(part)
  const isExpanded = shown > 0
  const { text: visible, isWhole } = isExpanded
    ? clampText(text, Number.POSITIVE_INFINITY, shown)
    : clampText(text, LINES, UNITS)
  return (
    <>
      <div
        className={`whitespace-pre-wrap break-words [overflow-wrap:anywhere] ${className} ${isExpanded || isWhole ? '' : 'line-clamp-12'}`}
      >
        {isWhole ? visible : `${visible.trimEnd()}…`}
      </div>
      {(isExpanded || !isWhole) && (
        <div className="mt-0.5 flex gap-3 text-sm">
          {!isExpanded && (
            <QuietButton aria-expanded={false} onClick={() => setShown(CHUNK)}>
              {t('showAll', { chars: text.length })}
            </QuietButton>
          )}
          {isExpanded && !isWhole && (
            <QuietButton onClick={() => setShown(shown + CHUNK)}>
              {t('showNext', {
                size: Math.ceil(Math.min(CHUNK, text.length - shown) / 1000),
                all: Math.ceil(text.length / 1000),
              })}
            </QuietButton>
          )}
          {isExpanded && (
            <QuietButton aria-expanded onClick={() => setShown(0)}>
              {t('showLess')}
            </QuietButton>
          )}
        </div>
      )}
    </>
  )
}
