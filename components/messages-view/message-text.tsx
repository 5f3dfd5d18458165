'use client'

import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from 'react'
import { useTranslations } from 'use-intl'
import { clampText } from '@/lib/state/document/message-content'
import { QuietButton } from '../ui/button'

const LINES = 12
/** Characters that fill the lines of a wide pane; narrow panes cut by lines. */
const UNITS = 900
/** Maximum characters that one press adds: a megabyte at once would freeze the page. */
const CHUNK = 100_000

/** The start of a text, expandable. `part` names it within the list, so that it stays expanded while scrolled away. */
export function MessageText(props: {
  readonly part: string
  readonly text: string
  readonly className: string
}) {
  const { part, text, className } = props
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

/** Number of shown UTF-16 units by part; 0 or absent means folded. */
type Expansions = ReadonlyMap<string, number>

interface ExpansionsContext {
  readonly expansions: Expansions
  readonly set: (part: string, shown: number) => void
}

const Context = createContext<ExpansionsContext | undefined>(undefined)

/** Stores which parts are expanded in a list whose items unmount while scrolling. */
export function ExpansionsProvider(props: {
  readonly children: ReactNode
  /** Called with the name of a part after it was folded. */
  readonly onFold: (part: string) => void
}) {
  const { children, onFold } = props
  const [expansions, setExpansions] = useState<Expansions>(new Map())
  const set = useCallback(
    (part: string, shown: number) => {
      setExpansions((known) => new Map(known).set(part, shown))
      if (shown === 0) onFold(part)
    },
    [onFold],
  )
  const value = useMemo(() => ({ expansions, set }), [expansions, set])
  return <Context value={value}>{children}</Context>
}

/** The shown length of a part, and a function to change it. */
export function useExpansion(part: string): readonly [number, (shown: number) => void] {
  const context = useContext(Context)
  if (context === undefined) throw new Error('useExpansion needs an ExpansionsProvider above it.')
  const { expansions, set } = context
  return [expansions.get(part) ?? 0, (shown) => set(part, shown)]
}
