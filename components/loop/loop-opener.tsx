'use client'

import { useTranslations } from 'use-intl'
import { DrawerOpener } from '../drawer/drawer-opener'
import { useFound } from './use-found'

/** Opens the drawer for tool calls. Its label counts the repeats or other findings, broken arguments and kinds of problems. */
export function LoopOpener() {
  const t = useTranslations('loop')
  const { isKnown, repeats, others, broken, ...kinds } = useFound()
  const problems = kinds.problems + kinds.added
  const all = [
    repeats > 0
      ? t('repeats', { count: repeats })
      : others.length > 0 && t('found', { count: others.length }),
    broken > 0 && t('broken', { count: broken }),
    problems > 0 && t('problems', { count: problems }),
  ].filter(Boolean)
  const found = all.length > 0 ? all.join(', ') : undefined
  return (
    <DrawerOpener drawer="loop">
      <span className="sr-only">
        {isKnown ? t('open', { found: found ?? t('nothing') }) : t('title')}
      </span>
      <span aria-hidden className="flex gap-1.5">
        <span className="font-medium text-ink">{t('title')}</span>
        {found !== undefined && <span className="max-sm:hidden">{found}</span>}
        {found !== undefined && (
          <span className="sm:hidden">
            {all.length === 1
              ? found
              : t('found', { count: (repeats || others.length) + broken + problems })}
          </span>
        )}
      </span>
    </DrawerOpener>
  )
}
