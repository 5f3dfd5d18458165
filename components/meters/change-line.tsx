import { useTranslations } from 'use-intl'
import type { BeforeAfter } from '@/lib/core/mask/measure-request'
import { useFigureFormat } from '../use-figure-format'
import { toneOf } from './change-tone'
import { FigureLine } from './figure'

export interface ChangeLineProps {
  readonly change: BeforeAfter | undefined
  readonly format: (value: number, beside: number) => string
  readonly unit?: string
  /** True for the one figure that decides; the others are smaller and have no colour. */
  readonly isMain?: boolean
}

/** Values before and after with the change in percent; a dash if unknown. */
export function ChangeLine({ change, format, unit, isMain = false }: ChangeLineProps) {
  const t = useTranslations('meters')
  const figures = useFigureFormat()
  const dash = t('unknown')
  const before = change === undefined ? dash : format(change.before, change.after)
  const after = change === undefined ? dash : format(change.after, change.before)
  const isOther = change !== undefined && change.after !== change.before
  return (
    <FigureLine
      lead={change && before}
      value={after}
      widest={change && (change.before > change.after ? before : after)}
      change={isOther ? figures.change(change.before, change.after) : undefined}
      tone={isMain ? toneOf(change) : 'plain'}
      isMain={isMain}
      spoken={`${t('before', { value: before })} ${t('after', { value: after })}`}
      {...(unit === undefined ? {} : { unit })}
    />
  )
}
