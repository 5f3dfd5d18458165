'use client'

import { useState } from 'react'
import { useTranslations } from 'use-intl'
import type { Loss } from '@/lib/core/convert/loss'
import type { UnansweredCall } from '@/lib/core/loop/next-request'
import {
  customResultsOf,
  isNextRequestCurrent,
  nextRequestOf,
} from '@/lib/state/loop/next-request-builder'
import { usePlaygroundState } from '../../playground-context'
import { Button } from '../../ui/button'
import { Collapsible } from '../../ui/collapsible'
import { useNextRequestState, useWatchNextRequest } from '../loop-tools'
import { CallResult } from './call-result'
import { RequestFields } from './request-fields'
import { RequestPreview } from './request-preview'

/** Builds the request after the last tool calls of the conversation shown. Inputs are beside the output. */
export function NextRequest() {
  const t = useTranslations('nextRequest')
  useWatchNextRequest()
  const hasDocument = usePlaygroundState(({ read }) => read !== undefined)
  const count = usePlaygroundState(({ read }) => read?.model.conversations.length ?? 0)
  const at = usePlaygroundState(({ conversation }) => conversation)
  const built = useNextRequestState(nextRequestOf)
  const isCurrent = useNextRequestState(isNextRequestCurrent)
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

/** Number of calls shown before “Show more”. */
const CALLS_AT_ONCE = 20

/** The calls of the answered turn, each with the result to send. */
function CallResults({ calls }: { calls: readonly UnansweredCall[] }) {
  const t = useTranslations('nextRequest.results')
  const custom = useNextRequestState((page, { inputs }) => customResultsOf(page, inputs))
  const [most, setMost] = useState(CALLS_AT_ONCE)
  const pending = calls.filter(({ recorded }) => recorded === undefined).length
  return (
    <section>
      <h3 className="font-medium">{t('title')}</h3>
      <p className="text-soft text-sm">
        {t(pending === 0 ? 'answered' : 'pending', { pending, calls: calls.length })}
      </p>
      <ol className="mt-2 flex flex-col gap-3">
        {calls.slice(0, most).map((call, index) => (
          <CallResult key={call.id} call={call} number={index + 1} custom={custom.get(call.id)} />
        ))}
      </ol>
      {calls.length > most && (
        <Button size="small" className="mt-2" onClick={() => setMost(most + CALLS_AT_ONCE)}>
          {t('more', { count: Math.min(CALLS_AT_ONCE, calls.length - most) })}
        </Button>
      )}
    </section>
  )
}

/** Content of the conversation that a chat completions request cannot hold. Renders nothing if there is none. */
function Losses({ lost }: { lost: readonly Loss[] }) {
  const t = useTranslations('nextRequest.lost')
  const tLoss = useTranslations('losses')
  if (lost.length === 0) return null
  return (
    <Collapsible label={t('title')} trailing={t('count', { count: lost.length })}>
      <ul className="mt-1 list-disc space-y-1 pl-5 text-soft marker:text-faint">
        {lost.map(({ kind, count }) => (
          <li key={kind}>{tLoss(kind, { count })}</li>
        ))}
      </ul>
    </Collapsible>
  )
}
