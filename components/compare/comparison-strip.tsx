import { ArrowLeftRight, ChevronDown, X } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { type Conversation, shownTool, type ToolResult } from '@/lib/core/conversation/conversation'
import type { BeforeAfter } from '@/lib/core/mask/measure-request'
import type { Decision } from '@/lib/core/policy/decide'
import { knownRuleOf } from '@/lib/state/costs/cost-terms'
import { conversationOf } from '@/lib/state/document/selectors'
import { type Comparison, comparisonOf, type DifferingResult } from '@/lib/state/policy/comparison'
import { useReasonSentence } from '../messages-view/use-reason-sentence'
import { TONES, toneOf } from '../meters/figure'
import { conversationKeyOf, useDeferredState, useShownOf, useView } from '../playground-context'
import { Button } from '../ui/button'
import { IconButton } from '../ui/icon-button'
import { Popover } from '../ui/popover'

/** Compares policies A and B while A is pinned: changed settings, tokens, cost and decisions. */
export function ComparisonStrip() {
  const comparison = useDeferredState(comparisonOf)
  return comparison === undefined ? null : <Strip comparison={comparison} />
}

function Strip({ comparison }: { readonly comparison: Comparison }) {
  const { t, format, actions } = useView('share.compare')
  const changes = useFieldChanges(comparison)
  const { a, b, differing } = comparison
  const rule = useDeferredState(knownRuleOf)
  return (
    <section
      aria-label={t('label')}
      className="flex flex-wrap items-center gap-x-6 gap-y-2 border-t bg-accent-tint/40 px-6 py-2 max-lg:px-4"
    >
      <p className="min-w-48 flex-1">
        <Letter>A</Letter> → <Letter>B</Letter>{' '}
        <span className="text-soft">{changes.length === 0 ? t('same') : changes.join(' · ')}</span>
      </p>
      <dl className="flex flex-wrap gap-x-6 gap-y-1">
        <Pair
          title={t('request')}
          values={pair(a.measure?.tokens.after, b.measure?.tokens.after)}
          write={(n) => t('tokens', { n: format.number(n) })}
        />
        {(['plain', 'cached'] as const).map((caching) => (
          <Pair
            key={caching}
            title={t(caching === 'cached' && rule === 'unknown' ? 'cachedUnknown' : caching)}
            values={pair(a.session?.costs[caching], b.session?.costs[caching])}
            write={format.money}
          />
        ))}
      </dl>
      <div className="flex items-center gap-1">
        <DifferingResults differing={differing} />
        <IconButton label={t('swap')} onClick={actions.swapPinned} icon={ArrowLeftRight} />
        <IconButton label={t('end')} onClick={() => actions.pin(undefined)} icon={X} />
      </div>
    </section>
  )
}

function Letter({ children }: { readonly children: string }) {
  return <strong className="font-semibold text-accent">{children}</strong>
}

function pair(before: number | undefined, after: number | undefined): BeforeAfter | undefined {
  return before === undefined || after === undefined ? undefined : { before, after }
}

/** A is before, B is after. While new values are computed, the last ones stay visible but faint. */
function Pair(props: {
  readonly title: string
  readonly values: BeforeAfter | undefined
  readonly write: (value: number, beside: number) => string
}) {
  const { title, values, write } = props
  const { t, format } = useView('share.compare')
  const { shown, isOld } = useShownOf(values, useDeferredState(conversationKeyOf))
  return (
    <div className={isOld ? 'faded' : ''}>
      <dt className="text-soft text-sm">{title}</dt>
      <dd className="tabular-nums">
        {shown === undefined ? (
          t('unknown')
        ) : (
          <>
            <span className="text-faint">{write(shown.before, shown.after)} → </span>
            <strong className="font-semibold">{write(shown.after, shown.before)}</strong>{' '}
            <span className={TONES[toneOf(shown)]}>{format.change(shown.before, shown.after)}</span>
          </>
        )}
      </dd>
    </div>
  )
}

