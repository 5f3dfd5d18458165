// The command line: reads a file, calls one report, prints a table.

import { readFileSync } from 'node:fs'
import { formatAmount } from './amount.js'
import { readLedger } from './ledger.js'
import { expandRules } from './recurring.js'
import { balances, monthly, topPayees } from './report.js'
import { textTable } from './text-table.js'

const commands = {
  check(path) {
    const { entries, problems } = readLedger(readFileSync(path, 'utf8'))
    for (const { line, message } of problems) console.log(`${path}:${line}: ${message}`)
    console.log(`${entries.length} entries, ${problems.length} problems`)
    if (problems.length > 0) process.exitCode = 1
  },

  balance(path) {
    const { entries } = readLedger(readFileSync(path, 'utf8'))
    const rows = balances(entries).map(({ account, cents }) => [account, formatAmount(cents)])
    console.log(textTable(['account', 'balance'], rows, [1]))
  },

  monthly(path) {
    const { entries } = readLedger(readFileSync(path, 'utf8'))
    const rows = monthly(entries).map((row) => [
      row.month,
      formatAmount(row.incomeCents),
      formatAmount(row.spendingCents),
      formatAmount(row.runningCents),
    ])
    console.log(textTable(['month', 'income', 'spending', 'running'], rows, [1, 2, 3]))
  },

  payees(path, count = '10') {
    const { entries } = readLedger(readFileSync(path, 'utf8'))
    const rows = topPayees(entries, Number(count)).map(({ payee, cents }) => [
      payee,
      formatAmount(cents),
    ])
    console.log(textTable(['payee', 'spent'], rows, [1]))
  },

  forecast(path, from, to) {
    const rules = JSON.parse(readFileSync(path, 'utf8'))
    const rows = expandRules(rules, from, to).map((booking) => [
      booking.date,
      booking.account,
      booking.payee,
      formatAmount(booking.cents),
    ])
    console.log(textTable(['date', 'account', 'payee', 'amount'], rows, [3]))
  },
}

const [name, ...rest] = process.argv.slice(2)
commands[name](...rest)
