import { useTranslations } from 'use-intl'
import type { BeforeAfter } from '@/lib/core/mask/measure-request'
import { toneOf } from './change-tone'
import { FigureLine } from './figure'
import { useChangeFormat } from './use-change-format'

export interface ChangeLineProps {
  readonly change: BeforeAfter | undefined
  readonly format: (value: number, beside: number) => string
  readonly unit?: string
}

/** From before to after with the percent between; growth is said as growth, the unknown is a dash. */
export function ChangeLine({ change, format, unit }: ChangeLineProps) {
  const t = useTranslations('meters')
  const formatChange = useChangeFormat()
  const dash = t('unknown')
  const before = change === undefined ? dash : format(change.before, change.after)
  const after = change === undefined ? dash : format(change.after, change.before)
  const isOther = change !== undefined && change.after !== change.before
  return (
    <FigureLine
      lead={change && before}
      value={after}
      widest={change && (change.before > change.after ? before : after)}
      change={isOther ? formatChange(change) : undefined}
      tone={toneOf(change)}
      spoken={`${t('before', { value: before })} ${t('after', { value: after })}`}
      {...(unit === undefined ? {} : { unit })}
    />
  )
}
