'use client'

import { useTranslations } from 'use-intl'
import type { RepairMetrics } from '@/lib/core/repair/repair-metrics'
import { usePlayground, usePlaygroundState } from '../playground-context'
import { Button } from '../ui/button'

const LIMIT_OF = { too_many_attempts: 'attempts', out_of_time: 'milliseconds' } as const

/** That a limit was reached before the last call, and the way past it. */
export function BreakerNotice({ metrics }: { readonly metrics: RepairMetrics }) {
  const t = useTranslations('repair.breaker')
  const { actions } = usePlayground()
  const bounds = usePlaygroundState(({ repairBounds }) => repairBounds)
  return metrics.failures.map(({ failure, calls }) => {
    if (failure !== 'too_many_attempts' && failure !== 'out_of_time') return null
    const limit = bounds[LIMIT_OF[failure]]
    return (
      <p key={failure} className="mt-2 text-warn tabular-nums">
        {t(failure, { limit, calls })}{' '}
        <Button
          kind="link"
          onClick={() => actions.setRepairBounds({ [LIMIT_OF[failure]]: limit * 10 })}
        >
          {t('more', { limit: limit * 10 })}
        </Button>
      </p>
    )
  })
}
