import { useTranslations } from 'use-intl'
import type { WrittenFacts } from '@/lib/core/report/report-facts'
import { adviceOf } from '@/lib/state/costs/session-advice'
import { useDeferredState } from '../../playground-context'
import { useApplyWindow, useIsWindowSet } from '../../policy/use-window'
import { Button } from '../../ui/button'
import { useFigureFormat } from '../../use-figure-format'
import { recommendationSentence } from './report/report-sentences'

export interface RecommendedSettingProps {
  readonly facts: Pick<WrittenFacts, 'recommendation' | 'advice'> & {
    readonly replayed: Pick<WrittenFacts['replayed'], 'before'>
  }
}

/** The recommended setting with its reason and its button, and why the verdict recommends no change, where it does not. */
export function RecommendedSetting({ facts }: RecommendedSettingProps) {
  const t = useTranslations('verdict')
  const texts = { t: useTranslations('report'), format: useFigureFormat() }
  const point = facts.recommendation.state === 'mask' ? facts.recommendation.point : undefined
  const isSet = useIsWindowSet(point)
  const apply = useApplyWindow()
  const current = useDeferredState(adviceOf)
  return (
    <>
      {recommendationSentence(texts, facts)} {isSet && t('details.isSet')}
      {point !== undefined && !isSet && (
        <>
          {current === 'best' && t('details.asGood')}{' '}
          <Button kind="link" onClick={() => apply(point)}>
            {t('apply')}
          </Button>
        </>
      )}
    </>
  )
}
