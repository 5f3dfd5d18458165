/** Reads a number that a user typed, by the user's locale and that of the page. Nothing is guessed, rounded or clamped. */

export type TypedNumber =
  | { readonly state: 'number'; readonly value: number }
  | { readonly state: 'empty' }
  | { readonly state: 'not_a_number' }
  /** The two locales read it differently: `1.234` is 1234 or 1.234. */
  | { readonly state: 'ambiguous'; readonly readings: readonly [number, number] }
  | { readonly state: 'not_whole' }
  | { readonly state: 'too_small' | 'too_large' }

export interface NumberRules {
  /** Locale of the user's browser. */
  readonly reader: string
  /** Locale in which the page shows numbers. */
  readonly page: string
  readonly isWhole: boolean
  readonly minimum: number
  readonly maximum: number
}

const GROUPED = /^[1-9]\d{0,2}(?:([.,])\d{3})(?:\1\d{3})*$/

export function readTypedNumber(text: string, rules: NumberRules): TypedNumber {
  const written = toAscii(text)
  if (written === '') return { state: 'empty' }
  const digits = written.replace(/^[+-]/, '')
  const sign = written.slice(0, written.length - digits.length)
  const readings = readingsOf(digits, rules).map((reading) => Number(sign + reading))
  const [value, other] = readings
  if (value === undefined || !Number.isFinite(value)) return { state: 'not_a_number' }
  if (other !== undefined) return { state: 'ambiguous', readings: [value, other] }
  if (rules.isWhole && !Number.isInteger(value)) return { state: 'not_whole' }
  if (value < rules.minimum) return { state: 'too_small' }
  if (value > rules.maximum) return { state: 'too_large' }
  return { state: 'number', value }
}

/** Plain decimal notations of unsigned digits: none, one, or two that differ. */
function readingsOf(digits: string, { reader, page, isWhole }: NumberRules): readonly string[] {
  // A decimal mark at the end is a number that is still being typed.
  if (/^\d+[.,]?$/.test(digits)) return [digits.replace(/[.,]/, '')]
  const grouped = GROUPED.exec(digits)
  const withoutGroups = digits.replace(/[.,]/g, '')
  const marks = digits.replace(/\d/g, '')
  if (grouped !== null) {
    // Two marks of a kind are groups in every locale.
    if (marks.length > 1) return [withoutGroups]
    const [whole, decimal] = [withoutGroups, digits.replace(',', '.')]
    const [byReader, byPage] = [meaningOf(marks, reader), meaningOf(marks, page)]
    // A locale such as French uses one of the marks for neither.
    if (byReader === byPage && byPage !== undefined) return [byPage === 'decimal' ? decimal : whole]
    return isWhole && byReader !== 'decimal' ? [whole] : [whole, decimal]
  }
  // One mark: `1,75`, `.5`. It cannot be a group.
  if (/^\d*[.,]\d+$/.test(digits)) return [digits.replace(',', '.')]
  // Two kinds of marks: the last one is the decimal mark, `1.234,5`.
  const mixed = /^([\d.,]+)([.,])(\d+)$/.exec(digits)
  const isMixed =
    mixed !== null && GROUPED.exec(mixed[1] as string)?.[1] === (mixed[2] === '.' ? ',' : '.')
  return isMixed ? [`${(mixed[1] as string).replace(/[.,]/g, '')}.${mixed[3]}`] : []
}

/** Digits and marks of other scripts as ASCII, without spaces and apostrophes between groups of three. */
function toAscii(text: string): string {
  return text
    .normalize('NFKC')
    .trim()
    .replace(/\p{Cf}/gu, '')
    .replace(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) & 15))
    .replace(/٫/g, '.')
    .replace(/[٬،]/g, ',')
    .replace(/[−‒–—]/g, '-')
    .replace(/(?<=^[+-]?\d{1,3}(?:[\s'’]\d{3})*)[\s'’](?=\d{3}(?!\d))/g, '')
}

/** What a locale writes with this mark in a number. */
function meaningOf(mark: string, locale: string): 'decimal' | 'group' | undefined {
  const parts = new Intl.NumberFormat(locale).formatToParts(10_000.5)
  return parts.find(({ value }) => value === mark)?.type as 'decimal' | 'group' | undefined
}
