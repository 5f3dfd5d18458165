'use client'

import { ArrowLeftRight, X } from 'lucide-react'
import { useTranslations } from 'use-intl'
import type { BeforeAfter } from '@/lib/core/mask/measure-request'
import type { MaskPolicy } from '@/lib/core/policy/policy'
import type { PolicyField } from '@/lib/core/policy/policy-fields'
import { knownRuleOf } from '@/lib/state/costs/cost-terms'
import { type Comparison, comparisonOf } from '@/lib/state/policy/comparison'
import {
  conversationKeyOf,
  useDeferredState,
  usePlayground,
  useShownOf,
} from '../playground-context'
import { IconButton } from '../ui/icon-button'
import { useFigureFormat } from '../use-figure-format'
import { DifferingResults } from './differing-results'

/** Compares policies A and B while A is pinned: changed settings, tokens, cost and decisions. */
export function ComparisonStrip() {
  const comparison = useDeferredState(comparisonOf)
  return comparison === undefined ? null : <Strip comparison={comparison} />
}

function Strip({ comparison }: { readonly comparison: Comparison }) {
  const t = useTranslations('share.compare')
  const format = useFigureFormat()
  const { actions } = usePlayground()
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
        <IconButton label={t('swap')} onClick={actions.swapPinned}>
          <ArrowLeftRight aria-hidden />
        </IconButton>
        <IconButton label={t('end')} onClick={() => actions.pin(undefined)}>
          <X aria-hidden />
        </IconButton>
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
  const t = useTranslations('share.compare')
  const format = useFigureFormat()
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
  const t = useTranslations('share.compare')
  const policy = useTranslations('policy')
  const format = useFigureFormat()
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
