// Days as text, `2025-03-31`. Everything is computed in whole days; clocks and zones have no part in it.

const shape = /^(\d{4})-(\d{2})-(\d{2})$/

export class DayError extends Error {
  constructor(text) {
    super(`not a day: ${JSON.stringify(text)}`)
    this.name = 'DayError'
    this.text = text
  }
}

export function parseDay(text) {
  const match = shape.exec(text)
  if (match === null) throw new DayError(text)
  const [year, month, day] = match.slice(1).map(Number)
  if (month < 1 || month > 12) throw new DayError(text)
  if (day < 1 || day > daysInMonth(year, month)) throw new DayError(text)
  return { year, month, day }
}

export function daysInMonth(year, month) {
  return new Date(Date.UTC(year, month, 0)).getUTCDate()
}

export function formatDay({ year, month, day }) {
  const date = new Date(year, month - 1, day)
  return date.toISOString().slice(0, 10)
}

/** The same day of a later month, or that month's last day where it is shorter. */
export function addMonths(text, months) {
  const { year, month, day } = parseDay(text)
  return formatDay({ year, month: month + months, day })
}

export function addDays(text, days) {
  const { year, month, day } = parseDay(text)
  return formatDay({ year, month, day: day + days })
}

export function monthOf(text) {
  return text.slice(0, 7)
}

export function isDay(text) {
  try {
    parseDay(text)
    return true
  } catch {
    return false
  }
}
