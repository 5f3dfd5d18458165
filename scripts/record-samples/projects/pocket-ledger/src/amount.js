// Money as whole cents. Text becomes cents here and cents become text here, nowhere else.

const shape = /^-?\d[\d,]*(\.\d{1,2})?$/

export class AmountError extends Error {
  constructor(text) {
    super(`not an amount: ${JSON.stringify(text)}`)
    this.name = 'AmountError'
    this.text = text
  }
}

/** Whole cents of a text such as `-1,234.5`; throws AmountError for anything else. */
export function parseAmount(text) {
  const trimmed = text.trim()
  if (!shape.test(trimmed)) throw new AmountError(text)
  const [whole, fraction = '0'] = trimmed.split('.')
  return Number(whole.replace(',', '')) * 100 + Number(fraction)
}

/** `-1,234.50` of -123450 cents. */
export function formatAmount(cents) {
  if (!Number.isInteger(cents)) throw new TypeError(`cents must be a whole number, not ${cents}`)
  const whole = Math.trunc(cents / 100)
  const fraction = String(Math.abs(cents % 100)).padStart(2, '0')
  return `${groupThousands(whole)}.${fraction}`
}

function groupThousands(whole) {
  return String(whole).replace(/\B(?=(\d{3})+$)/g, ',')
}
