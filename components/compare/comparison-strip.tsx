import { ArrowLeftRight, ChevronDown, X } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { type Conversation, shownTool, type ToolResult } from '@/lib/core/conversation/conversation'
import type { BeforeAfter } from '@/lib/core/mask/measure-request'
import type { Decision } from '@/lib/core/policy/decide'
import type { MaskPolicy, PolicyField } from '@/lib/core/policy/policy'
import { knownRuleOf } from '@/lib/state/costs/cost-terms'
import { conversationOf } from '@/lib/state/document/selectors'
import { type Comparison, comparisonOf, type DifferingResult } from '@/lib/state/policy/comparison'
import { useReasonSentence } from '../messages-view/use-reason-sentence'
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
  const tokens = pair(a.measure?.tokens.after, b.measure?.tokens.after)
  const plain = pair(a.session?.costs.plain, b.session?.costs.plain)
  const cached = pair(a.session?.costs.cached, b.session?.costs.cached)
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
          values={tokens}
          write={(n) => t('tokens', { n: format.number(n) })}
        />
        <Pair title={t('plain')} values={plain} write={format.money} />
        <Pair
          title={t(rule === 'unknown' ? 'cachedUnknown' : 'cached')}
          values={cached}
          write={format.money}
        />
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

interface PairProps {
  readonly title: string
  /** A is before, B is after. While new values are computed, the last ones stay visible but faint. */
  readonly values: BeforeAfter | undefined
  readonly write: (value: number, beside: number) => string
}

function Pair({ title, values, write }: PairProps) {
  const { t, format } = useView('share.compare')
  const { shown, isOld } = useShownOf(values, useDeferredState(conversationKeyOf))
  const change = shown && format.change(shown.before, shown.after)
  const tone =
    shown === undefined || shown.after === shown.before
      ? 'text-soft'
      : shown.after < shown.before
        ? 'text-good'
        : 'text-warn'
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
            <span className={tone}>{change}</span>
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
  const write = (field: PolicyField, side: MaskPolicy): string | undefined => {
    const value = side[field.key]
    if (typeof value === 'boolean') return policy(value ? 'mark.on' : 'mark.off')
    return typeof value === 'number' ? format.number(value) : undefined
  }
  return fields.map((field) => {
    const label = policy(`labels.${field.key}`)
    const [before, after] = [write(field, a.policy), write(field, b.policy)]
    if (before === undefined || after === undefined) return t('changeOther', { label })
    return t('change', { label, a: before, b: after })
  })
}

/** Results beyond this number are counted but not listed. */
const MOST_LISTED = 400

/** Number and list of results for which A and B decide differently. Choosing one selects it everywhere. */
function DifferingResults({
  differing,
}: {
  readonly differing: readonly DifferingResult[] | undefined
}) {
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

interface ListProps {
  readonly differing: readonly DifferingResult[]
  readonly conversation: Conversation
  readonly onChosen: () => void
}

function List({ differing, conversation, onChosen }: ListProps) {
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
                        {t(a.action === 'mask' ? 'masked' : 'kept')} →{' '}
                        <strong className="font-medium">
                          {t(b.action === 'mask' ? 'masked' : 'kept')}
                        </strong>
                      </>
                    )}
                  </span>
                </span>
                {!isTextOnly && (
                  <span className="mt-0.5 block text-soft text-sm">
                    {[`A: ${why(a, 'a')}`, `B: ${why(b, 'b')}`].map((line) => (
                      <span key={line} className="block">
                        {line}
                      </span>
                    ))}
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
