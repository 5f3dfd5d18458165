'use client'

import { useState } from 'react'
import { useTranslations } from 'use-intl'
import type { BrokenCall } from '@/lib/core/repair/repair-document'
import { countOutcomes, OUTCOME_KINDS, outcomeOf, type RepairOutcomeKind } from '@/lib/state/repair'
import { usePlayground } from '../playground-context'
import { Button } from '../ui/button'
import { SegmentedControl } from '../ui/segmented-control'
import { RepairOutcome } from './repair-outcome'
import { SchemaCheck } from './schema-check'

const CALLS_AT_ONCE = 20

/** Every broken call or those that ended in one way, twenty at a time. */
export function RepairList({ calls }: { readonly calls: readonly BrokenCall[] }) {
  const t = useTranslations('repair')
  const [limit, setLimit] = useState(CALLS_AT_ONCE)
  const [kind, setKind] = useState<RepairOutcomeKind | 'all'>('all')
  const counts = countOutcomes(calls)
  // What is chosen may have none left when the limits change.
  const chosen = kind !== 'all' && counts.has(kind) ? kind : 'all'
  const wanted = chosen === 'all' ? calls : calls.filter((call) => outcomeOf(call) === chosen)
  const left = wanted.length - limit
  return (
    <>
      {counts.size > 1 && (
        <div className="mt-3 overflow-x-auto">
          <SegmentedControl
            label={t('filter.label')}
            kind="quiet"
            value={chosen}
            options={(['all', ...OUTCOME_KINDS] as const).flatMap((value) => {
              const count = value === 'all' ? calls.length : counts.get(value)
              return count === undefined ? [] : [{ value, label: t(`filter.${value}`, { count }) }]
            })}
            onValueChange={(value) => {
              setKind(value)
              setLimit(CALLS_AT_ONCE)
            }}
          />
        </div>
      )}
      <ol aria-label={t('list')} className="mt-1 flex flex-col divide-y divide-line">
        {wanted.slice(0, limit).map((call) => (
          <li key={call.place.start} className="py-3">
            <CallHeading call={call} />
            <RepairOutcome before={call.before} result={call.result} />
            {call.check !== undefined && <SchemaCheck check={call.check} />}
          </li>
        ))}
      </ol>
      {left > 0 && (
        <Button size="small" onClick={() => setLimit(limit + CALLS_AT_ONCE)}>
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
