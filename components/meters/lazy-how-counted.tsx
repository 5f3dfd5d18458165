'use client'

import { Info } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { loadWithTexts } from '../load-with-texts'
import { IconButton } from '../ui/icon-button'
import { Popover } from '../ui/popover'

const HowCounted = loadWithTexts(() => import('./how-counted').then((how) => how.HowCounted))

/** A popover with details of the request shown, and how its tokens are counted. */
export function LazyHowCounted() {
  const t = useTranslations('meters')
  return (
    <Popover
      title={t('howCounted')}
      trigger={
        <IconButton label={t('howCounted')}>
          <Info aria-hidden />
        </IconButton>
      }
    >
      <HowCounted />
    </Popover>
  )
}
