import { useFormatter, useTranslations } from 'use-intl'
import type { MaskPolicy } from '@/lib/core/policy/policy'
import type { PolicyField } from '@/lib/core/policy/policy-fields'
import type { Comparison } from '@/lib/state/comparison'

/** Each setting that differs between A and B, short: `Window 8 → 3`. */
export function useFieldChanges({ fields, a, b }: Comparison): readonly string[] {
  const t = useTranslations('share.compare')
  const policy = useTranslations('policy')
  const format = useFormatter()
  const write = (field: PolicyField, side: MaskPolicy): string | undefined => {
    const value = side[field.key]
    if (typeof value === 'boolean') return policy(value ? 'mark.on' : 'mark.off')
    return typeof value === 'number' ? format.number(value) : undefined
  }
  return fields.map((field) => {
    const label = policy(`labels.${field.key}`)
    const [before, after] = [write(field, a.policy), write(field, b.policy)]
    if (before === undefined || after === undefined) return t('changeOther', { label })
    return t('change', { label, a: before, b: after })
  })
}
