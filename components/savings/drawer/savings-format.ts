import type { NumberFormatOptions, useFormatter } from 'use-intl'
import { type BeforeAfter, changePercent } from '@/lib/core/mask/measure-request'
import type { Usd } from '@/lib/core/replay/units'

/** How the report and the drawer write numbers; what is not known is a dash. */
export interface SavingsFormat {
  readonly number: (value: number | undefined) => string
  /** Dollars, with as many places as the larger of two amounts that stand together needs. */
  readonly usd: (value: Usd | undefined, beside?: Usd | undefined) => string
  /** As short as it can be, for axes. */
  readonly shortUsd: (value: Usd) => string
  readonly shortNumber: (value: number) => string
  /** Percent with its sign. */
  readonly change: (before: number | undefined, after: number | undefined) => string
  /** A part of a whole, or how far apart two are, in percent without a sign. */
  readonly share: (part: number) => string
  /** A day such as `2026-09-23`, in words. */
  readonly day: (day: string) => string
  /** A month such as `2026-11`, in words. */
  readonly month: (month: string) => string
}

const DASH = '–'

export function savingsFormat(format: ReturnType<typeof useFormatter>): SavingsFormat {
  const usd = (value: Usd, options: NumberFormatOptions) =>
    format.number(value, {
      style: 'currency',
      currency: 'USD',
      ...options,
    })
  const percent = (share: number, options: NumberFormatOptions = {}) =>
    format
      .number(share, {
        style: 'percent',
        maximumFractionDigits: Math.abs(share) < 0.1 ? 1 : 0,
        ...options,
      })
      .replace('-', '−')
  return {
    number: (value) => (value === undefined ? DASH : format.number(value)),
    usd: (value, beside) => {
      if (value === undefined) return DASH
      const largest = Math.max(value, beside ?? 0)
      const digits = largest === 0 || largest >= 1 ? 2 : largest >= 0.01 ? 4 : 6
      return usd(value, {
        minimumFractionDigits: Math.min(digits, 4),
        maximumFractionDigits: digits,
      })
    },
    shortUsd: (value) => usd(value, { minimumFractionDigits: 0, maximumSignificantDigits: 3 }),
    shortNumber: (value) =>
      format.number(value, { notation: 'compact', maximumSignificantDigits: 3 }),
    change: (before, after) => {
      if (before === undefined || after === undefined) return DASH
      const change = changePercent({ before, after } satisfies BeforeAfter)
      return change === undefined ? DASH : percent(change / 100, { signDisplay: 'exceptZero' })
    },
    share: (part) => percent(Math.abs(part)),
    day: (day) => format.dateTime(new Date(`${day}T00:00:00Z`), DAY),
    month: (month) => format.dateTime(new Date(`${month}-01T00:00:00Z`), MONTH),
  }
}

const DAY = { timeZone: 'UTC', year: 'numeric', month: 'long', day: 'numeric' } as const
const MONTH = { timeZone: 'UTC', year: 'numeric', month: 'long' } as const
