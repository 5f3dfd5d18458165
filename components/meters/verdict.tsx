import { useMemo } from 'react'
import { useTranslations } from 'use-intl'
import { batchNumber } from '@/lib/core/policy/policy'
import type { ReplayFigures } from '@/lib/core/replay/replay-figures'
import { chargeOfSession } from '@/lib/state/costs/charged-session'
import { requestOf } from '@/lib/state/costs/request-view'
import {
  adviceOf,
  everyTurnCostOf,
  isWindowTooShort,
  recommendationOf,
} from '@/lib/state/costs/session-advice'
import { figuresOf } from '@/lib/state/policy/policy-view'
import { type Risk, riskOf } from '@/lib/state/uses/risk'
import { chargedSentence } from '../cost/drawer/report/charged-sentence'
import { loadWithTexts } from '../load-with-texts'
import {
  conversationKeyOf,
  useDeferredState,
  usePlaygroundState,
  useShown,
  useShownOf,
  useView,
} from '../playground-context'
import { useStepToLost } from '../timeline/use-arcs'
import { Button, linkTo } from '../ui/button'
import { Popover } from '../ui/popover'
import { useFigureFormat } from '../use-figure-format'
import { CompareAll, RejectedMasking, ReusedIds } from './history-notes'

const strong = (tone: string) => (words: React.ReactNode) => (
  <strong className={`font-semibold${tone}`}>{words}</strong>
)
const TAGS = { b: strong(''), good: strong(' text-good'), bad: strong(' text-warn') }

/** What the settings cost and risk, and what is recommended instead. Its height is reserved until it is known. */
export function Verdict() {
  const t = useTranslations('verdict')
  const current = useDeferredState(riskOf)
  const figures = useDeferredState(figuresOf)
  const charged = useDeferredState(chargeOfSession)
  const advice = useDeferredState(adviceOf)
  const conversation = usePlaygroundState(conversationKeyOf)
  // Until the page has opened its first text, nothing is missing.
  const isEmpty = usePlaygroundState(
    ({ source }) => source.text === '' && source.origin.kind !== 'none',
  )
  const isUnreadable = usePlaygroundState(({ reading }) => reading.state === 'failed')
  const isLookingBack = useDeferredState((state) => requestOf(state) !== undefined)
  // All of one file: the next one may state no charge.
  const known = useMemo(
    () => current && figures && { risk: current, figures, charged },
    [current, figures, charged],
  )
  // Until an edited text has new figures, the old ones stay, dimmed and without buttons.
  const { shown, isOld } = useShownOf(known, useDeferredState(conversationKeyOf))
  return (
    <section
      aria-label={t('label')}
      aria-busy={conversation !== undefined && advice === undefined}
      className="box-content min-h-12 border-b px-6 py-1.5 text-base leading-6 max-sm:min-h-24 max-sm:[&:lang(fr)]:min-h-30 max-lg:px-4 min-[90rem]:min-h-6"
    >
      {shown === undefined ? (
        <p className="text-faint">
          {conversation !== undefined
            ? t('pending')
            : isEmpty
              ? t('empty')
              : isUnreadable && t('unreadable')}
        </p>
      ) : (
        <p className={isOld ? 'faded-late' : ''}>
          {isLookingBack && t('session')} <Now {...shown} /> <TooShort /> <Advised />{' '}
          <RejectedMasking place="verdict" /> <Advice risk={shown.risk} /> <ReusedIds />{' '}
          <CompareAll />
        </p>
      )}
    </section>
  )
}

function isNothingMasked({ before, after }: ReplayFigures): boolean {
  return after.tokens === before.tokens
}

/** What the current settings do: to what was charged, where the file states it, else to the cost of the replay. */
function Now(props: {
  readonly risk: Risk
  readonly figures: ReplayFigures
  readonly charged: ReturnType<typeof chargeOfSession>
}) {
  const { risk, figures, charged } = props
  const { t, actions } = useView('verdict')
  const texts = useView('report')
  const effect = useEffectOf()
  const step = useStepToLost()
  const policy = useDeferredState((state) => state.policy)
  const { before, worstCost } = risk
  const isOff = !policy.enabled || policy.windowTurns <= 0
  const now = effect(before, risk.cost)
  const kind = isOff ? 'off' : isNothingMasked(figures) ? 'nothing' : now.kind
  const worst = effect(before, worstCost)
  return (
    <>
      {t.rich('now', {
        ...TAGS,
        ...now,
        kind,
        uses: risk.laterUses,
        lost: risk.lostUses,
        results: risk.lostResults,
        worst:
          worstCost === undefined ? 'none' : worst.kind === kind ? t('alike', worst) : worst.text,
        // Messages say which answer used the result, and what of it.
        a: linkTo(() => {
          actions.setView('messages')
          step(true)
        }),
      })}{' '}
      {chargedSentence(texts, charged, figures, policy)}
    </>
  )
}

