import { ArrowLeftRight, X } from 'lucide-react'
import { knownRuleOf } from '@/lib/state/costs/cost-terms'
import { type Comparison, comparisonOf } from '@/lib/state/policy/offered-policies'
import { TONES, toneOf } from '../meters/figure'
import { conversationKeyOf, useDeferredState, useShownOf, useView } from '../playground-context'
import { useSteps } from '../timeline/legend-steps'
import { Button } from '../ui/button'
import { IconButton } from '../ui/tooltip'

/** Compares policies A and B while A is pinned: changed settings, tokens, cost and decisions. */
export function ComparisonStrip() {
  const comparison = useDeferredState(comparisonOf)
  return comparison === undefined ? null : <Strip comparison={comparison} />
}

function Strip({ comparison }: { readonly comparison: Comparison }) {
  const { t, format, actions } = useView('share.compare')
  const changes = useFieldChanges(comparison)
  const { differing, ...sides } = comparison
  const cached = t(useDeferredState(knownRuleOf) === 'unknown' ? 'cachedUnknown' : 'cached')
  const tokens = (n: number) => t('tokens', { n: format.number(n) })
  const shortTokens = (n: number) => t('tokens', { n: format.shortNumber(n) })
  return (
    <section
      aria-label={t('label')}
      className="flex flex-wrap items-center gap-x-6 gap-y-2 border-t bg-accent-tint/40 px-6 py-2 max-lg:px-4"
    >
      <p className="min-w-48 flex-1">
        <Letter>A</Letter> → <Letter>B</Letter>{' '}
        <span className="text-soft">{changes.length === 0 ? t('same') : changes.join(' · ')}</span>
      </p>
      <dl className="flex flex-wrap gap-x-6 gap-y-1 max-[90rem]:order-last max-[90rem]:basis-full">
        <Pair {...sides} title={t('request')} of={(s) => s.measure?.tokens.after} write={tokens} />
        <Pair {...sides} title={t('session')} of={(s) => s.session?.tokens} write={shortTokens} />
        <Pair {...sides} title={cached} of={(s) => s.session?.costs.cached} write={format.money} />
        <Pair {...sides} title={t('forgotten')} of={(s) => s.forgotten} write={format.number} />
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

type Side = Comparison['a' | 'b']

/** A is before, B is after. While new values are computed, the last ones stay visible but faint. */
function Pair(props: {
  readonly a: Side
  readonly b: Side
  readonly title: string
  readonly of: (side: Side) => number | undefined
  readonly write: (value: number, beside: number) => string
}) {
  const { a, b, title, of, write } = props
  const [before, after] = [of(a), of(b)]
  const values = before === undefined || after === undefined ? undefined : { before, after }
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
  const { t: policy } = useView('policy')
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

/** The number of results that A and B decide differently; a press goes to the next of them, with Shift to the previous one. */
function DifferingResults({ differing }: Pick<Comparison, 'differing'>) {
  const { t } = useView('share.compare')
  const { t: timeline } = useView('timeline')
  const { stepResults } = useSteps()
  if (differing === undefined) return null
  const label = t('differing', { n: differing.length })
  return (
    <Button
      size="small"
      title={timeline('legendStep', { label })}
      disabled={differing.length === 0}
      onClick={({ shiftKey }) => stepResults(differing, shiftKey)}
    >
      {label}
    </Button>
  )
}
