import { ChevronDown, Info } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import type { BeforeAfter } from '@/lib/core/mask/measure-request'
import { batchNumber } from '@/lib/core/policy/policy'
import type { ReplayFigures } from '@/lib/core/replay/replay-figures'
import { chargeOfSession } from '@/lib/state/costs/charged-session'
import { modelNameOf, modelOf } from '@/lib/state/costs/chosen-model'
import { costTermsOf, knownRuleOf } from '@/lib/state/costs/cost-terms'
import { estimatedSlopeOf } from '@/lib/state/costs/shown-session'
import { figuresOf } from '@/lib/state/policy/policy-view'
import { loadWithTexts } from '../load-with-texts'
import { useDeferredState, usePlaygroundState, useShown, useView } from '../playground-context'
import { IconButton } from '../ui/icon-button'
import { Popover } from '../ui/popover'
import { ChangeLine, Figure } from './figure'

/** Cost of all requests of the session: with the model's caching, then other figures, then without caching. */
export function SessionFigures({ children }: { readonly children: ReactNode }) {
  return (
    <>
      <CachedFigure title={<CachedTitle />} />
      {children}
      <PlainFigure />
    </>
  )
}

/** Its title is made outside, so that new figures do not redraw it. */
function CachedFigure({ title }: { readonly title: ReactNode }) {
  const { shown, isOld } = useShown(figuresOf)
  return (
    <Figure title={title} isOld={isOld} aside={<CachingAside figures={shown} />}>
      <CostLine figures={shown} caching="cached" isInTokens={false} />
    </Figure>
  )
}

/** The same cost in one line, for where the page is covered; tokens if a price is unknown. */
export function SessionLine() {
  const t = useTranslations('cost.figures')
  const rule = useDeferredState(knownRuleOf)
  const { shown, isOld } = useShown(figuresOf)
  const isInTokens = shown !== undefined && moneyOf(shown, 'cached') === undefined
  return (
    <div
      aria-busy={isOld}
      className={`flex flex-wrap items-center gap-x-3 ${isOld ? 'faded-late' : ''}`}
    >
      <span className="min-w-28 flex-1 text-soft text-sm">
        {isInTokens
          ? t('plainTokens', { n: shown.requestCount })
          : t.rich('cached', { rule, model: () => null })}
      </span>
      <div className="@container grow basis-54">
        <CostLine figures={shown} caching="cached" isInTokens={isInTokens} />
      </div>
    </div>
  )
}

function CachedTitle() {
  const t = useTranslations('cost.figures')
  const rule = useDeferredState(knownRuleOf)
  return (
    <span className="flex w-full min-w-0 items-center gap-x-1.5">
      {t.rich('cached', { rule, model: () => <ModelPicker key="model" /> })}
      <SessionDetails />
      <PriceDialog />
    </span>
  )
}

function PlainFigure() {
  const { t, format } = useView('cost.figures')
  const { shown, isOld } = useShown(figuresOf)
  const isModelKnown = useDeferredState((state) => modelOf(state) !== undefined)
  const isInTokens = shown !== undefined && moneyOf(shown, 'plain') === undefined && isModelKnown
  return (
    <Figure
      title={t(isInTokens ? 'plainTokens' : 'plain', { n: shown?.requestCount ?? 0 })}
      isOld={isOld}
      aside={
        shown !== undefined &&
        !isInTokens && (
          <span className="max-lg:hidden">
            {t('inputTokens', {
              before: format.number(shown.before.tokens),
              after: format.number(shown.after.tokens),
            })}
          </span>
        )
      }
    >
      <CostLine figures={shown} caching="plain" isInTokens={isInTokens} />
    </Figure>
  )
}

/** A popover on caching, and on what the figures leave out. */
function SessionDetails() {
  const t = useTranslations('cost.figures')
  return (
    <Popover
      title={t('details')}
      trigger={
        <IconButton label={t('details')} className="-my-1 pointer-coarse:-my-2.5" icon={Info} />
      }
    >
      <DetailsText />
    </Popover>
  )
}

