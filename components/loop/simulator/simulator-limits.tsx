'use client'

import { useTranslations } from 'use-intl'
import { DEFAULT_LIMITS, type LoopLimits } from '@/lib/core/loop/tool-call-manager'
import { NumberField } from '../../numbers/number-field'
import { Button } from '../../ui/button'
import { Collapsible } from '../../ui/collapsible'
import { useSimulator, useSimulatorState } from '../loop-tools'

/** Unit of a field in the limits, and its bounds. */
const FIELDS: readonly {
  readonly key: keyof LoopLimits
  readonly unit: number
  readonly minimum: number
  readonly maximum: number
}[] = [
  { key: 'callsPerBatch', unit: 1, minimum: 0, maximum: 1000 },
  { key: 'idWindow', unit: 1000, minimum: 0, maximum: 86_400 },
  { key: 'signatureWindow', unit: 1000, minimum: 0, maximum: 86_400 },
  { key: 'timeout', unit: 1000, minimum: 1, maximum: 3600 },
  { key: 'retries', unit: 1, minimum: 0, maximum: 10 },
  { key: 'callsPerSession', unit: 1, minimum: 1, maximum: 100_000 },
  { key: 'historyEntries', unit: 1, minimum: 1, maximum: 10_000 },
]

/** Limits of the guards, applied from the next batch on. */
export function SimulatorLimits() {
  const t = useTranslations('simulator.limits')
  const simulator = useSimulator()
  const limits = useSimulatorState((state) => state.limits)
  const hasRun = useSimulatorState(({ batches }) => batches.length > 0)
  const isDefault = FIELDS.every(({ key }) => limits[key] === DEFAULT_LIMITS[key])
  return (
    <Collapsible label={t('title')}>
      <div className="flex flex-col gap-1 pt-1 [&_label]:font-normal">
        {FIELDS.map(({ key, unit, minimum, maximum }) => (
          <NumberField
            key={key}
            label={t(key)}
            unit={unit === 1 ? '' : t('seconds')}
            value={limits[key] / unit}
            minimum={minimum}
            maximum={maximum}
            onValueChange={(value) => simulator.changeLimits({ [key]: value * unit })}
          />
        ))}
        <p className="text-soft text-sm">{t('historyHint', { count: limits.historyEntries })}</p>
        {hasRun && <p className="text-soft text-sm">{t('nextBatch')}</p>}
        {!isDefault && (
          <div className="text-sm">
            <Button kind="link" onClick={() => simulator.changeLimits(DEFAULT_LIMITS)}>
              {t('reset')}
            </Button>
          </div>
        )}
      </div>
    </Collapsible>
  )
}
