'use client'

import { useTranslations } from 'use-intl'
import { followUpOf, isFollowUpCurrent } from '@/lib/state/loop-follow-up'
import { usePlaygroundState } from '../../playground-context'
import { useFollowUpState, useWatchFollowUp } from '../loop-tools'
import { CallResults } from './call-results'
import { Losses } from './losses'
import { RequestFields } from './request-fields'
import { RequestPreview } from './request-preview'

/** Builds the request that follows the last tool calls of the conversation shown: what goes in beside what comes out. */
export function FollowUp() {
  const t = useTranslations('followUp')
  useWatchFollowUp()
  const hasDocument = usePlaygroundState(({ read }) => read !== undefined)
  const count = usePlaygroundState(({ read }) => read?.model.conversations.length ?? 0)
  const at = usePlaygroundState(({ conversation }) => conversation)
  const built = useFollowUpState(followUpOf)
  const isCurrent = useFollowUpState(isFollowUpCurrent)
  if (!hasDocument) return <p className="text-soft">{t('empty')}</p>
  if (built === undefined) {
    return <p className="max-w-prose text-soft">{t(isCurrent ? 'noTurn' : 'working')}</p>
  }
  return (
    <div className="flex min-h-0 flex-1 gap-x-6 gap-y-5 max-lg:flex-col">
      <section
        aria-label={t('request.title')}
        className="flex min-h-0 flex-col gap-4 pb-5 lg:w-2/5 lg:min-w-90 lg:overflow-y-auto lg:pr-3"
      >
        {count > 1 && (
          <p className="text-soft text-sm">{t('conversation', { number: at + 1, count })}</p>
        )}
        <CallResults calls={built.calls} />
        <RequestFields history={built.history} />
        <Losses lost={built.lost} />
      </section>
      <RequestPreview built={built} isCurrent={isCurrent} />
    </div>
  )
}
