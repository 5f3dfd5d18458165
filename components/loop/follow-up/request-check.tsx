'use client'

import { useFormatter, useTranslations } from 'use-intl'
import { REQUEST_RULES, type RequestRule } from '@/lib/core/loop/check-request'
import type { BuiltFollowUp } from '@/lib/state/loop-follow-up'
import { repairOf } from '@/lib/state/repair'
import { usePlayground, usePlaygroundState } from '../../playground-context'
import { Button } from '../../ui/button'
import { useFollowUp } from '../loop-tools'

/** What providers would say of the request before any model sees it, and the way out where there is one. */
export function RequestCheck({ built }: { readonly built: BuiltFollowUp }) {
  const t = useTranslations('followUp.check')
  const format = useFormatter()
  const { actions } = usePlayground()
  const followUp = useFollowUp()
  // A text in place of arguments is no JSON that could be repaired.
  const canRepair = usePlaygroundState((state) => (repairOf(state)?.calls.length ?? 0) > 0)
  const counts = new Map<RequestRule, number>()
  for (const { rule } of built.complaints) counts.set(rule, (counts.get(rule) ?? 0) + 1)
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
          <Button kind="link" onClick={() => followUp.setLeavesOutTools(true)}>
            {t('leaveOut')}
          </Button>
        )}{' '}
        {canRepair && broken.includes('broken_arguments') && (
          <Button kind="link" onClick={() => actions.setRepairOpen(true)}>
            {t('repair')}
          </Button>
        )}
      </p>
    )
  })
}
