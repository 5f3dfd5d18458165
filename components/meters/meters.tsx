import { Info } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import type { RequestMeasure } from '@/lib/core/mask/measure-request'
import { familyOf, modelOf } from '@/lib/state/costs/chosen-model'
import { knownRuleOf } from '@/lib/state/costs/cost-terms'
import { nonTextPartsOf, requestOf, shownMeasureOf } from '@/lib/state/costs/request-view'
import { calibrationOf, estimatedSlopeOf, sessionOf } from '@/lib/state/costs/shown-session'
import { figuresOf, measureOf } from '@/lib/state/policy/policy-view'
import { loadWithTexts } from '../load-with-texts'
import {
  conversationKeyOf,
  useDeferredState,
  usePlaygroundState,
  useShownOf,
  useView,
} from '../playground-context'
import { IconButton } from '../ui/icon-button'
import { Popover } from '../ui/popover'
import { ProgressLine } from '../ui/progress-line'
import { Announcement, ChangeLine, Figure } from './figure'
import { moneyOf, SessionFigures } from './session-figures'
import { Verdict } from './verdict'

/** Effect of the policy on the next request and on the session. */
export function Meters() {
  const t = useTranslations('meters')
  return (
    <section aria-label={t('label')} className="relative">
      <CountingBar />
      <Verdict />
      <div className="-mx-px flex flex-wrap gap-y-1 py-0.5 sm:*:border-l">
        <SessionFigures>
          {/* Made here, so that a step of a slider does not redraw it. */}
          <RequestFigure details={<LazyHowCounted />} />
        </SessionFigures>
      </div>
      <CostAnnouncement />
    </section>
  )
}

/** A thin progress bar at the top edge while tokens are counted. */
function CountingBar() {
  const t = useTranslations('meters')
  const counting = usePlaygroundState((state) => state.counting)
  if (counting === undefined) return null
  return <ProgressLine label={t('counting')} share={counting} className="absolute" />
}

/** Announces the figures to screen readers in one sentence. */
function CostAnnouncement() {
  const { t, format } = useView('meters')
  const measure = useDeferredState(measureOf)
  const figures = useDeferredState(figuresOf)
  const rule = useDeferredState(knownRuleOf)
  if (measure === undefined) return <Announcement sentence="" />
  const { before, after } = measure.tokens
  const next = t('announce', {
    after: format.number(after),
    before: format.number(before),
    change: t(after === before ? 'sameTokens' : after < before ? 'fewerTokens' : 'moreTokens', {
      n: Math.abs(before - after),
    }),
    masked: format.number(measure.maskedResults),
    results: format.number(measure.results),
  })
  const cost = figures && moneyOf(figures, 'cached')
  const session =
    cost &&
    t('announceSession', {
      rule,
      after: format.money(cost.after, cost.before),
      before: format.money(cost.before, cost.after),
    })
  return <Announcement sentence={session === undefined ? next : `${next} ${session}`} />
}

/** Tokens of the next request, or of the one looked at, before and after masking; `details` is a button beside the title. */
function RequestFigure({ details }: { readonly details: ReactNode }) {
  const { t, format } = useView('meters')
  const measure = usePlaygroundState(shownMeasureOf)
  const hasDocument = usePlaygroundState(({ read }) => read !== undefined)
  const request = usePlaygroundState((state) => state.request ?? 0) + 1
  const isLookingBack = usePlaygroundState((state) => requestOf(state) !== undefined)
  const count = usePlaygroundState((state) => sessionOf(state)?.requests.length ?? 0)
  const { shown, isOld } = useShownOf(measure, usePlaygroundState(conversationKeyOf))
  const kind = usePlaygroundState((state) => {
    if (calibrationOf(state) !== undefined && estimatedSlopeOf(state) === undefined)
      return 'calibrated'
    return familyOf(state).isExact ? 'exact' : 'estimate'
  })
  const context = usePlaygroundState(modelOf)?.contextWindow
  const nonText = usePlaygroundState(nonTextPartsOf)

  return (
    <Figure
      title={
        <span className="flex items-center gap-x-1.5">
          {isLookingBack ? t('requestOf', { request, count }) : t('nextRequest')}
          <span
            className={`@max-[17rem]:hidden font-normal text-faint ${hasDocument ? '' : 'invisible'}`}
          >
            {t(`family.${kind}`)}
          </span>
          <span className="-my-1 pointer-coarse:-my-2.5">{details}</span>
        </span>
      }
      isOld={isOld}
      aside={shown === undefined ? t('unknown') : aside(shown)}
    >
      <ChangeLine change={shown?.tokens} format={format.number} unit={t('tokens')} />
    </Figure>
  )

  function aside({ maskedResults, results, tokens }: RequestMeasure) {
    const isOver = context !== undefined && tokens.after > context
    return (
      <>
        {t('resultsMasked', {
          masked: format.number(maskedResults),
          results: format.number(results),
        })}
        {isOver && (
          <span className="text-warn"> {t('contextOver', { limit: format.number(context) })}</span>
        )}
        {nonText > 0 && <span className="text-warn"> {t('nonText', { n: nonText })}</span>}
      </>
    )
  }
}

const HowCounted = loadWithTexts(async () => (await import('./how-counted')).HowCounted)

/** A popover with details of the request shown, and how its tokens are counted. */
function LazyHowCounted() {
  const t = useTranslations('meters')
  return (
    <Popover title={t('howCounted')} trigger={<IconButton label={t('howCounted')} icon={Info} />}>
      <HowCounted />
    </Popover>
  )
}
