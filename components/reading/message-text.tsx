'use client'

import { useTranslations } from 'use-intl'
import { clampText } from '@/lib/state/clamp-text'
import { useExpansion } from './expansions'
import { QuietButton } from './quiet-button'

const LINES = 12
/** What fills the lines of a pane; narrower ones cut it by lines. */
const UNITS = 900
/** What one press puts into the page at most: a text of a megabyte at once would stall it. */
const CHUNK = 100_000

/** A text as text, its beginning first; `part` names it within the list, so that it stays open while scrolled away. */
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
