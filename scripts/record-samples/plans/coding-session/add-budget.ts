import { capture, expectMatch, type Recorder } from '../../recorder'
import { edit, grep, read, run, write } from '../../tools'

const summary = "| grep -E '^(not )?ok|^# (pass|fail)'"

const budgetSource = `// Compares what was spent with monthly limits. A limit is { account, limitCents }, always positive.

import { parseAmount } from './amount.js'
import { monthOf } from './calendar.js'
import { parseRecords } from './csv.js'

export function readLimits(text) {
  return parseRecords(text).map(({ record }) => ({
    account: record.account,
    limitCents: parseAmount(record.limit),
  }))
}

/** One row for every month and account that spent more than its limit, oldest month first. */
export function overspent(entries, limits) {
  const rows = []
  const months = [...new Set(entries.map((entry) => monthOf(entry.date)))].sort()
  for (const month of months) {
    for (const { account, limitCents } of limits) {
      const spentCents = entries
        .filter((entry) => entry.account === account && monthOf(entry.date) === month)
        .reduce((sum, entry) => sum + entry.cents, 0)
      if (spentCents > limitCents) {
        rows.push({ month, account, spentCents, limitCents, overCents: spentCents - limitCents })
      }
    }
  }
  return rows
}
`

const budgetTest = `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { overspent, readLimits } from '../src/budget.js'

const entry = (date, account, cents) => ({ date, account, payee: 'x', cents })
const limits = [{ account: 'groceries', limitCents: 30000 }]

test('reads limits', () => {
  assert.deepEqual(readLimits('account,limit\\ngroceries,300\\n"eating out",80.5\\n'), [
    { account: 'groceries', limitCents: 30000 },
    { account: 'eating out', limitCents: 8050 },
  ])
})

test('says by how much a month is over', () => {
  const entries = [entry('2025-01-02', 'groceries', -20000), entry('2025-01-30', 'groceries', -15000)]
  assert.deepEqual(overspent(entries, limits), [
    { month: '2025-01', account: 'groceries', spentCents: 35000, limitCents: 30000, overCents: 5000 },
  ])
})

test('is silent at exactly the limit', () => {
  assert.deepEqual(overspent([entry('2025-01-02', 'groceries', -30000)], limits), [])
})

test('counts a refund against spending', () => {
  const entries = [entry('2025-01-02', 'groceries', -31000), entry('2025-01-05', 'groceries', 2000)]
  assert.deepEqual(overspent(entries, limits), [])
})

test('refuses a limit below zero', () => {
  assert.throws(() => readLimits('account,limit\\ngroceries,-300\\n'), /line 2: limit must not be negative/)
})
`

