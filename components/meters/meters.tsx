import { ChevronDown, Info } from 'lucide-react'
import type { CSSProperties, ReactNode } from 'react'
import type { BeforeAfter } from '@/lib/core/mask/measure-request'
import { modelNameOf, modelOf } from '@/lib/state/costs/chosen-model'
import { knownRuleOf } from '@/lib/state/costs/cost-terms'
import { nonTextPartsOf, requestOf, shownMeasureOf } from '@/lib/state/costs/request-view'
import { sessionOf } from '@/lib/state/costs/shown-session'
import { figuresOf, measureOf } from '@/lib/state/policy/policy-view'
import { isSettling } from '@/lib/state/policy/session-policy'
import { loadWithTexts } from '../load-with-texts'
import { useDeferredState, usePlaygroundState, useShown, useView } from '../playground-context'
import { Popover } from '../ui/popover'
import { ProgressLine } from '../ui/progress-line'
import { IconButton } from '../ui/tooltip'
import { Announcement, moneyOf } from './figure'
import { Verdict } from './verdict'

/** The verdict, and beside it the tokens of the next request and of the session. */
export function Meters() {
  const { t } = useView('meters')
  return (
    <section
      aria-label={t('label')}
      className="relative flex flex-wrap items-center gap-x-5 gap-y-2 border-t px-6 py-1.5 max-sm:px-4"
    >
      <CountingBar />
      <Verdict />
      <div className="flex items-center gap-x-3.5 gap-y-1.5 max-sm:w-full max-sm:flex-wrap max-sm:justify-between">
        <RequestMeter />
        <SessionMeter />
        <span className="flex min-w-0 max-w-80 items-center gap-x-1">
          <ModelPicker />
          <PriceDialog />
          <Popover
            title={t('howCounted')}
            align="end"
            trigger={<IconButton label={t('howCounted')} icon={Info} />}
          >
            <HowCounted />
          </Popover>
        </span>
      </div>
      <CostAnnouncement />
    </section>
  )
}

/** A thin progress bar at the top edge while tokens are counted. */
function CountingBar() {
  const { t } = useView('meters')
  const counting = usePlaygroundState((state) => state.counting)
  if (counting === undefined) return null
  return (
    <ProgressLine label={t('counting')} share={counting} className="absolute inset-x-0 top-0" />
  )
}

/** Announces the figures to screen readers in one sentence. */
function CostAnnouncement() {
  const { t, format } = useView('meters')
  const measure = useDeferredState(measureOf)
  const figures = useDeferredState(figuresOf)
  const rule = useDeferredState(knownRuleOf)
  if (useDeferredState(isSettling) || measure === undefined) return <Announcement sentence="" />
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
  const cost = figures && moneyOf(figures)
  const session =
    cost &&
    t('announceSession', {
      rule,
      after: format.money(cost.after, cost.before),
      before: format.money(cost.before, cost.after),
    })
  return <Announcement sentence={session === undefined ? next : `${next} ${session}`} />
}

/** Tokens of the next request, or of the one looked at. */
function RequestMeter() {
  const { t, format } = useView('meters')
  const request = usePlaygroundState((state) => state.request ?? 0) + 1
  const isLookingBack = usePlaygroundState((state) => requestOf(state) !== undefined)
  const count = usePlaygroundState((state) => sessionOf(state)?.requests.length ?? 0)
  const { shown, isOld } = useShown(shownMeasureOf, usePlaygroundState)
  const context = usePlaygroundState(modelOf)?.contextWindow
  const nonText = usePlaygroundState(nonTextPartsOf)
  const isOver = context !== undefined && (shown?.tokens.after ?? 0) > context
  return (
    <TokenMeter
      name={isLookingBack ? t('requestOf', { request, count }) : t('nextRequest')}
      tokens={shown?.tokens}
      note={
        shown &&
        t('toolChars', {
          before: format.number(shown.resultChars.before),
          after: format.number(shown.resultChars.after),
        })
      }
      isOld={isOld}
      write={format.number}
      width="15.5rem"
      warning={
        isOver
          ? t('contextOver', { limit: format.number(context) })
          : nonText > 0
            ? t('nonText', { n: nonText })
            : undefined
      }
    />
  )
}

/** Input tokens of all requests. */
function SessionMeter() {
  const { t, format } = useView('meters')
  const { shown, isOld } = useShown(figuresOf)
  return (
    <TokenMeter
      name={t('session')}
      tokens={shown && { before: shown.before.tokens, after: shown.after.tokens }}
      isOld={isOld}
      write={format.shortNumber}
      width="13.5rem"
    />
  )
}

/** What is sent, of what would be sent without masking, with a bar. Its width is fixed, so that no figure moves another. */
function TokenMeter(props: {
  readonly name: ReactNode
  readonly tokens: BeforeAfter | undefined
  readonly isOld: boolean
  readonly write: (tokens: number) => string
  /** Said when pointed at. */
  readonly note?: string | undefined
  readonly warning?: string | undefined
  /** Fits the widest figures. */
  readonly width: string
}) {
  const { name, tokens, isOld, write, note, warning, width } = props
  const { t } = useView('meters')
  const after = useDeferredState(isSettling) ? undefined : tokens?.after
  return (
    <div
      aria-busy={isOld}
      title={[warning, note].filter(Boolean).join(' ') || undefined}
      style={{ '--width': width } as CSSProperties}
      className={`text-soft text-sm tabular-nums max-sm:w-[calc(50%-0.625rem)] sm:w-(--width) ${isOld ? 'faded-late' : ''}`}
    >
      {/* Words that do not fit are not cut but gone. */}
      <p className="flex flex-wrap items-baseline gap-x-1.5 whitespace-nowrap sm:h-6 sm:overflow-hidden">
        <span className="max-sm:w-full">{name}</span>{' '}
        <strong className={`font-semibold text-base ${warning ? 'text-warn' : 'text-ink'}`}>
          {after === undefined ? t('unknown') : write(after)}
        </strong>{' '}
        {tokens !== undefined &&
          t.rich('ofTokens', {
            before: write(tokens.before),
            unit: (words) => <span className="max-sm:sr-only [&:lang(fr)]:sr-only">{words}</span>,
          })}
      </p>
      <div
        aria-hidden
        className="mt-0.5 h-1 overflow-hidden rounded-full bg-line forced-colors:rounded-none forced-colors:border-b forced-colors:bg-transparent"
      >
        <div
          className="h-full rounded-full bg-accent forced-colors:bg-[Highlight]"
          style={{
            width: `${Math.min(100, ((after ?? 0) * 100) / Math.max(1, tokens?.before ?? 0))}%`,
          }}
        />
      </div>
      {warning !== undefined && <span className="sr-only">{warning}</span>}
    </div>
  )
}

const HowCounted = loadWithTexts(async () => (await import('./how-counted')).HowCounted)

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
