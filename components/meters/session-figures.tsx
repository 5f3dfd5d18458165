import { batchNumber } from '@/lib/core/policy/policy'
import type { ReplayFigures } from '@/lib/core/replay/replay-figures'
import { chargeOfSession } from '@/lib/state/costs/charged-session'
import { costTermsOf, knownRuleOf } from '@/lib/state/costs/cost-terms'
import { estimatedSlopeOf } from '@/lib/state/costs/shown-session'
import { isActive } from '@/lib/state/costs/tried-mechanism'
import { figuresOf } from '@/lib/state/policy/policy-view'
import { chargedSentence } from '../cost/report/report-sentences'
import { useReportTexts } from '../cost/use-report-texts'
import { useDeferredState, useShown, useView } from '../playground-context'
import { moneyOf, TONES, toneOf } from './figure'

/** The cost of the session in one line, for where the page is covered; tokens if a price is unknown. */
export function SessionLine() {
  const { t, format } = useView('cost.figures')
  const rule = useDeferredState(knownRuleOf)
  const { shown, isOld } = useShown(figuresOf)
  const money = shown && moneyOf(shown)
  const isInTokens = shown !== undefined && money === undefined
  const change = shown && (money ?? { before: shown.before.tokens, after: shown.after.tokens })
  const { before, after } = change ?? {}
  const write = isInTokens ? format.number : format.money
  return (
    <div
      aria-busy={isOld}
      className={`flex flex-wrap items-center gap-x-3 ${isOld ? 'faded-late' : ''}`}
    >
      <span className="min-w-28 flex-1 text-soft text-sm">
        {isInTokens ? t('plainTokens', { n: shown.requestCount }) : t('cached', { rule })}
      </span>
      <p className="font-semibold text-xl tabular-nums tracking-tight">
        <span className="font-normal text-faint text-sm">{write(before, after)} → </span>
        {write(after, before)}{' '}
        <span className={`text-sm ${TONES[toneOf(change)]}`}>{format.change(before, after)}</span>
      </p>
    </div>
  )
}

/** How the cost of the session arises, and what it leaves out. */
export function SessionDetails() {
  const { t, format } = useView('cost.figures')
  const { shown } = useShown(figuresOf)
  const answers = shown?.after.costs.output
  const hasAnswers = answers !== undefined && shown !== undefined && shown.outputTokens > 0
  const slope = useDeferredState(estimatedSlopeOf)
  return (
    <div className="mt-3 flex flex-col gap-2 border-t pt-3 text-soft">
      <h3 className="font-semibold text-ink">{t('details')}</h3>
      <CachingNote figures={shown} />
      <p>
        {t('answers', {
          isKnown: hasAnswers ? 'yes' : 'no',
          n: shown?.requestCount ?? 0,
          cost: format.money(answers),
        })}
      </p>
      {slope !== undefined && <p>{t('estimated', { factor: slope })}</p>}
    </div>
  )
}

/** Explains the session cost with caching. */
function CachingNote({ figures }: { readonly figures: ReplayFigures | undefined }) {
  const { t, format } = useView('cost.note')
  const report = useReportTexts()
  const terms = useDeferredState(costTermsOf)
  const policy = useDeferredState((state) => state.policy)
  const isOn = useDeferredState(isActive)
  const charged = useDeferredState(chargeOfSession)
  if (figures === undefined || terms === undefined) return <p>{t('unknown')}</p>
  const { before, after, prefixBreaks: n, breakEven, requestCount } = figures
  const { model, ruleOrigin } = terms
  const { listed } = model
  const batch = batchNumber(policy)
  const isMasked = after.tokens !== before.tokens
  const cached = moneyOf(figures)
  const why = () => {
    if (cached === undefined) return t('priceUnknown', { model: model.name })
    if (terms.terms.rule.kind === 'none')
      return t(ruleOrigin === 'unknown' ? 'ruleUnknown' : 'noCache')
    if (!isMasked) return t('nothingMasked')
    return n === 0 ? t('unbroken') : t(batch === 1 ? 'slides' : 'steps', { n, batch })
  }
  const whether = () => {
    if (breakEven.state !== 'from_request') return t('even')
    const from = format.number(breakEven.request + 1)
    const values = { from, all: format.number(requestCount) }
    return t(breakEven.request === 0 ? 'paysAlways' : 'pays', values)
  }
  return (
    <div className="flex flex-col">
      {listed?.havePricesEnded === true && listed.pricesUntil !== undefined && (
        <p className="font-medium text-warn">
          {t('pricesEnded', { model: listed.name, date: format.day(listed.pricesUntil) })}
        </p>
      )}
      <p>{why()}</p>
      {cached !== undefined && isMasked && cached.after <= cached.before && <p>{whether()}</p>}
      <p className="empty:hidden">{chargedSentence(report, charged, figures, isOn)}</p>
    </div>
  )
}
