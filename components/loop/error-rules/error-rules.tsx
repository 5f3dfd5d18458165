'use client'

import { useState } from 'react'
import { useTranslations } from 'use-intl'
import type { ErrorMark } from '@/lib/core/policy/decide'
import { costTermsOf } from '@/lib/state/costs/cost-terms'
import { errorLabOf } from '@/lib/state/policy/error-lab'
import { useDeferredState, usePlaygroundState } from '../../playground-context'
import { useFigureFormat } from '../../use-figure-format'
import { MarkedResults } from './marked-results'
import { RuleTable } from './rule-table'

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