/** The user's second request: a budget command, test first, added to the command line. */
export async function addBudget(agent: Recorder): Promise<void> {
  const all = await agent.turn('The whole suite before I sum up:', run('node --test'))
  const passed = capture(all[0], /# pass (\d+)/)
  expectMatch(all[0], /# fail 0/)
  agent.say(
    `All ${passed} tests pass and the eight reports are closed:\n` +
      '1 and 6: csv.js (doubled quotes, CRLF, lines inside quotes). 7: amount.js. 4: calendar.js through UTC. ' +
      '5: recurring.js refuses `every` below 1. 8: ledger.js compares parsed values. 2 and 3: report.js.\n' +
      'Also fixed on the way: bookings on the 31st stuck at the 28th, thousands with several commas, accounts named like object keys. ' +
      'Open: cli.js answers an unknown command and a bad rule with a stack trace.',
  )
  agent.user(
    'Great. Fix that stack trace, and add a command `budget <ledger> <limits>`: limits is a CSV with account,limit (per month). ' +
      'Print month, account, spent, limit, over for every month over its limit; exit code 1 if there is one. README too.',
  )
  await agent.turn(
    'What a user sees today for the three ways to call it wrong:',
    run('node src/cli.js totals data/household.csv'),
    run('node src/cli.js balance data/nowhere.csv'),
    run('node src/cli.js'),
  )
  await agent.turn(
    'A TypeError, a raw ENOENT and another TypeError. Budget first, as cli.js changes with it. Tests, then the module.',
    write('test/budget.test.js', budgetTest),
    run('node --test test/budget.test.js'),
  )
  await agent.turn(
    'Red because the module is missing. Writing it:',
    write('src/budget.js', budgetSource),
    run('node --test test/budget.test.js'),
  )
  agent.think(
    'Spending is negative in entries (README), limits are positive. I compared a negative sum with a positive limit, so nothing is ever over. Negate the sum. And readLimits has no line check yet.',
  )
  await agent.turn(
    'Two failures: spending is negative in entries, so the sum must be negated before it is compared; and limits below zero are not refused yet.',
    edit(
      'src/budget.js',
      '      const spentCents = entries\n        .filter((entry) => entry.account === account && monthOf(entry.date) === month)\n        .reduce((sum, entry) => sum + entry.cents, 0)',
      '      const spentCents = entries\n        .filter((entry) => entry.account === account && monthOf(entry.date) === month)\n        .reduce((sum, entry) => sum - entry.cents, 0)',
    ),
    edit(
      'src/budget.js',
      `  return parseRecords(text).map(({ record }) => ({
    account: record.account,
    limitCents: parseAmount(record.limit),
  }))`,
      `  return parseRecords(text).map(({ record, line }) => {
    const limitCents = parseAmount(record.limit)
    if (limitCents < 0) throw new RangeError(\`line \${line}: limit must not be negative\`)
    return { account: record.account, limitCents }
  })`,
    ),
    run(`node --test test/budget.test.js ${summary}`),
  )
  await agent.turn(
    'Green. Where cli.js has its table of commands and how it starts:',
    grep('^  [a-z]+\\(|^const|commands\\[', 'src/cli.js'),
    read('src/cli.js', 52, 72),
  )
  const duplicate = await agent.turn(
    'Every command reads the ledger with the same line; a function of its own before I add one more.',
    edit(
      'src/cli.js',
      "    const { entries } = readLedger(readFileSync(path, 'utf8'))\n    const rows",
      '    const entries = readEntries(path)\n    const rows',
    ),
  )
  expectMatch(duplicate[0], /occurs 3 times/)
  await agent.turn(
    'Three places at once, and nobody asked for that refactoring: I leave it and insert the command before forecast. In the same go, errors end in one line and exit code 2.',
    edit(
      'src/cli.js',
      '  forecast(path, from, to) {',
      `  budget(path, limitsPath) {
    const { entries } = readLedger(readFileSync(path, 'utf8'))
    const limits = readLimits(readFileSync(limitsPath, 'utf8'))
    const rows = overspent(entries, limits).map((row) => [
      row.month,
      row.account,
      formatAmount(row.spentCents),
      formatAmount(row.limitCents),
      formatAmount(row.overCents),
    ])
    console.log(textTable(['month', 'account', 'spent', 'limit', 'over'], rows, [2, 3, 4]))
    if (rows.length > 0) process.exitCode = 1
  },

  forecast(path, from, to) {`,
    ),
    edit(
      'src/cli.js',
      'const [name, ...rest] = process.argv.slice(2)\ncommands[name](...rest)',
      `const [name, ...rest] = process.argv.slice(2)
if (name === undefined || !Object.hasOwn(commands, name)) {
  console.error(\`usage: pocket-ledger <\${Object.keys(commands).join(' | ')}> <file> ...\`)
  process.exitCode = 2
} else {
  try {
    commands[name](...rest)
  } catch (error) {
    console.error(\`\${name}: \${error.message}\`)
    process.exitCode = 2
  }
}`,
    ),
    run(
      'node src/cli.js totals; node src/cli.js balance data/nowhere.csv; node src/cli.js budget data/household.csv data/budget.csv',
    ),
  )
  await agent.turn(
    '"readLimits is not defined": I forgot the import. data/budget.csv does not exist either. Both:',
    edit(
      'src/cli.js',
      "import { formatAmount } from './amount.js'\n",
      "import { formatAmount } from './amount.js'\nimport { overspent, readLimits } from './budget.js'\n",
    ),
    write(
      'data/budget.csv',
      'account,limit\ngroceries,300\neating out,80\ntransport,40\nutilities,75\n',
    ),
    run('node src/cli.js budget data/household.csv data/budget.csv'),
  )
}
