import { useTranslations } from 'use-intl'
import { type IntegerField, policyField } from '@/lib/core/policy/policy-fields'
import { usePlayground, usePlaygroundState } from '../playground-context'
import { SegmentedControl } from '../ui/segmented-control'
import { IntegerControl } from './generic-field'

const CHOICES = [1, 4, 8, 16, 32]

/** The step the window moves by. */
export function BatchField() {
  const t = useTranslations('policy')
  const { actions } = usePlayground()
  const batchTurns = usePlaygroundState(({ policy }) => policy.batchTurns)
  return (
    <div>
      <IntegerControl field={policyField('batchTurns') as IntegerField} />
      <div className="my-1.5 *:w-full">
        <SegmentedControl
          label={t('batch.choices')}
          kind="quiet"
          value={CHOICES.includes(batchTurns) ? String(batchTurns) : undefined}
          options={CHOICES.map((n) => ({
            value: String(n),
            label: n,
            name: t('batch.choice', { n }),
          }))}
          onValueChange={(next) => actions.changePolicy({ batchTurns: Number(next) })}
        />
      </div>
      <p className="text-soft text-sm">{t('batch.why')}</p>
    </div>
  )
}
