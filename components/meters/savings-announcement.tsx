import { useFormatter, useTranslations } from 'use-intl'
import type { BeforeAfter } from '@/lib/core/mask/measure-request'
import { replayOf } from '@/lib/state/savings'
import { measureOf } from '@/lib/state/selectors'
import { usePlaygroundState } from '../playground-context'
import { Announcement } from './announcement'
import { useMoneyFormat } from './use-money-format'

/** The figures in one sentence, for screen readers. */
export function SavingsAnnouncement() {
  const t = useTranslations('meters')
  const format = useFormatter()
  const formatMoney = useMoneyFormat()
  const measure = usePlaygroundState(measureOf)
  const replay = usePlaygroundState(replayOf)
  if (measure === undefined) return <Announcement sentence="" />
  const next = t('announce', {
    after: format.number(measure.tokens.after),
    before: format.number(measure.tokens.before),
    change: tokenNote(measure.tokens),
    masked: format.number(measure.maskedResults),
    results: format.number(measure.results),
  })
  const cached = replay && [replay.after.costs.cached, replay.before.costs.cached]
  const session =
    cached === undefined || cached.includes(undefined)
      ? ''
      : t('announceSession', {
          after: formatMoney(cached[0], cached[1]),
          before: formatMoney(cached[1], cached[0]),
        })
  return <Announcement sentence={`${next} ${session}`.trim()} />

  function tokenNote({ before, after }: BeforeAfter): string {
    if (after === before) return t('sameTokens')
    return after < before
      ? t('fewerTokens', { n: before - after })
      : t('moreTokens', { n: after - before })
  }
}
