'use client'

import { useTranslations } from 'use-intl'
import { usePlayground, usePlaygroundState } from '../playground-context'
import { NumberField } from '../ui/number-field'

const MOST_ATTEMPTS = 1_000_000
const MOST_MILLISECONDS = 600_000

/** What the repair of one document may take; it is done anew when one changes. */
export function RepairLimitsFields() {
  const t = useTranslations('repair.limits')
  const { actions } = usePlayground()
  const { attempts, milliseconds } = usePlaygroundState(({ repairBounds }) => repairBounds)
  return (
    <div className="mt-3 flex max-w-xl flex-col gap-1">
      <NumberField
        label={t('attempts')}
        description={t('attemptsNote')}
        value={attempts}
        minimum={1}
        maximum={MOST_ATTEMPTS}
        width="wide"
        onValueChange={(next) => actions.setRepairBounds({ attempts: next })}
      />
      <NumberField
        label={t('milliseconds')}
        unit={t('unit')}
        value={milliseconds}
        minimum={1}
        maximum={MOST_MILLISECONDS}
        width="wide"
        onValueChange={(next) => actions.setRepairBounds({ milliseconds: next })}
      />
    </div>
  )
}
