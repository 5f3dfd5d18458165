/** The formats of all figures: page, reports and commands write an amount in the same way. Unknown values are a dash. */
import { changePercent } from '../mask/measure-request'
import type { Usd, UsdPerMillion } from '../replay/prompt-cache'

type Defined<Options> = { [Key in keyof Options]?: Exclude<Options[Key], undefined> }
type NumberOptions = Defined<Omit<Intl.NumberFormatOptions, 'useGrouping'>>
/** Number and date formats of a language; use-intl's formatter is one. */
export interface LanguageFormat {
  readonly number: (value: number, options?: NumberOptions) => string
  readonly dateTime: (
    date: Date,
    options?: Defined<Pick<Intl.DateTimeFormatOptions, 'timeZone' | 'year' | 'month' | 'day'>>,
  ) => string
}

export type FigureFormat = Readonly<ReturnType<typeof figureFormat>>

export const UNKNOWN_FIGURE = '–'

const DAY = { timeZone: 'UTC', year: 'numeric', month: 'long', day: 'numeric' } as const
const MONTH = { timeZone: 'UTC', year: 'numeric', month: 'long' } as const

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

export function figureFormat({ number, dateTime }: LanguageFormat) {
  const usd = (value: number, own: NumberOptions) =>
    number(value, { style: 'currency', currency: 'USD', currencyDisplay: 'narrowSymbol', ...own })
  const percent = (share: number, options: NumberOptions = {}) =>
    number(share, {
      style: 'percent',
      maximumFractionDigits: Math.abs(share) < 0.1 ? 1 : 0,
      ...options,
    }).replace('-', '−')
  // The other units are written alike in both languages: "d" or "j".
  const aDay = number(1, { style: 'unit', unit: 'day', unitDisplay: 'narrow' })
  const dayUnit = aDay.replace(/[\d\s]/g, '')
  return {
    number: (value: number | undefined) => (value === undefined ? UNKNOWN_FIGURE : number(value)),
    /** An amount, with the decimal places that the larger of two compared amounts needs: `$1.25`, `$0.0123`; never 0 if it is not. */
    money: (value: Usd | undefined, beside: Usd | undefined = 0) => {
      if (value === undefined) return UNKNOWN_FIGURE
      const largest = Math.max(Math.abs(value), beside)
      const places = largest === 0 || largest >= 1 ? 2 : largest >= 0.01 ? 4 : 6
      if (value !== 0 && Math.abs(value) < 10 ** -places / 2)
        return usd(value, { maximumSignificantDigits: 1 })
      const least = Math.min(places, 4)
      return usd(value, { minimumFractionDigits: least, maximumFractionDigits: places })
    },
    price: (value: UsdPerMillion) =>
      usd(value, { minimumFractionDigits: 2, maximumFractionDigits: 6 }),
    /** At most three significant digits, for axes. */
    shortMoney: (value: Usd) =>
      usd(value, { minimumFractionDigits: 0, maximumSignificantDigits: 3 }),
    shortNumber: (value: number) =>
      number(value, { notation: 'compact', maximumSignificantDigits: 3 }),
    /** The change from before to after in percent, with its sign. */
    change: (before: number | undefined, after: number | undefined) => {
      if (before === undefined || after === undefined) return UNKNOWN_FIGURE
      const change = changePercent({ before, after })
      if (change === undefined) return UNKNOWN_FIGURE
      return percent(change / 100, { signDisplay: 'exceptZero' })
    },
    /** A part of 1 in percent. */
    share: (part: number) => percent(part),
    /** Milliseconds in their two largest units; `places` fixes the decimal places of seconds. */
    duration: (milliseconds: number, places?: number) => {
      const inUnit = (unit: number, larger: number) =>
        number(Math.floor((milliseconds % larger) / unit))
      if (milliseconds < MINUTE_MS) {
        if (places === undefined && milliseconds >= 10 * SECOND_MS)
          return `${inUnit(SECOND_MS, MINUTE_MS)} s`
        const digits = { minimumFractionDigits: places ?? 0, maximumFractionDigits: places ?? 1 }
        return `${number(milliseconds / SECOND_MS, digits)} s`
      }
      if (milliseconds < HOUR_MS)
        return `${inUnit(MINUTE_MS, HOUR_MS)} min ${inUnit(SECOND_MS, MINUTE_MS)} s`
      if (milliseconds < DAY_MS)
        return `${inUnit(HOUR_MS, DAY_MS)} h ${inUnit(MINUTE_MS, HOUR_MS)} min`
      const days = inUnit(DAY_MS, Number.POSITIVE_INFINITY)
      return `${days} ${dayUnit} ${inUnit(HOUR_MS, DAY_MS)} h`
    },
    /** Bytes in the largest unit that gives at least one. */
    size: (bytes: number) => {
      const [unit, size] =
        bytes < 1e3 ? ['byte', 1] : bytes < 1e6 ? ['kilobyte', 1e3] : ['megabyte', 1e6]
      const maximumFractionDigits = bytes < 10 * size && size > 1 ? 1 : 0
      const unitDisplay = size === 1 ? 'long' : 'short'
      return number(bytes / size, { style: 'unit', unit, unitDisplay, maximumFractionDigits })
    },
    /** A day such as `2026-09-23`, in words. */
    day: (day: string) => dateTime(new Date(`${day}T00:00:00Z`), DAY),
    /** A month such as `2026-11`, in words. */
    month: (month: string) => dateTime(new Date(`${month}-01T00:00:00Z`), MONTH),
  }
}

/** The format of commands. */
export const ENGLISH_FORMAT: FigureFormat = figureFormat({
  number: (value, options) => new Intl.NumberFormat('en', options).format(value),
  dateTime: (date, options) => new Intl.DateTimeFormat('en', options).format(date),
})
