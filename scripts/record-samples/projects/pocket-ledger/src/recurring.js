// Writes out what a rule books between two days, both included.
// A rule is { account, payee, amount, start, every, unit }: every 1 month, every 2 weeks.

import { parseAmount } from './amount.js'
import { addDays, addMonths } from './calendar.js'

function step(day, rule) {
  if (rule.unit === 'month') return addMonths(day, rule.every)
  if (rule.unit === 'week') return addDays(day, rule.every * 7)
  return addDays(day, rule.every)
}

export function expandRule(rule, from, to) {
  const bookings = []
  let day = rule.start
  while (day <= to) {
    if (day >= from) {
      bookings.push({
        date: day,
        account: rule.account,
        payee: rule.payee,
        cents: parseAmount(rule.amount),
      })
    }
    day = step(day, rule)
  }
  return bookings
}

export function expandRules(rules, from, to) {
  return rules
    .flatMap((rule) => expandRule(rule, from, to))
    .sort((one, other) => (one.date < other.date ? -1 : 1))
}
