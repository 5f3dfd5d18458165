import { useMemo } from 'react'
import { batchNumber, isMaskingOff } from '@/lib/core/policy/policy'
import type { ReplayFigures } from '@/lib/core/replay/replay-figures'
import { adviceOf, recommendationOf } from '@/lib/state/costs/session-advice'
import { isTrying } from '@/lib/state/costs/tried-mechanism'
import { isBlank } from '@/lib/state/document/selectors'
import { figuresOf, measureOf } from '@/lib/state/policy/policy-view'
import { isSettling } from '@/lib/state/policy/session-policy'
import type { PlaygroundState } from '@/lib/state/store'
import { forgottenOf, type Risk, riskOf } from '@/lib/state/uses/later-uses'
import { loadWithTexts } from '../load-with-texts'
import {
  Committed,
  conversationKeyOf,
  useDeferredState,
  usePlaygroundState,
  useShown,
  useShownOf,
  useView,
} from '../playground-context'
import { Button } from '../ui/button'
import { Popover } from '../ui/popover'

const strong = (tone: string) => (words: React.ReactNode) => (
  <strong className={`font-semibold${tone}`}>{words}</strong>
)
const TAGS = {
  b: strong(''),
  good: strong(' text-good'),
  bad: strong(' text-warn'),
  // What is masked, where the name of the page is not shown or there is room.
  long: (words: React.ReactNode) => <span className="sm:max-2xl:hidden">{words}</span>,
}

/** What the settings save and, at worst, risk: at most 14 words, with what is better as one button. */
export function Verdict() {
  const { t } = useView('verdict')
  const current = useDeferredState(riskOf)
  const figures = useDeferredState(figuresOf)
  const advice = useDeferredState(adviceOf)
  const conversation = usePlaygroundState(conversationKeyOf)
  const isEmpty = usePlaygroundState(isBlank)
  const isUnset = useDeferredState(isSettling)
  const isUnreadable = usePlaygroundState(({ reading }) => reading.state === 'failed')
  const known = useMemo(() => current && figures && { risk: current, figures }, [current, figures])
  // Until an edited text has new figures, the old ones stay, dimmed and without buttons.
  const { shown, isOld } = useShownOf(known, useDeferredState(conversationKeyOf))
  const isTried = useDeferredState(isTrying)
  const smallest = useDeferredState((state) => state.advice.smallestWindow)
  const isOff = useDeferredState(isOffOf)
  // A minimum request size can be why nothing saves, and is said elsewhere.
  const isBest = useDeferredState(
    (state) => recommendationOf(state)?.state === 'do_not_mask' && state.policy.triggerTokens === 0,
  )
  // Where no setting is better, what follows is why, in place of a button.
  const hasReason = isBest && shown !== undefined && (isOff || isNothingMasked(shown.figures))
  return (
    <section
      aria-label={t('label')}
      aria-busy={conversation !== undefined && advice === undefined}
      className="flex min-h-8 min-w-0 flex-1 basis-80 flex-wrap items-center gap-x-3 gap-y-1 max-sm:min-h-23 max-sm:content-start max-xl:basis-full"
    >
      {shown === undefined || isUnset ? (
        <p className="text-faint">
          {conversation !== undefined
            ? t('pending')
            : isEmpty
              ? t('empty')
              : isUnreadable && t('unreadable')}
        </p>
      ) : (
        <>
          <h2
            className={`text-balance font-medium text-xl tabular-nums leading-8 tracking-tight max-sm:min-h-12 max-sm:w-full max-sm:text-lg max-sm:leading-6 2xl:text-[1.375rem] ${isOld ? 'faded-late' : ''}`}
          >
            {isTried ? <Tried {...shown} /> : <Now {...shown} hasReason={hasReason} />}
          </h2>
          {hasReason && !isTried && (
            // On a phone it is the second line of the two that the sentence has.
            <p className="max-sm:-mt-6 max-sm:flex-1 xl:max-w-64 xl:text-sm xl:leading-4">
              {t('doNotMask', { n: smallest })}
            </p>
          )}
          {/* What is pointed at stays while another policy is looked at. */}
          <Committed>{!isTried && <Advised />}</Committed>
          {!isTried && (
            <Popover
              title={t('details.title')}
              className="w-[min(34rem,calc(100vw-1rem))]"
              trigger={
                <Button kind="link" className="max-sm:min-h-8 max-sm:self-start">
                  {t('why')}
                </Button>
              }
            >
              <Details risk={shown.risk} />
            </Popover>
          )}
        </>
      )}
    </section>
  )
}

