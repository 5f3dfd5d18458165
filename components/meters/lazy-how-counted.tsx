'use client'

import { Info } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { loadWithTexts } from '../load-with-texts'
import { IconButton } from '../ui/icon-button'
import { Popover } from '../ui/popover'
import type { HowCountedProps } from './how-counted'

const HowCounted = loadWithTexts<HowCountedProps>(() =>
  import('./how-counted').then((how) => how.HowCounted),
)

/** A popover with details of a request, and how its tokens are counted. */
export function LazyHowCounted({ measure }: HowCountedProps) {
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
      <HowCounted measure={measure} />
    </Popover>
  )
}
