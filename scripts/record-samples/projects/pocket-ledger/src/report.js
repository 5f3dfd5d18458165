// Sums over entries. Every report is a list of plain rows; how they look is decided in text-table.js.

import { monthOf } from './calendar.js'

function sumBy(entries, keyOf) {
  const sums = {}
  for (const entry of entries) {
    const key = keyOf(entry)
    sums[key] = (sums[key] || 0) + entry.cents
  }
  return sums
}

/** One row an account, by name. */
export function balances(entries) {
  const sums = sumBy(entries, (entry) => entry.account)
  return Object.keys(sums)
    .sort()
    .map((account) => ({ account, cents: sums[account] }))
}

/** One row a month, oldest first: what came in, what went out, what is left since the first month. */
export function monthly(entries) {
  const income = sumBy(
    entries.filter((entry) => entry.cents > 0),
    (entry) => monthOf(entry.date),
  )
  const spending = sumBy(
    entries.filter((entry) => entry.cents < 0),
    (entry) => monthOf(entry.date),
  )
  let running = 0
  return Object.keys(income)
    .sort()
    .map((month) => {
      const incomeCents = income[month]
      const spendingCents = spending[month]
      running += incomeCents + spendingCents
      return { month, incomeCents, spendingCents, runningCents: running }
    })
}

/** The payees most was spent on, largest first. */
export function topPayees(entries, count) {
  const sums = sumBy(
    entries.filter((entry) => entry.cents < 0),
    (entry) => entry.payee,
  )
  const ranked = Object.values(sums).sort()
  return ranked.slice(0, count).map((cents) => {
    const payee = Object.keys(sums).find((name) => sums[name] === cents)
    return { payee, cents }
  })
}
