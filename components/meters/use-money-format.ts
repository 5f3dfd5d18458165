import { useFormatter } from 'use-intl'
import type { Usd } from '@/lib/core/replay/units'

/** Dollars, with as many places as the largest of the amounts that stand together needs; a dash where unknown. */
export function useMoneyFormat(): (value: Usd | undefined, beside?: Usd | undefined) => string {
  const format = useFormatter()
  return (value, beside) => {
    if (value === undefined) return '–'
    const largest = Math.max(value, beside ?? 0)
    const digits = largest === 0 || largest >= 1 ? 2 : largest >= 0.01 ? 4 : 6
    return format.number(value, {
      style: 'currency',
      currency: 'USD',
      minimumFractionDigits: Math.min(digits, 4),
      maximumFractionDigits: digits,
    })
  }
}