const isOffOf = ({ policy }: PlaygroundState) => isMaskingOff(policy)
const isNothingMasked = ({ before, after }: ReplayFigures) => after.tokens === before.tokens

/** What the current settings do to the cost of the session, and if every result used again is fetched again. */
function Now(props: {
  readonly risk: Risk
  readonly figures: ReplayFigures
  readonly hasReason: boolean
}) {
  const { risk, figures, hasReason } = props
  const { t } = useView('verdict')
  const effect = useEffectOf()
  const isOff = useDeferredState(isOffOf)
  // What is masked after the last answer changes no request of the session.
  const isNothing = useDeferredState((state) => measureOf(state)?.maskedResults === 0)
  const now = effect(risk.before, risk.cost)
  const kind = isOff ? (hasReason ? 'leave' : 'off') : isNothing ? 'nothing' : now.kind
  const tokens = effect(figures.before.tokens, figures.after.tokens)
  const worst = effect(risk.before, risk.worstCost)
  const hasWorst = risk.lostResults > 0 && worst.kind !== 'unknown' && worst.share !== now.share
  return (
    <>
      {t.rich('now', { ...TAGS, ...now, kind })}
      {hasWorst &&
        t.rich('worst', { ...TAGS, ...worst, isSame: worst.kind === now.kind ? 'yes' : 'no' })}
      {t('end', { isOpen: hasReason ? 'yes' : 'no' })}{' '}
      {kind === 'unknown' && t.rich('tokens', { ...TAGS, ...tokens })}
    </>
  )
}

const TriedSentence = loadWithTexts(
  async () => (await import('../mechanisms/mechanism-panel')).TriedSentence,
)

/** What the mechanism does that is tried in place of the policy. */
function Tried(props: { readonly risk: Risk; readonly figures: ReplayFigures }) {
  const { risk, figures } = props
  const effect = useEffectOf()
  const forgotten = useDeferredState((state) => forgottenOf(state)?.length) ?? 0
  const inMoney = effect(risk.before, risk.cost)
  const unit = inMoney.kind === 'unknown' ? 'tokens' : 'money'
  const inTokens = effect(figures.before.tokens, figures.after.tokens)
  const now = unit === 'tokens' ? inTokens : inMoney
  const kind = isNothingMasked(figures) ? 'nothing' : now.kind
  return <TriedSentence values={{ ...TAGS, ...now, kind, unit, forgotten }} />
}

/** The recommended setting as a button, or the one that turns masking off. */
function Advised() {
  const { t, actions } = useView('verdict')
  const effect = useEffectOf()
  const { shown: advice, isOld } = useShown(adviceOf)
  const recommendation = useDeferredState(recommendationOf)
  const risk = useDeferredState(riskOf)
  const figures = useDeferredState(figuresOf)
  const isOff = useDeferredState(isOffOf)
  const window = useDeferredState((state) => state.policy.windowTurns)
  // That of the previous file, or of an older text, is not this one's.
  if (recommendation === undefined || risk === undefined || figures === undefined) return null
  if (advice === 'do_not_mask' && !isOff && !isNothingMasked(figures))
    return (
      <Button kind="accent" onClick={() => actions.changePolicy({ enabled: false })}>
        {t('turnOff')}
      </Button>
    )
  if (advice !== 'use' || recommendation.state !== 'mask') return null
  const { point } = recommendation
  return (
    <Button kind="accent" disabled={isOld} onClick={actions.setForSession}>
      {t('use', {
        isSameWindow: point.windowTurns === window ? 'yes' : 'no',
        window: point.windowTurns,
        batch: batchNumber(point),
        ...effect(risk.before, point.total.costs.cached),
      })}
    </Button>
  )
}

/** Smaller changes are called about the same. */
const LEAST_SHARE = 0.005

/** Returns a function that says what a change of the cost is: it saves a share, costs more by one, or neither. */
function useEffectOf() {
  const { format } = useView('verdict')
  return (before: number | undefined, after: number | undefined) => {
    if (before === undefined || after === undefined || before === 0)
      return { kind: 'unknown', share: '' }
    const change = (after - before) / before
    const kind = Math.abs(change) < LEAST_SHARE ? 'same' : change < 0 ? 'saves' : 'costs'
    return { kind, share: kind === 'same' ? '' : format.share(Math.abs(change)) }
  }
}

const Details = loadWithTexts(async () => (await import('./advice-details')).AdviceDetails)
