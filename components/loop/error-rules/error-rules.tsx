'use client'

import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { OPTIONAL_ERROR_RULES } from '@/lib/core/conversation/conversation'
import type { ErrorMark } from '@/lib/core/policy/decide'
import { type RuleEffect, withMark } from '@/lib/core/results/rule-effects'
import { costTermsOf } from '@/lib/state/costs/cost-terms'
import { errorLabOf } from '@/lib/state/policy/error-lab'
import { useDeferredState, usePlayground, usePlaygroundState } from '../../playground-context'
import { CheckboxField } from '../../ui/switch-field'
import { useFigureFormat } from '../../use-figure-format'
import { MarkedResults } from './marked-results'

/** The error rules with what each keeps, and the results that they match. */
export function ErrorRules() {
  const t = useTranslations('errorLab')
  const format = useFigureFormat()
  const lab = useDeferredState(errorLabOf)
  const isOn = usePlaygroundState(({ policy }) => policy.keepErrors)
  const price = useDeferredState(costTermsOf)?.prices.input?.price.base
  const [shown, setShown] = useState<ErrorMark | 'all'>('all')
  if (lab === undefined) return <p className="text-soft">{t('empty')}</p>
  if (lab.results.length === 0) return <p className="text-soft">{t('nothing')}</p>
  const { keptTokens: tokens } = lab
  const cost =
    tokens === undefined || price === undefined ? 'none' : format.money((tokens * price) / 1e6)
  const kept = lab.results.filter(({ isKept }) => isKept).length
  return (
    <div className="min-h-0 flex-1 overflow-y-auto pb-4 xl:flex xl:gap-8">
      <div className="shrink-0 xl:w-112">
        <p className="mb-2 text-sm">
          {isOn
            ? t('kept', {
                kept,
                tokens: tokens === undefined || kept === 0 ? 'none' : format.number(tokens),
                cost,
              })
            : t('off')}
        </p>
        <RuleTable effects={lab.effects} price={price} />
      </div>
      <MarkedResults results={lab.results} shown={shown} onShow={setShown} />
    </div>
  )
}

const OPTIONAL: readonly ErrorMark[] = OPTIONAL_ERROR_RULES

interface RuleTableProps {
  readonly effects: readonly RuleEffect[]
  /** Dollars per million tokens of input; undefined if unknown. */
  readonly price: number | undefined
}

/** Each rule with its switch, its matches, and what a switch would change before it is made. */
function RuleTable({ effects, price }: RuleTableProps) {
  const t = useTranslations('errorLab')
  return (
    <table className="w-full text-sm tabular-nums" aria-label={t('rules')}>
      <thead className="text-left text-soft">
        <tr>
          <th className="font-medium">{t('rule')}</th>
          <th className="pl-3 text-right font-medium">{t('matches')}</th>
          <th className="pl-3 text-right font-medium">{t('effect')}</th>
        </tr>
      </thead>
      <tbody>
        {effects.map((effect) => (
          <RuleRow key={effect.mark} effect={effect} price={price} />
        ))}
      </tbody>
    </table>
  )
}

function RuleRow(props: { readonly effect: RuleEffect; readonly price: number | undefined }) {
  const {
    effect: { mark, isOn, matches, changed, tokens },
    price,
  } = props
  const t = useTranslations('errorLab')
  const names = useTranslations('results.rules')
  const { actions, store } = usePlayground()
  const format = useFigureFormat()
  const amount = tokens === undefined ? undefined : Math.abs(tokens)
  const shown = format.number(amount)
  return (
    <tr className="border-line border-t align-top pointer-coarse:align-middle">
      <td>
        <CheckboxField
          label={
            <>
              {names(mark)}{' '}
              {OPTIONAL.includes(mark) && <span className="text-soft">{t('optional')}</span>}
            </>
          }
          isChecked={isOn}
          onChange={(next) => actions.changePolicy(withMark(store.getState().policy, mark, next))}
        />
      </td>
      <td className="py-1 pl-3 text-right">{format.number(matches)}</td>
      <td className="py-1 pl-3 text-right text-soft">
        {t(isOn ? 'frees' : 'keeps', { count: changed.length })}
        {changed.length > 0 && (
          <span className="block whitespace-nowrap">
            {t(isOn ? 'saves' : 'adds', { tokens: shown })}
            {amount !== undefined && price !== undefined && (
              <> · {format.money((amount * price) / 1e6)}</>
            )}
          </span>
        )}
      </td>
    </tr>
  )
}
