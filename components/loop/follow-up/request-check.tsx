import { useTranslations } from 'use-intl'
import { REQUEST_RULES, type RequestRule } from '@/lib/core/loop/check-request'
import type { BuiltFollowUp } from '@/lib/worker/protocol'

/** What providers would say of the request before any model sees it. */
export function RequestCheck({ built }: { readonly built: BuiltFollowUp }) {
  const t = useTranslations('followUp.check')
  const counts = new Map<RequestRule, number>()
  for (const { rule } of built.complaints) counts.set(rule, (counts.get(rule) ?? 0) + 1)
  if (counts.size === 0) return <p className="text-good text-sm">{t('good')}</p>
  return (['all', 'some'] as const).map((who) => {
    const rules = [...counts].filter(([rule]) => REQUEST_RULES[rule] === who)
    if (rules.length === 0) return null
    return (
      <p key={who} className={`text-sm ${who === 'all' ? 'text-bad' : 'text-warn'}`}>
        {t(who)} {rules.map(([rule, count]) => t(`rules.${rule}`, { count })).join(' ')}
      </p>
    )
  })
}
