import { capture, expectMatch, type Recorder } from '../../recorder'
import { list, read, run } from '../../tools'

/** Reads the layout, the failing tests and the code; finds that the household file is missing. */
export async function explore(agent: Recorder): Promise<void> {
  agent.user(
    'pocket-ledger is red on main, and REPORTS.md has a pile of user reports nobody has looked at. ' +
      'Please get the tests green, then work through the reports one by one: reproduce, fix at the ' +
      'cause, leave a test behind. No new dependencies.',
  )
  await agent.turn(
    'Layout, README and the reports first.',
    list('.'),
    read('README.md'),
    read('REPORTS.md'),
  )
  const tests = await agent.turn('Now the state of the tests.', run('node --test'))
  const failed = capture(tests[0], /# fail (\d+)/)
  const passed = capture(tests[0], /# pass (\d+)/)
  agent.think(
    `${failed} failures over csv, amount, calendar, ledger and recurring. The ledger and recurring ones ` +
      'may only be consequences: ledger sits on csv and amount, recurring on calendar. Read bottom up.',
  )
  const csv = await agent.turn(
    `${failed} of ${Number(failed) + Number(passed)} fail. csv.js is at the bottom of the import chain, so I read it first.`,
    read('src/csv.js'),
    read('test/csv.test.js'),
  )
  expectMatch(csv[0], /text\[position \+ 1\] === '"'/)
  await agent.turn(
    'csv.js adds the quote of a `""` pair but does not step over its second half, which would explain \'reads a doubled quote as one quote\'. Next: amounts.',
    read('src/amount.js'),
    read('test/amount.test.js'),
  )
  await agent.turn(
    "`Number(fraction)` turns '.5' into 5 cents and always adds, also under a minus sign: two of the amount failures. Calendar and recurring rules next.",
    read('src/calendar.js'),
    read('src/recurring.js'),
    read('test/recurring.test.js'),
  )
  await agent.turn(
    'formatDay goes through local time (report 4). The rest of the source, to know who calls what.',
    read('src/ledger.js'),
    read('src/report.js'),
    read('src/text-table.js'),
    read('src/cli.js'),
  )
  const missing = await agent.turn(
    'Report 1 is about the household file; I run `check` as a user would.',
    run('node src/cli.js check data/household.csv'),
  )
  expectMatch(missing[0], /ENOENT/)
  const made = await agent.turn(
    'The file is not in the tree: ENOENT from readFileSync in cli.js. README names it but package.json may say how it is made.',
    read('package.json'),
    read('tools/make-household.js'),
  )
  expectMatch(made[0], /make-household/)
  const data = await agent.turn(
    'The `data` script makes it from a fixed seed. It also plants three bad rows on purpose (2025-02-30, `-8.4O`, an empty payee): those are what `check` should report, and nothing else.',
    run('node tools/make-household.js data/household.csv'),
  )
  const rows = capture(data[0], /(\d+) rows/)
  const check = await agent.turn(
    `${rows} rows. Same command again.`,
    run('node src/cli.js check data/household.csv'),
  )
  const [, entries, problems] = /(\d+) entries, (\d+) problems/.exec(check[0]) ?? []
  await agent.turn(
    `${entries} entries and ${problems} problems where ${rows} rows went in and 3 are bad: rows are being merged. The message for one of the lines quotes three bookings inside one date. Let me see the raw lines it chokes on.`,
    run("sed -n '1,24p' data/household.csv | cat -A | cut -c1-110"),
  )
}
