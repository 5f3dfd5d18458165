'use client'

import { useFormatter, useTranslations } from 'use-intl'
import { REQUEST_RULES, type RequestRule } from '@/lib/core/loop/check-request'
import type { BuiltNextRequest } from '@/lib/state/loop/next-request-builder'
import { repairOf } from '@/lib/state/repair/document-repair'
import { useOpenLoopPart } from '../../drawer/use-open-drawer'
import { usePlaygroundState } from '../../playground-context'
import { Button } from '../../ui/button'
import { useNextRequest } from '../loop-tools'

/** Rules of providers that the request breaks, with a fix if there is one. */
export function RequestCheck({ built }: { readonly built: BuiltNextRequest }) {
  const t = useTranslations('nextRequest.check')
  const format = useFormatter()
  const openPart = useOpenLoopPart()
  const nextRequest = useNextRequest()
  // Arguments that are not strings cannot be repaired as JSON text.
  const canRepair = usePlaygroundState((state) => (repairOf(state)?.calls.length ?? 0) > 0)
  const counts = new Map<RequestRule, number>()
  for (const { rule } of built.problems) counts.set(rule, (counts.get(rule) ?? 0) + 1)
  if (counts.size === 0) return <p className="text-good text-sm">{t('good')}</p>
  return (['all', 'some'] as const).map((who) => {
    const rules = [...counts].filter(([rule]) => REQUEST_RULES[rule] === who)
    if (rules.length === 0) return null
    const reasons = rules.map(([rule, count]) => t(`rules.${rule}`, { count }))
    const broken = rules.map(([rule]) => rule)
    return (
      <p key={who} className={`text-sm ${who === 'all' ? 'text-bad' : 'text-warn'}`}>
        {t(who, { reasons: format.list(reasons) })}{' '}
        {broken.includes('empty_tools') && (
          <Button kind="link" onClick={() => nextRequest.change({ isWithoutTools: true })}>
            {t('leaveOut')}
          </Button>
        )}{' '}
        {canRepair && broken.includes('broken_arguments') && (
          <Button kind="link" onClick={() => openPart('arguments')}>
            {t('repair')}
          </Button>
        )}
      </p>
    )
  })
}
