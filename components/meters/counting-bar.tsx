import { useTranslations } from 'use-intl'
import { usePlaygroundState } from '../playground-context'

/** A hair at the top edge while tokens are counted. */
export function CountingBar() {
  const t = useTranslations('meters')
  const counting = usePlaygroundState((state) => state.counting)
  if (counting === undefined) return null
  return (
    <div
      role="progressbar"
      aria-label={t('counting')}
      aria-valuenow={Math.round(counting * 100)}
      className="absolute inset-x-0 top-0 h-0.5 overflow-hidden"
    >
      <div
        className="h-full bg-accent transition-[width] duration-150"
        style={{ width: `${counting * 100}%` }}
      />
    </div>
  )
}
