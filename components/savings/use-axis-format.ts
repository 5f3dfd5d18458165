import { useFormatter } from 'use-intl'
import type { SweepAxis } from '@/lib/state/sweep-axis'
import { useMoneyFormat } from '../meters/use-money-format'

/** A value as its axis writes it: tokens or dollars; a dash where unknown. */
export function useAxisFormat(): (axis: SweepAxis, value: number | undefined) => string {
  const format = useFormatter()
  const formatMoney = useMoneyFormat()
  return (axis, value) => {
    if (axis !== 'tokens') return formatMoney(value)
    return value === undefined ? '–' : format.number(value)
  }
}
