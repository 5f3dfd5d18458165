'use client'

import { useState } from 'react'
import { useTranslations } from 'use-intl'
import type { BrokenCall } from '@/lib/core/repair/repair-document'
import { usePlayground } from '../playground-context'
import { Button } from '../ui/button'
import { RepairOutcome } from './repair-outcome'
import { SchemaCheck } from './schema-check'

const CALLS_AT_ONCE = 20

/** Every broken call, twenty at a time. */
export function RepairList({ calls }: { readonly calls: readonly BrokenCall[] }) {
  const t = useTranslations('repair')
  const [shown, setShown] = useState(CALLS_AT_ONCE)
  const left = calls.length - shown
  return (
    <>
      <ol aria-label={t('list')} className="mt-3 flex flex-col divide-y divide-line">
        {calls.slice(0, shown).map((call) => (
          <li key={call.place.start} className="py-3">
            <CallHeading call={call} />
            <RepairOutcome before={call.before} result={call.result} />
            {call.check !== undefined && <SchemaCheck check={call.check} />}
          </li>
        ))}
      </ol>
      {left > 0 && (
        <Button size="small" onClick={() => setShown(shown + CALLS_AT_ONCE)}>
          {t('more', { count: Math.min(left, CALLS_AT_ONCE) })}
        </Button>
      )}
    </>
  )
}

function CallHeading({ call }: { readonly call: BrokenCall }) {
  const t = useTranslations('repair')
  const { store, actions } = usePlayground()
  const name = call.name ?? t('noName')
  // People count messages from 1.
  const message = call.message + 1
  const show = () => {
    if (store.getState().conversation !== call.conversation) {
      actions.chooseConversation(call.conversation)
    }
    actions.select(call.message, undefined, 'page')
    actions.setRepairOpen(false)
  }
  return (
    <h3 className="flex flex-wrap items-baseline gap-x-2">
      <strong className="break-all font-medium font-mono text-sm">{name}</strong>
      <span className="text-sm text-soft tabular-nums">{t('message', { message })}</span>
      <span className="ml-auto text-sm">
        <Button kind="link" aria-label={t('showNamed', { name, message })} onClick={show}>
          {t('show')}
        </Button>
      </span>
    </h3>
  )
}
