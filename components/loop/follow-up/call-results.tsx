'use client'

import { useState } from 'react'
import { useTranslations } from 'use-intl'
import type { FollowUpCall } from '@/lib/core/loop/follow-up'
import { ownResultsOf } from '@/lib/state/loop-follow-up'
import { Button } from '../../ui/button'
import { useFollowUpState } from '../loop-tools'
import { CallResult } from './call-result'

/** A turn rarely has more; what is more is asked for. */
const CALLS_AT_ONCE = 20

/** The calls of the turn that is answered, each with the result it is sent with. */
export function CallResults({ calls }: { readonly calls: readonly FollowUpCall[] }) {
  const t = useTranslations('followUp.results')
  const own = useFollowUpState((page, { inputs }) => ownResultsOf(page, inputs))
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
          <CallResult key={call.id} call={call} number={index + 1} own={own.get(call.id)} />
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
