// Reads a ledger: every row becomes an entry or a problem with its line, never neither.

import { parseAmount } from './amount.js'
import { parseDay } from './calendar.js'
import { parseRecords } from './csv.js'

const requiredColumns = ['date', 'account', 'payee', 'amount']

export function readLedger(text) {
  const entries = []
  const problems = []
  const seen = new Map()

  for (const { record, line, width, expectedWidth } of parseRecords(text)) {
    const missing = requiredColumns.filter((column) => !record[column])
    if (missing.length > 0) {
      problems.push({ line, message: `missing ${missing.join(', ')}` })
      continue
    }
    if (width > expectedWidth) {
      problems.push({ line, message: `${width} fields, ${expectedWidth} expected` })
      continue
    }
    try {
      parseDay(record.date)
      const entry = {
        date: record.date,
        account: record.account,
        payee: record.payee,
        cents: parseAmount(record.amount),
        note: record.note ?? '',
        line,
      }
      const key = record.date + record.payee + record.amount
      const twin = seen.get(key)
      if (twin !== undefined) problems.push({ line, message: `same as line ${twin}` })
      else seen.set(key, line)
      entries.push(entry)
    } catch (error) {
      problems.push({ line, message: error.message })
    }
  }
  return { entries, problems }
}
