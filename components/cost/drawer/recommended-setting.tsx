import { useTranslations } from 'use-intl'
import type { WrittenFacts } from '@/lib/core/report/report-facts'
import { adviceOf } from '@/lib/state/costs/session-advice'
import { isWindowSet } from '@/lib/state/policy/policy-facts'
import { useDeferredState, useView } from '../../playground-context'
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
  const { t, actions } = useView('verdict')
  const texts = { t: useTranslations('report'), format: useFigureFormat() }
  const point = facts.recommendation.state === 'mask' ? facts.recommendation.point : undefined
  const isSet = useDeferredState(({ policy }) => isWindowSet(policy, point))
  const current = useDeferredState(adviceOf)
  return (
    <>
      {recommendationSentence(texts, facts)} {isSet && t('details.isSet')}
      {point !== undefined && !isSet && (
        <>
          {current === 'best' && t('details.asGood')}{' '}
          <Button kind="link" onClick={() => actions.applyWindow(point)}>
            {t('apply')}
          </Button>
        </>
      )}
    </>
  )
}
