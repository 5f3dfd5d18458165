'use client'

import { useTranslations } from 'use-intl'
import { LazyDiffPane } from '../monaco/lazy-panes'
import { usePlaygroundState } from '../playground-context'
import { OutputHeader } from './output-header'

/** Above this a comparison takes longer than anyone waits. */
const MOST_COMPARED = 12_000_000

/** Both texts side by side over the whole width, what is alike folded away. */
export function DiffView({ hasMessages }: { readonly hasMessages: boolean }) {
  const t = useTranslations('panes')
  const length = usePlaygroundState((state) => state.source.text.length)
  return (
    <section
      aria-label={t('difference')}
      className="absolute inset-0 z-10 flex min-w-0 flex-col bg-raised"
    >
      <OutputHeader title={t('difference')} hasMessages={hasMessages} />
      <div className="min-h-0 flex-1">
        {length <= MOST_COMPARED ? (
          <LazyDiffPane />
        ) : (
          <p className="p-4 text-soft">
            {t('tooLargeToCompare', {
              size: Math.ceil(length / 1e6),
              limit: MOST_COMPARED / 1e6,
            })}
          </p>
        )}
      </div>
    </section>
  )
}
