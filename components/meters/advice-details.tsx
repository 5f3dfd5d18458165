import { useTranslations } from 'use-intl'
import { ADVICE_RULES } from '@/lib/core/replay/recommend'
import { chargeOfSession, longestHeadOutcomeOf } from '@/lib/state/costs/charged-session'
import { recommendationOf } from '@/lib/state/costs/session-advice'
import { figuresOf } from '@/lib/state/policy/policy-view'
import { type Risk, repeatedAfterMaskingOf } from '@/lib/state/uses/risk'
import { RecommendedSetting } from '../cost/drawer/recommended-setting'
import { useOpenDrawer } from '../drawer/use-open-drawer'
import { NumberField } from '../numbers/number-field'
import { useDeferredState, useView } from '../playground-context'
import { useSteps } from '../timeline/loop-marks'
import { linkTo } from '../ui/button'
import { SegmentedControl } from '../ui/segmented-control'
import { RejectedMasking } from './history-notes'

export interface AdviceProps {
  readonly risk: Risk
}

/** The rule and reasons of the recommendation. */
export function AdviceDetails({ risk }: AdviceProps) {
  const { t, actions } = useView('verdict.details')
  const advice = useDeferredState((state) => state.advice)
  const recommendation = useDeferredState(recommendationOf)
  const figures = useDeferredState(figuresOf)
  const { breakEven, lostResults } = risk
  return (
    <div className="flex flex-col gap-3 text-sm">
      {recommendation !== undefined && figures !== undefined && (
        <p>
          <RecommendedSetting facts={{ recommendation, advice, replayed: figures }} />
        </p>
      )}
      {breakEven !== undefined && breakEven > 0 && breakEven <= lostResults && (
        <p>{t('breakEven', { count: breakEven, results: lostResults })}</p>
      )}
      <p>{t('worst')}</p>
      <RepeatedCalls />
      <p className="empty:hidden">
        <RejectedMasking place="details" />
      </p>
      <UnseenHeadNote />
      <SegmentedControl
        label={t('rule')}
        value={advice.rule}
        options={ADVICE_RULES.map((rule) => ({ value: rule, label: t(`rules.${rule}`) }))}
        onValueChange={(rule) => actions.changeAdvice({ rule })}
      />
      {advice.rule === 'keep_uses' && (
        <NumberField
          label={t('kept')}
          value={Math.round(advice.keptShare * 100)}
          minimum={1}
          maximum={100}
          unit={t('percent')}
          onValueChange={(percent) => actions.changeAdvice({ keptShare: percent / 100 })}
        />
      )}
      <NumberField
        label={t('smallest')}
        value={advice.smallestWindow}
        minimum={1}
        maximum={10_000}
        unit={t('turns')}
        onValueChange={(smallestWindow) => actions.changeAdvice({ smallestWindow })}
        description={t('smallestNote')}
      />
    </div>
  )
}

/** How the result changes if the file does not show the system prompt and the tools; nothing where it states the usage. */
function UnseenHeadNote() {
  const { t, format } = useView('verdict.details')
  const [, openDrawer] = useOpenDrawer()
  const outcome = useDeferredState(longestHeadOutcomeOf)
  const isCharged = useDeferredState(chargeOfSession) !== undefined
  if (outcome === undefined || isCharged) return null
  const { before, after } = outcome.replay
  if (before.costs.cached === undefined || before.tokens === after.tokens) return null
  return (
    <p>
      {t.rich('unseen', {
        tokens: format.number(outcome.headTokens),
        change: format.change(before.costs.cached, after.costs.cached),
        a: linkTo(() => openDrawer('cost')),
      })}
    </p>
  )
}

/** Calls issued again with the same arguments once their result was masked; a press goes to the next. */
function RepeatedCalls() {
  const t = useTranslations('verdict.details')
  const { stepMessages } = useSteps()
  const repeated = useDeferredState(repeatedAfterMaskingOf)
  if (repeated === undefined || repeated.length === 0) return null
  return (
    <p>
      {t.rich('repeated', {
        count: repeated.length,
        a: linkTo(() => stepMessages(repeated)),
      })}
    </p>
  )
}
