import { capture, expectMatch, type Recorder } from '../../recorder'
import { edit, grep, read, run } from '../../tools'

const summary = "| grep -E '^(not )?ok|^# (pass|fail)'"

/** Fixes duplicate detection, months without income, the ranking of payees and unknown commands. */
export async function fixReports(agent: Recorder): Promise<void> {
  await agent.turn(
    'The forecast now fails at once and names Lighthouse Mutual; repaired, it keeps the 31st. A stack trace is a poor message for a user, I come back to that in cli.js. Report 8:',
    run(
      `printf 'date,account,payee,amount\\n2025-05-01,snacks,Kiosk 1,2.00\\n2025-05-01,snacks,Kiosk ,12.00\\n2025-05-02,snacks,Kiosk1,2.00\\n2025-05-02,snacks,Kiosk,12.00\\n' > kiosk.csv; node src/cli.js check kiosk.csv`,
    ),
    grep('seen|twin|key', 'src/ledger.js'),
  )
  await agent.turn(
    'The key glues payee and amount together: Kiosk1 + 2.00 equals Kiosk + 12.00. Also `-3` and `-3.00` count as different. A key from the parsed values, as JSON, settles both.',
    edit(
      'src/ledger.js',
      '      const key = record.date + record.payee + record.amount\n',
      '      const key = JSON.stringify([entry.date, entry.account, entry.payee, entry.cents])\n',
    ),
    edit(
      'test/ledger.test.js',
      "test('reports a booking that stands twice', () => {",
      `test('tells bookings apart whose texts only join to the same', () => {
  const rows = '2025-05-02,snacks,Kiosk1,2.00,\\n2025-05-02,snacks,Kiosk,12.00,\\n'
  assert.deepEqual(readLedger(header + rows).problems, [])
})

test('sees a booking twice when the amount is only written differently', () => {
  const rows = '2025-05-02,snacks,Kiosk,-3,\\n2025-05-02,snacks,Kiosk,-3.00,\\n'
  assert.deepEqual(readLedger(header + rows).problems, [{ line: 3, message: 'same as line 2' }])
})

test('reports a booking that stands twice', () => {`,
    ),
    run('node --test test/ledger.test.js'),
    run('node src/cli.js check kiosk.csv; rm kiosk.csv; node src/cli.js check data/household.csv'),
  )
  const monthly = await agent.turn(
    'Report 8 closed, the household file still has just its three. Report 3, months:',
    run('node src/cli.js monthly data/household.csv'),
    read('src/report.js', 22, 48),
  )
  expectMatch(monthly[0], /2025-07/)
  const december = capture(monthly[0], /2025-12.*?(\S+)\n?$/m)
  await agent.turn(
    `No 2025-08. The months come from income only, so August's spending is also missing from the running sum, and ${december} for December is too high. A month with income but no spending would add undefined. Failing test for both:`,
    edit(
      'test/report.test.js',
      "test('ranks payees by what was spent', () => {",
      `test('has a row for months with only income or only spending', () => {
  const rows = monthly([
    entry('2025-01-25', 'salary', 'Tern Workshop', 1000),
    entry('2025-02-01', 'rent', 'Harbour Housing', -300),
  ])
  assert.deepEqual(rows, [
    { month: '2025-01', incomeCents: 1000, spendingCents: 0, runningCents: 1000 },
    { month: '2025-02', incomeCents: 0, spendingCents: -300, runningCents: 700 },
  ])
})

test('ranks payees by what was spent', () => {`,
    ),
    run('node --test test/report.test.js'),
  )
  await agent.turn(
    null,
    edit(
      'src/report.js',
      '  return Object.keys(income)\n    .sort()',
      '  return [...new Set(entries.map((entry) => monthOf(entry.date)))]\n    .sort()',
    ),
    edit(
      'src/report.js',
      '      const incomeCents = income[month]\n      const spendingCents = spending[month]',
      '      const incomeCents = income[month] ?? 0\n      const spendingCents = spending[month] ?? 0',
    ),
    run(`node --test test/report.test.js ${summary}`),
    run('node src/cli.js monthly data/household.csv'),
  )
  const control = await agent.turn(
    'August is there. The last running figure must equal the sum of all amounts; checking that without our own code:',
    run(
      'node src/cli.js monthly data/household.csv | tail -1; node src/cli.js balance data/household.csv',
    ),
    run(
      `python3 -c "import csv; from decimal import Decimal; rows = list(csv.DictReader(open('data/household.csv', newline=''))); good = [row for row in rows if row['payee'] and 'O' not in row['amount'] and row['date'] != '2025-02-30']; print(len(good), sum(Decimal(row['amount'].replace(',', '')) for row in good))"`,
    ),
  )
  const running = capture(control[0], /^2025-12.*?(\S+)$/m)
  const total = capture(control[1], /^\d+ (\S+)/)
  if (running.replaceAll(',', '') !== total) throw new Error(`${running} is not ${total}`)
  const payees = await agent.turn(
    `Python's csv module and Decimal give ${total}, the same as ${running}. Report 3 closed. Report 2, payees:`,
    run('node src/cli.js payees data/household.csv 20'),
    run(`node -e "console.log([-1380000, -111482, -128382, -80347].sort())"`),
  )
  const first = capture(payees[0], /^-.*\n(.*?)\s{2,}/m)
  await agent.turn(
    `${first} comes first: sort() without a comparison orders numbers as text, and the second output shows it with the real sums. And looking the payee up by its sum gives the first one twice when two payees tie. Sort the pairs instead.`,
    edit(
      'src/report.js',
      `  const ranked = Object.values(sums).sort()
  return ranked.slice(0, count).map((cents) => {
    const payee = Object.keys(sums).find((name) => sums[name] === cents)
    return { payee, cents }
  })`,
      `  return Object.entries(sums)
    .map(([payee, cents]) => ({ payee, cents }))
    .sort((one, other) => one.cents - other.cents)
    .slice(0, count)`,
    ),
    edit(
      'test/report.test.js',
      "test('ranks payees by what was spent', () => {",
      `test('names both payees when sums tie', () => {
  const rows = topPayees(
    [
      entry('2025-01-02', 'groceries', 'Corner Market', -900),
      entry('2025-01-03', 'groceries', 'Bakery Lind', -900),
    ],
    5,
  )
  assert.deepEqual(
    rows.map((row) => row.payee),
    ['Corner Market', 'Bakery Lind'],
  )
})

test('ranks payees by what was spent', () => {`,
    ),
    run(`node --test test/report.test.js ${summary}`),
    run('node src/cli.js payees data/household.csv 5'),
  )
  await agent.turn(
    'Harbour Housing leads. sumBy uses a plain object: a payee called `__proto__` or `constructor` would break it. Worth one probe.',
    run(
      `node -e "import('./src/report.js').then(({ balances }) => console.log(balances([{ account: 'constructor', cents: -5 }, { account: '__proto__', cents: -7 }, { account: 'rent', cents: -1 }])))"`,
    ),
  )
  await agent.turn(
    'It does: `constructor` becomes text and `__proto__` vanishes, money lost in silence. A Map, with the callers adapted.',
    edit(
      'src/report.js',
      '  const sums = {}\n  for (const entry of entries) {\n    const key = keyOf(entry)\n    sums[key] = (sums[key] || 0) + entry.cents\n  }\n  return sums',
      '  // A Map, not an object: an account may be called `constructor`.\n  const sums = new Map()\n  for (const entry of entries) {\n    const key = keyOf(entry)\n    sums.set(key, (sums.get(key) ?? 0) + entry.cents)\n  }\n  return sums',
    ),
    edit(
      'src/report.js',
      '  return Object.keys(sums)\n    .sort()\n    .map((account) => ({ account, cents: sums[account] }))',
      '  return [...sums.keys()].sort().map((account) => ({ account, cents: sums.get(account) }))',
    ),
    run('node --test test/report.test.js'),
  )
  await agent.turn(
    'monthly and topPayees still index it as an object; the failures are theirs.',
    edit('src/report.js', 'income[month] ?? 0', 'income.get(month) ?? 0'),
    edit('src/report.js', 'spending[month] ?? 0', 'spending.get(month) ?? 0'),
    edit('src/report.js', '  return Object.entries(sums)\n', '  return [...sums]\n'),
    run(`node --test test/report.test.js ${summary}`),
  )
}
