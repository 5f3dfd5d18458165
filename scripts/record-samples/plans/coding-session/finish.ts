import { capture, expectMatch, type Recorder } from '../../recorder'
import { edit, read, run, write } from '../../tools'

const summary = "| grep -E '^(not )?ok|^# (pass|fail)'"

const commandLineTest = `import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'

const folder = mkdtempSync(join(tmpdir(), 'pocket-ledger-'))
after(() => rmSync(folder, { recursive: true }))

const ledger = join(folder, 'ledger.csv')
const limits = join(folder, 'limits.csv')
writeFileSync(
  ledger,
  'date,account,payee,amount\\n2025-01-01,rent,Harbour Housing,-900\\n2025-01-25,salary,Tern Workshop,2000\\n',
)
writeFileSync(limits, 'account,limit\\nrent,850\\n')

function call(...words) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['src/cli.js', ...words], {
    encoding: 'utf8',
  })
  return { status, stdout, stderr }
}

test('balance prints one row an account', () => {
  const { status, stdout } = call('balance', ledger)
  assert.equal(status, 0)
  assert.match(stdout, /^rent {5}-900\\.00$/m)
})

test('monthly prints the running sum', () => {
  assert.match(call('monthly', ledger).stdout, /2025-01 {2}2,000\\.00 {3}-900\\.00 {2}1,100\\.00/)
})

test('payees prints the count asked for', () => {
  assert.match(call('payees', ledger, '1').stdout, /Harbour Housing {2}-900\\.00/)
})

test('budget exits with 1 when a limit is passed', () => {
  const { status, stdout } = call('budget', ledger, limits)
  assert.equal(status, 1)
  assert.match(stdout, /rent +900\\.00 +850\\.00 +50\\.00/)
})

test('a missing file is one line and exit code 2', () => {
  const { status, stderr } = call('balance', join(folder, 'nowhere.csv'))
  assert.equal(status, 2)
  assert.match(stderr, /^balance: ENOENT.*\\n$/)
})

test('an unknown command prints the commands', () => {
  const { status, stderr } = call('totals')
  assert.equal(status, 2)
  assert.match(stderr, /check \\| balance \\| monthly/)
})
`

/** Writes documentation, checks coverage, tests the command line, runs everything once more. */
export async function finish(agent: Recorder): Promise<void> {
  await agent.turn(
    'It works on real data. A control for one of these figures with awk instead of our code, groceries by month:',
    run(
      `awk -F, '$2 == "groceries" && $4 ~ /^-[0-9.]+$/ && $1 != "2025-02-30" { spent[substr($1, 1, 7)] -= $4 } END { for (month in spent) printf "%s %.2f\\n", month, spent[month] }' data/household.csv | sort`,
    ),
    run('node src/cli.js budget data/household.csv data/budget.csv | grep groceries'),
  )
  await agent.turn(
    'The two agree for each month above 300. README next.',
    edit(
      'README.md',
      '    node src/cli.js forecast data/rules.json 2025-01-01 2025-12-31\n',
      '    node src/cli.js budget   data/household.csv data/budget.csv\n    node src/cli.js forecast data/rules.json 2025-01-01 2025-12-31\n',
    ),
    edit(
      'README.md',
      '`forecast` writes out what',
      '`budget` compares spending with monthly limits (`account,limit`) and exits with 1 if a month is over one of them.\n`forecast` writes out what',
    ),
    read('README.md', 18, 36),
  )
  const coverage = await agent.turn(
    'Which lines no test reaches:',
    run('node --test --experimental-test-coverage | sed -n "/start of coverage/,$ p"'),
  )
  expectMatch(coverage[0], /budget\.js/)
  const command = await agent.turn(
    'cli.js is not even in the list, since nothing imports it. It deserves a test that runs it as a process; temporary files go to a folder that is removed afterwards.',
    write('test/cli.test.js', commandLineTest),
    run('node --test test/cli.test.js'),
  )
  expectMatch(command[1], /not ok \d+ - balance prints/)
  const repaired = await agent.turn(
    'One fails, and it is my expectation: `account` is 7 wide and `balance` holds 2,000.00, so six spaces stand before -900.00, not five.',
    edit('test/cli.test.js', '/^rent {5}-900', '/^rent {6}-900'),
    run(`node --test test/cli.test.js ${summary}`),
  )
  expectMatch(repaired[1], /# fail 0/)
  await agent.turn(
    'Green. Now I break the code on purpose to see that these tests can fail: exit code 1 of budget removed.',
    run(
      "cp src/cli.js cli.backup && sed -i 's/if (rows.length > 0) process.exitCode = 1//' src/cli.js && node --test test/cli.test.js | grep -E '^(not )?ok|expected|actual|^# (pass|fail)'; mv cli.backup src/cli.js",
    ),
  )
  await agent.turn(
    'The budget test notices. Restored; I check that it is, and look over the two files that changed most.',
    run("grep -n 'rows.length > 0' src/cli.js"),
    read('src/csv.js'),
    read('src/report.js'),
  )
  await agent.turn(
    'csv.js has one more hole: a quote that is never closed swallows the rest of the file without a word.',
    run(
      `node -e "import('./src/csv.js').then(({ parseRows }) => console.log(parseRows('a,b\\n\\"open,2\\n3,4\\n')))"`,
    ),
  )
  await agent.turn(
    'Rows 2 and 3 become one field. It should be an error with the line where the quote opened.',
    edit(
      'test/csv.test.js',
      "test('skips blank lines', () => {",
      `test('names the line of a quote that is never closed', () => {
  assert.throws(() => parseRows('a,b\\n"open,2\\n3,4\\n'), /line 2: quote is never closed/)
})

test('skips blank lines', () => {`,
    ),
    edit(
      'src/csv.js',
      "  if (field !== '' || row.length > 0) endRow()",
      `  if (isQuoted) throw new SyntaxError(\`line \${startLine}: quote is never closed\`)\n  if (field !== '' || row.length > 0) endRow()`,
    ),
    run(`node --test test/csv.test.js ${summary}`),
  )
  await agent.turn(
    'And `check` on such a file, since readLedger does not catch it:',
    run(
      `printf 'date,account,payee,amount\\n2025-05-01,snacks,"Kiosk,2.00\\n' > open.csv; node src/cli.js check open.csv; echo "exit $?"; rm open.csv`,
    ),
  )
  const last = await agent.turn(
    'One line, exit code 2: good. The whole suite, in the zone that was broken and in UTC.',
    run(`TZ=Europe/Berlin node --test ${summary}`),
    run('node --test'),
  )
  const passed = capture(last[1], /# pass (\d+)/)
  expectMatch(last[0], /# fail 0/)
  expectMatch(last[1], /# fail 0/)
  const size = await agent.turn(
    'Last, what is in the tree now, so that nothing temporary stays behind.',
    run('wc -l src/*.js test/*.js && ls'),
  )
  const lines = capture(size[0], /(\d+) total/)
  agent.say(
    `Done. ${passed} tests pass, in UTC and in Europe/Berlin; ${lines} lines with tests.\n` +
      '- `budget <ledger> <limits>` in src/budget.js, tested at the limit, over it and with refunds; README describes it.\n' +
      '- cli.js ends every error in one line and exit code 2; test/cli.test.js runs it as a process and fails when the exit code of `budget` is taken out.\n' +
      '- New on the way: an unclosed quote is an error with its line instead of swallowing the rest of the file.\n' +
      'For you to decide: data/rules.json and data/budget.csv are examples I made up to reproduce report 5 and to try `budget`; keep or delete them.',
  )
}
