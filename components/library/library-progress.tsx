import { useTranslations } from 'use-intl'
import { useLibraryState } from '../playground-context'

/** A hair at the top edge while files are read. */
export function LibraryProgress() {
  const t = useTranslations('library')
  const work = useLibraryState((state) => state.work)
  if (work === undefined) return null
  const percent = Math.round((work.done / Math.max(work.all, 1)) * 100)
  return (
    <div
      role="progressbar"
      aria-label={t('progress')}
      aria-valuenow={percent}
      className="sticky inset-x-0 top-0 z-20 -mb-0.5 h-0.5 overflow-hidden"
    >
      <div
        className="h-full bg-accent transition-[width] duration-150"
        style={{ width: `${percent}%` }}
      />
    </div>
  )
}
