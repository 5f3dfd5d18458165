import { useFormatter } from 'use-intl'
import { type BeforeAfter, changePercent } from '@/lib/core/mask/measure-request'

/** Percent with its sign, as the page writes it; a dash where there was nothing before. */
export function useChangeFormat(): (change: BeforeAfter) => string {
  const format = useFormatter()
  return (change) => {
    const percent = changePercent(change)
    if (percent === undefined) return '–'
    return format
      .number(percent / 100, {
        style: 'percent',
        signDisplay: 'exceptZero',
        maximumFractionDigits: Math.abs(percent) < 10 ? 1 : 0,
      })
      .replace('-', '−')
  }
}
