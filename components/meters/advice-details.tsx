import { ADVICE_RULES } from '@/lib/core/replay/recommend'
import { PUBLISHED_OUTCOMES, WORST_TURNS } from '@/lib/core/uses/published-outcomes'
import { chargeOfSession, longestHeadOutcomeOf } from '@/lib/state/costs/charged-session'
import { bandOf } from '@/lib/state/costs/cost-band'
import { adviceOf, recommendationOf } from '@/lib/state/costs/session-advice'
import { limitCostsOf } from '@/lib/state/costs/session-report'
import { sessionsOf } from '@/lib/state/costs/shown-session'
import { isActive } from '@/lib/state/costs/tried-mechanism'
import { keptBeforeThinkingOf } from '@/lib/state/integrity/history-findings'
import { isWindowSet } from '@/lib/state/policy/policy-facts'
import { figuresOf } from '@/lib/state/policy/policy-view'
import type { Risk } from '@/lib/state/uses/later-uses'
import {
  applying,
  bandSentence,
  chargedSentence,
  limitSentence,
  type Recommended,
  recommendationSentence,
} from '../cost/report/report-sentences'
import { useReportTexts } from '../cost/use-report-texts'
import { NumberField } from '../numbers/number-field'
import { useDeferredState, useFileList, useView } from '../playground-context'
import { linkTo } from '../ui/button'
import { SegmentedControl } from '../ui/segmented-control'
import { RejectedMasking } from './history-notes'
import { SessionTriangle } from './request-triangle'

/** The rule and reasons of the recommendation. */
export function AdviceDetails({ risk }: { readonly risk: Risk }) {
  const { t, actions } = useView('verdict.details')
  const report = useReportTexts()
  const advice = useDeferredState((state) => state.advice)
  const recommendation = useDeferredState(recommendationOf)
  const figures = useDeferredState(figuresOf)
  const band = useDeferredState(bandOf)
  const limits = useDeferredState(limitCostsOf)
  const kept = useDeferredState(keptBeforeThinkingOf) ?? 0
  const charged = useDeferredState(chargeOfSession)
  const policy = useDeferredState((state) => state.policy)
  const isOn = useDeferredState(isActive)
  const { actions: fileList } = useFileList()
  const count = useDeferredState((state) => sessionsOf(state)?.length ?? 0)
  const { breakEven = 0, lostResults } = risk
  const sentences = applying([
    figures && limitSentence(report, { limits, policy, replayed: figures }),
    breakEven > 0 &&
      breakEven <= lostResults &&
      t('breakEven', { count: breakEven, results: lostResults }),
    figures && bandSentence(report, { band, replayed: figures }),
    t('worst'),
    figures && chargedSentence(report, charged, figures, isOn),
  ])
  return (
    <div className="flex flex-col gap-3 text-sm">
      <p>{t('what')}</p>
      <SessionTriangle />
      {recommendation !== undefined && figures !== undefined && (
        <p>
          <RecommendedSetting facts={{ recommendation, advice, replayed: figures }} />
        </p>
      )}
      {sentences.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      <p className="empty:hidden">
        <RejectedMasking place="details" />
        {kept > 0 && ` ${t('stillMasked')}`}
      </p>
      <UnseenHeadNote />
      {count > 1 && <p>{linkTo(() => void fileList.listDocument())(t('compareAll', { count }))}</p>}
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
      <details>
        <summary className="cursor-pointer font-medium">{t('outcomes')}</summary>
        <Outcomes risk={risk} />
      </details>
    </div>
  )
}

/** How the result changes if the file does not show the system prompt and the tools; nothing where it states the usage. */
function UnseenHeadNote() {
  const { t, format, actions } = useView('verdict.details')
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
        a: linkTo(() => actions.setView('cost')),
      })}
    </p>
  )
}

/** The recommended setting with its reason and its button, and why the verdict recommends no change, where it does not. */
export function RecommendedSetting({ facts }: { readonly facts: Recommended }) {
  const { t, actions } = useView('verdict.details')
  const texts = useReportTexts()
  const { recommendation } = facts
  const point = recommendation.state === 'mask' ? recommendation.point : undefined
  const isSet = useDeferredState(({ policy }) => isWindowSet(policy, point))
  const current = useDeferredState(adviceOf)
  return (
    <>
      {recommendationSentence(texts, facts)} {isSet && t('isSet')}
      {point !== undefined && !isSet && (
        <>
          {current === 'best' && t('asGood')} {linkTo(() => actions.applyWindow(point))(t('apply'))}
        </>
      )}
    </>
  )
}

/** What masking did to agents in published runs, with what that does not cover. */
function Outcomes({ risk }: { readonly risk: Risk }) {
  const { t, format } = useView('uses.outcomes')
  const points = (value: number) =>
    `${value > 0 ? '+' : value < 0 ? '−' : ''}${format.number(Math.abs(value))}`
  const pairs = PUBLISHED_OUTCOMES.reduce((total, one) => total + one.pairs, 0)
  const worst = risk.worstCost === undefined ? undefined : risk.worstCost * WORST_TURNS
  return (
    <div className="mt-2 flex flex-col gap-2 text-sm">
      <p>{t('what', { pairs })}</p>
      <table className="w-full text-left tabular-nums">
        <thead>
          <tr className="text-faint">
            <th className="font-normal">{t('model')}</th>
            {(['pairs', 'turns', 'solved'] as const).map((name) => (
              <th key={name} className="pl-3 text-right font-normal">
                {t(name)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {PUBLISHED_OUTCOMES.map((one) => (
            <tr key={one.model}>
              <td>{one.model}</td>
              <td className="whitespace-nowrap pl-3 text-right">{one.pairs}</td>
              <td className="whitespace-nowrap pl-3 text-right">
                {format.change(one.turnsBefore, one.turnsAfter)}
              </td>
              <td className="whitespace-nowrap pl-3 text-right">
                {t('interval', {
                  points: points(one.solvedPoints),
                  low: points(one.solvedLow),
                  high: points(one.solvedHigh),
                })}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p>{t('limits')}</p>
      {worst !== undefined && risk.cost !== risk.before && (
        <p>
          {t('worst', {
            turns: format.change(1, WORST_TURNS),
            cost: format.money(worst),
            change: format.change(risk.before, worst),
          })}
        </p>
      )}
      <p className="text-faint">{t('source')}</p>
    </div>
  )
}
