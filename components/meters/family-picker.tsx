import { useTranslations } from 'use-intl'
import { MODEL_FAMILIES, type ModelFamily } from '@/lib/core/tokens/models'
import { familyOf, MODEL_OF_OLD_LINK } from '@/lib/state/models'
import { usePlayground, usePlaygroundState } from '../playground-context'
import { Select } from '../ui/select'

/** Which model family tokens are counted for; those counted exactly stand first. */
export function FamilyPicker() {
  const t = useTranslations('meters.family')
  const { actions } = usePlayground()
  const family = usePlaygroundState((state) => familyOf(state).id)
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
      onValueChange={(id) => actions.chooseModel(MODEL_OF_OLD_LINK[id] ?? id)}
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