function DetailsText() {
  const { t, format } = useView('cost.figures')
  const { shown } = useShown(figuresOf)
  const answers = shown?.after.costs.output
  const hasAnswers = answers !== undefined && shown !== undefined && shown.outputTokens > 0
  const slope = useDeferredState(estimatedSlopeOf)
  return (
    <div className="flex flex-col gap-2 text-soft">
      <CachingNote figures={shown} />
      <p>
        {t('answers', {
          isKnown: hasAnswers ? 'yes' : 'no',
          n: shown?.requestCount ?? 0,
          cost: format.money(answers),
        })}
      </p>
      {slope !== undefined && <p>{t('estimated', { factor: slope })}</p>}
      <p>{t('plainHint')}</p>
    </div>
  )
}

/** The cost in one line, or the tokens instead. */
function CostLine(props: {
  readonly figures: ReplayFigures | undefined
  readonly caching: 'plain' | 'cached'
  readonly isInTokens: boolean
}) {
  const { figures, caching, isInTokens } = props
  const { t, format } = useView('cost.figures')
  const isMain = caching === 'cached'
  if (figures === undefined || !isInTokens)
    return (
      <ChangeLine
        change={figures && moneyOf(figures, caching)}
        format={format.money}
        isMain={isMain}
      />
    )
  const tokens = { before: figures.before.tokens, after: figures.after.tokens }
  return <ChangeLine change={tokens} format={format.number} unit={t('tokens')} isMain={isMain} />
}

/** Input cost in dollars; undefined if a price is unknown. */
export function moneyOf(
  { before, after }: ReplayFigures,
  caching: 'plain' | 'cached',
): BeforeAfter | undefined {
  const [first, second] = [before.costs[caching], after.costs[caching]]
  return first === undefined || second === undefined ? undefined : { before: first, after: second }
}

const ModelPicker = loadWithTexts(async () => (await import('./model-picker')).ModelPicker, {
  Waiting: ModelName,
  isLate: true,
})
const PriceDialog = loadWithTexts(async () => (await import('../cost/price-dialog')).PriceDialog, {
  isLate: true,
})

/** Looks like the choice, so that nothing moves when it has loaded. */
function ModelName() {
  const name = usePlaygroundState((state) => modelOf(state)?.name ?? modelNameOf(state).name)
  return (
    <span className="inline-flex h-7 min-w-0 max-w-full max-lg:max-w-44 max-lg:shrink-0 items-center gap-1 rounded-md border border-line bg-raised px-1.5 align-baseline text-ink pointer-coarse:h-11">
      <span className="truncate">{name}</span>
      <ChevronDown className="size-3.5 shrink-0 text-faint" aria-hidden />
    </span>
  )
}

/** Why a cost is unknown, or how often the cache is invalidated, in a few words. */
function CachingAside({ figures }: { readonly figures: ReplayFigures | undefined }) {
  const t = useTranslations('cost.note')
  const terms = useDeferredState(costTermsOf)
  if (figures === undefined || terms === undefined) return t('unknown')
  const { model, terms: applied } = terms
  if (moneyOf(figures, 'cached') === undefined) return t('priceUnknown', { model: model.name })
  if (model.listed?.havePricesEnded) return <span className="text-warn">{t('ended')}</span>
  const { prefixBreaks: n } = figures
  return applied.rule.kind !== 'none' && n > 0 && t('breaks', { n })
}

/** Explains the session cost with caching. */
function CachingNote({ figures }: { readonly figures: ReplayFigures | undefined }) {
  const { t, format } = useView('cost.note')
  const terms = useDeferredState(costTermsOf)
  const policy = useDeferredState((state) => state.policy)
  const charged = useDeferredState(chargeOfSession)
  if (figures === undefined || terms === undefined) return <p>{t('unknown')}</p>
  const { before, after, prefixBreaks: n, breakEven, requestCount } = figures
  const { model, ruleOrigin } = terms
  const { listed } = model
  const batch = batchNumber(policy)
  const cost = charged?.charge.inputCost
  const isMasked = after.tokens !== before.tokens
  const cached = moneyOf(figures, 'cached')
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
      {cost !== undefined && (
        <p>{t('charged', { cost: format.money(cost, before.costs.cached) })}</p>
      )}
    </div>
  )
}
