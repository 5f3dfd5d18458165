'use client'

import { useTranslations } from 'use-intl'
import { loadWithTexts } from '../load-with-texts'
import { Button } from '../ui/button'
import { Popover } from '../ui/popover'
import type { AdviceProps } from './advice-details'

const Details = loadWithTexts<AdviceProps>(() =>
  import('./advice-details').then(({ AdviceDetails }) => AdviceDetails),
)

const Outcomes = loadWithTexts<AdviceProps>(() =>
  import('../uses/outcomes').then(({ Outcomes: loaded }) => loaded),
)

/** A popover with the rule and reasons of the recommendation, and one with published outcomes. */
export function LazyAdvice({ risk }: AdviceProps) {
  const t = useTranslations('verdict')
  return (
    <span className="text-soft text-sm">
      <Popover
        title={t('details.title')}
        className="w-[min(30rem,calc(100vw-1rem))]"
        trigger={<Button kind="link">{t('why')}</Button>}
      >
        <Details risk={risk} />
      </Popover>{' '}
      <Popover
        title={t('outcomes')}
        className="w-[min(34rem,calc(100vw-1rem))]"
        trigger={<Button kind="link">{t('outcomes')}</Button>}
      >
        <Outcomes risk={risk} />
      </Popover>
    </span>
  )
}