/** Says that no window as short as the set one is recommended. */
function TooShort() {
  const t = useTranslations('verdict')
  const isShort = useDeferredState(isWindowTooShort)
  const figures = useDeferredState(figuresOf)
  const { smallest } = useLimits()
  if (!isShort || figures === undefined || isNothingMasked(figures)) return null
  return t.rich('tooShort', { ...TAGS, smallest })
}

function Advised() {
  const { t, actions } = useView('verdict')
  const effect = useEffectOf()
  const current = useDeferredState(adviceOf)
  const { shown: advice } = useShownOf(current, useDeferredState(conversationKeyOf))
  const recommendation = useDeferredState(recommendationOf)
  const figures = useDeferredState(figuresOf)
  const risk = useDeferredState(riskOf)
  const policy = useDeferredState((state) => state.policy)
  const limits = useLimits()
  // That of the previous file is not this one's.
  if (recommendation === undefined) return null
  if (advice === 'best') return <Contrast />
  if (advice === 'do_not_mask') {
    if (policy.enabled && figures !== undefined && isNothingMasked(figures)) return null
    return (
      <>
        {TAGS.b(t('doNotMask', limits))}{' '}
        {policy.enabled &&
          linkTo(() => {
            actions.endGesture()
            actions.changePolicy({ enabled: false })
          })(t('turnOff'))}
      </>
    )
  }
  if (advice !== 'use' || recommendation.state !== 'mask') return null
  const { windowTurns, total } = recommendation.point
  // Both ends of the cost of input with caching, as in the figures.
  const { cached: cost = 0 } = total.costs
  const worst = cost + recommendation.worstCost - recommendation.cost
  return (
    <>
      {t.rich('use', {
        ...TAGS,
        isSameWindow: windowTurns === policy.windowTurns ? 'yes' : 'no',
        window: windowTurns,
        batch: batchNumber(recommendation.point),
        effect: effect(risk?.before, cost).text,
        lost: recommendation.lostUses,
        worst: effect(risk?.before, worst).text,
        isSafer: risk?.cost !== undefined && cost > risk.cost ? 'yes' : 'no',
      })}{' '}
      {current !== undefined && linkTo(() => actions.applyWindow(recommendation.point))(t('apply'))}
    </>
  )
}

/** What the same window costs if it advances every turn, where that is more; else that no setting is better. */
function Contrast() {
  const { t, actions } = useView('verdict')
  const effect = useEffectOf()
  const limits = useLimits()
  const policy = useDeferredState((state) => state.policy)
  const isPinned = useDeferredState(({ pinned }) => pinned !== undefined)
  const everyTurn = useDeferredState(everyTurnCostOf)
  const { shown: risk } = useShown(riskOf)
  if (everyTurn === undefined || risk?.cost === undefined || everyTurn <= risk.cost)
    return t('best', limits)
  const { kind, text } = effect(risk.before, everyTurn)
  return (
    <>
      {t.rich('contrast', { ...TAGS, kind, effect: text })}{' '}
      {linkTo(() => actions.pin(isPinned ? undefined : { ...policy, batchTurns: 1 }))(
        t(isPinned ? 'endCompare' : 'compare'),
      )}
    </>
  )
}

/** What settings have to meet to be recommended. */
function useLimits() {
  const format = useFigureFormat()
  const { smallestWindow, rule, keptShare } = useDeferredState((state) => state.advice)
  return { smallest: smallestWindow, rule, kept: format.share(keptShare) }
}

/** Smaller changes are called about the same. */
const LEAST_SHARE = 0.005

/** Returns a function that says what a change of the cost is: it saves a share, costs more by one, or neither. */
function useEffectOf() {
  const { t, format } = useView('verdict')
  return (before: number | undefined, after: number | undefined) => {
    if (before === undefined || after === undefined || before === 0)
      return { kind: 'unknown', share: '', text: t('effect', { kind: 'same', share: '' }) }
    const change = (after - before) / before
    const kind = Math.abs(change) < LEAST_SHARE ? 'same' : change < 0 ? 'saves' : 'costs'
    const share = format.share(Math.abs(change))
    return { kind, share, text: t('effect', { kind, share }) }
  }
}

const Details = loadWithTexts(async () => (await import('./advice-details')).AdviceDetails)
const Outcomes = loadWithTexts(async () => (await import('./advice-details')).Outcomes)

/** A popover with the rule and reasons of the recommendation, and one with published outcomes. */
function Advice({ risk }: { readonly risk: Risk }) {
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
