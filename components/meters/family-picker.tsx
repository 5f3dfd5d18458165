import { useTranslations } from 'use-intl'
import { MODEL_FAMILIES, type ModelFamily } from '@/lib/core/tokens/models'
import { usePlayground, usePlaygroundState } from '../playground-context'
import { Select } from '../ui/select'

/** Which model family tokens are counted for; those counted exactly stand first. */
export function FamilyPicker() {
  const t = useTranslations('meters.family')
  const { actions } = usePlayground()
  const family = usePlaygroundState((state) => state.family)
  const option = ({ id, label, encoding, isExact }: ModelFamily) => ({
    value: id,
    label,
    description: t(isExact ? 'exactNote' : 'estimateNote', { encoding }),
  })
  return (
    <Select
      label={t('label')}
      kind="ghost"
      value={family}
      onValueChange={actions.chooseFamily}
      groups={[
        {
          label: t('exact'),
          options: MODEL_FAMILIES.filter(({ isExact }) => isExact).map(option),
        },
        {
          label: t('estimate'),
          options: MODEL_FAMILIES.filter(({ isExact }) => !isExact).map(option),
        },
      ]}
    />
  )
}
