import type { MaskPolicy } from '@/lib/core/policy/policy'
import { chargeIfMasked } from '@/lib/core/replay/charged/charge'
import type { Replay } from '@/lib/core/replay/replay'
import type { ChargedFacts } from '@/lib/core/report/report-facts'
import type { ReportTexts } from './report-sentences'

/** What was charged, what it would have been, and the replay's costs; undefined if no cost is known to have been charged. */
export function chargedSentence(
  { t, format }: Pick<ReportTexts, 't' | 'format'>,
  charged: Pick<ChargedFacts, 'charge' | 'fileCost' | 'conversations'> | undefined,
  replayed: Pick<Replay, 'before' | 'after'>,
  { enabled, windowTurns }: Pick<MaskPolicy, 'enabled' | 'windowTurns'>,
): string | undefined {
  const cost = charged?.charge.inputCost
  if (charged === undefined || cost === undefined) return undefined
  const { conversations } = charged
  const masked = chargeIfMasked(charged.charge, replayed)
  const all = charged.fileCost === undefined ? 'none' : format.money(charged.fileCost)
  const [from, to] = [replayed.before.costs.cached, replayed.after.costs.cached]
  const values = { all, conversations, before: format.money(from, to) }
  if (masked === undefined || replayed.after.tokens === replayed.before.tokens)
    return t(enabled && windowTurns > 0 ? 'charged.same' : 'charged.off', {
      ...values,
      cost: format.money(cost),
    })
  return t('charged.masked', {
    ...values,
    after: format.money(to, from),
    cost: format.money(cost, masked),
    masked: format.money(masked, cost),
    change: format.change(cost, masked),
  })
}