/** Settings that differ between A and B in short form, such as `Window 8 → 3`. */
function useFieldChanges({ fields, a, b }: Comparison): readonly string[] {
  const { t, format } = useView('share.compare')
  const policy = useTranslations('policy')
  return fields.map(({ key }) => {
    const label = policy(`labels.${key}`)
    const [before, after] = [a, b].map((side) => {
      const value = side.policy[key]
      if (typeof value === 'boolean') return policy(value ? 'mark.on' : 'mark.off')
      return typeof value === 'number' ? format.number(value) : undefined
    })
    if (before === undefined || after === undefined) return t('changeOther', { label })
    return t('change', { label, a: before, b: after })
  })
}

/** Results beyond this number are counted but not listed. */
const MOST_LISTED = 400

/** Number and list of results for which A and B decide differently. Choosing one selects it everywhere. */
function DifferingResults({ differing }: Pick<Comparison, 'differing'>) {
  const t = useTranslations('share.compare')
  const conversation = useDeferredState(conversationOf)
  const [isOpen, setOpen] = useState(false)
  if (differing === undefined || conversation === undefined) return null
  return (
    <Popover
      title={t('listTitle')}
      align="end"
      className="w-120 max-h-[60dvh]"
      isOpen={isOpen && differing.length > 0}
      onOpenChange={setOpen}
      trigger={
        <Button size="small" disabled={differing.length === 0}>
          {t('differing', { n: differing.length })}
          <ChevronDown className="size-3.5" aria-hidden />
        </Button>
      }
    >
      <List differing={differing} conversation={conversation} onChosen={() => setOpen(false)} />
    </Popover>
  )
}

function List(props: {
  readonly differing: readonly DifferingResult[]
  readonly conversation: Conversation
  readonly onChosen: () => void
}) {
  const { differing, conversation, onChosen } = props
  const { t, actions } = useView('share.compare')
  const sentence = useReasonSentence()
  const comparison = useDeferredState(comparisonOf)
  if (comparison === undefined) return null
  const rest = differing.length - MOST_LISTED
  return (
    <>
      <ul className="-mx-2 flex flex-col">
        {differing.slice(0, MOST_LISTED).map(({ result: index, a, b }) => {
          const result = conversation.results[index] as ToolResult
          const turn = (result.turn ?? 0) + 1
          const tool = shownTool(result) ?? t('noTool')
          const isOrphan = result.turn === undefined
          const why = (decision: Decision, side: 'a' | 'b') =>
            sentence(decision, result, comparison[side].policy, conversation.turnCount)
          const whatOf = ({ action }: Decision) => t(action === 'mask' ? 'masked' : 'kept')
          const isTextOnly = a.reason === 'masked' && b.reason === 'masked'
          return (
            <li key={index}>
              <button
                type="button"
                aria-label={isOrphan ? t('goToOrphan', { tool }) : t('goTo', { turn, tool })}
                onClick={() => {
                  actions.select(result.message, index, 'page')
                  onChosen()
                }}
                className="w-full cursor-pointer rounded-md px-2 py-1.5 text-left hover:bg-line/50"
              >
                <span className="flex justify-between gap-3">
                  <span className="min-w-0 truncate">
                    <span className="text-soft tabular-nums">
                      {isOrphan ? t('orphan') : t('turn', { turn })}
                    </span>{' '}
                    <span className="font-mono text-sm">{tool}</span>
                  </span>
                  <span className="shrink-0 text-sm">
                    {isTextOnly ? (
                      t('otherText')
                    ) : (
                      <>
                        {whatOf(a)} → <strong className="font-medium">{whatOf(b)}</strong>
                      </>
                    )}
                  </span>
                </span>
                {!isTextOnly && (
                  <span className="mt-0.5 block text-soft text-sm">
                    <span className="block">A: {why(a, 'a')}</span>
                    <span className="block">B: {why(b, 'b')}</span>
                  </span>
                )}
              </button>
            </li>
          )
        })}
      </ul>
      {rest > 0 && <p className="mt-2 text-soft text-sm">{t('rest', { n: rest })}</p>}
    </>
  )
}
