'use client'

import { useVirtualizer } from '@tanstack/react-virtual'
import { useMemo, useRef } from 'react'
import { useTranslations } from 'use-intl'

export interface RequestTextProps {
  readonly text: string
  /** Substrings whose lines are marked. */
  readonly marked: readonly string[]
}

/** A result can be one very long line of JSON; only its start is shown. */
const LINE_CHARS = 500
const LINE_HEIGHT = 20

/** A read-only text of any length. Only visible lines are in the DOM. */
export function RequestText({ text, marked }: RequestTextProps) {
  const t = useTranslations('nextRequest.preview')
  const scroller = useRef<HTMLDivElement>(null)
  const lines = useMemo(() => text.split('\n'), [text])
  const virtualizer = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => LINE_HEIGHT,
    overscan: 20,
  })
  return (
    <section
      ref={scroller}
      aria-label={t('text')}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
      tabIndex={0}
      className="min-h-30 flex-1 overflow-y-auto rounded-md border border-line bg-raised font-mono text-sm leading-5 max-lg:max-h-96 max-lg:min-h-60"
    >
      <div className="relative w-full" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, start }) => {
          const line = lines[index] ?? ''
          const isMarked = marked.some((stretch) => line.includes(stretch))
          return (
            <div
              key={index}
              ref={virtualizer.measureElement}
              data-index={index}
              className={`absolute inset-x-0 top-0 whitespace-pre-wrap break-words px-3 [overflow-wrap:anywhere] ${isMarked ? 'bg-accent-tint' : ''}`}
              style={{ transform: `translateY(${start}px)` }}
            >
              {line.length > LINE_CHARS ? line.slice(0, LINE_CHARS) : line || ' '}
              {line.length > LINE_CHARS && (
                <span className="text-faint">
                  {' '}
                  {t('longLine', { chars: line.length - LINE_CHARS })}
                </span>
              )}
            </div>
          )
        })}
      </div>
    </section>
  )
}
