import { capture, expectMatch, type Recorder } from '../../recorder'
import { edit, read, run, write } from '../../tools'

const summary = "| grep -E '^(not )?ok|^# (pass|fail)'"

/** Fixes month ends, time zones, and rules that never advance. */
export async function fixCalendar(agent: Recorder): Promise<void> {
  await agent.turn(
    '0 of 400001 differ; amounts are done, report 7 closed. Calendar: the failing test, and report 4 by setting the zone.',
    run('node --test test/calendar.test.js'),
    run(`TZ=Europe/Berlin node --test test/calendar.test.js ${summary}`),
    run(`TZ=America/Los_Angeles node --test test/calendar.test.js ${summary}`),
  )
  await agent.turn(
    'UTC fails only at the month end, Berlin fails everywhere a day is written: local midnight is the day before in UTC. Los Angeles hides it. formatDay must use Date.UTC, and addMonths must clamp before formatting.',
    edit(
      'src/calendar.js',
      '  const date = new Date(year, month - 1, day)\n  return date.toISOString().slice(0, 10)',
      '  return new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10)',
    ),
    edit(
      'src/calendar.js',
      '  return formatDay({ year, month: month + months, day })',
      '  const target = month + months\n  return formatDay({ year, month: target, day: Math.min(day, daysInMonth(year, target)) })',
    ),
    run(`node --test test/calendar.test.js ${summary}`),
  )
  const zones = await agent.turn(
    'Date.UTC takes month 14 as February of the next year, so daysInMonth(2025, 14) is right without more code. All three zones, plus one beyond UTC+12:',
    run(`TZ=Europe/Berlin node --test test/calendar.test.js ${summary}`),
    run(`TZ=America/Los_Angeles node --test test/calendar.test.js ${summary}`),
    run(`TZ=Pacific/Kiritimati node --test test/calendar.test.js ${summary}`),
  )
  for (const zone of zones) expectMatch(zone, /# fail 0/)
  const recurring = await agent.turn(
    'Report 4 closed. Recurring should follow from the clamp:',
    run('node --test test/recurring.test.js'),
  )
  expectMatch(recurring[0], /not ok \d+ - books on the last day/)
  agent.think(
    'Not a consequence after all: expandRule steps from the previous booking, so 31 -> 28 sticks at 28 for the rest of the year. ' +
      'Each booking has to be computed from the start: start + n * every.',
  )
  await agent.turn(
    'It does not: expandRule steps from the previous booking, so once February has made it the 28th it stays the 28th. Bookings must be counted from `start`.',
    edit(
      'src/recurring.js',
      `function step(day, rule) {
  if (rule.unit === 'month') return addMonths(day, rule.every)
  if (rule.unit === 'week') return addDays(day, rule.every * 7)
  return addDays(day, rule.every)
}`,
      `// From the start each time: stepping from the last booking would keep the 28th after a February.
function bookingDay(rule, count) {
  const steps = count * rule.every
  if (rule.unit === 'month') return addMonths(rule.start, steps)
  if (rule.unit === 'week') return addDays(rule.start, steps * 7)
  return addDays(rule.start, steps)
}`,
    ),
    edit(
      'src/recurring.js',
      '  while (day <= to) {',
      '  for (let count = 1; day <= to; count++) {',
    ),
    edit('src/recurring.js', '    day = step(day, rule)', '    day = bookingDay(rule, count)'),
    run(`node --test test/recurring.test.js ${summary}`),
  )
  const full = await agent.turn('All files now:', run(`node --test ${summary}`))
  const passed = capture(full[0], /# pass (\d+)/)
  expectMatch(full[0], /# fail 0/)
  await agent.turn(
    `Green: ${passed} pass. The reports that remain are 2, 3, 5 and 8. Report 5 first; I write a plausible rules file, as none is in the tree.`,
    write(
      'data/rules.json',
      `${JSON.stringify(
        [
          {
            account: 'rent',
            payee: 'Harbour Housing',
            amount: '-1,150',
            start: '2025-01-31',
            every: 1,
            unit: 'month',
          },
          {
            account: 'salary',
            payee: 'Tern Workshop',
            amount: '2,480.5',
            start: '2025-01-25',
            every: 1,
            unit: 'month',
          },
          {
            account: 'transport',
            payee: 'City Transit',
            amount: '-29',
            start: '2025-01-06',
            every: 2,
            unit: 'week',
          },
          {
            account: 'insurance',
            payee: 'Lighthouse Mutual',
            amount: '-84.20',
            start: '2025-02-01',
            every: 0,
            unit: 'month',
          },
        ],
        null,
        2,
      )}\n`,
    ),
    run('node src/cli.js forecast data/rules.json 2025-01-01 2025-06-30', 5),
  )
  await agent.turn(
    'Killed after 5 s: `every: 0` ("once", I suppose the author meant) never leaves the start day. Which other values loop or go wrong? One process each with a 2 s limit.',
    run(
      `for every in 0 -1 0.5 '"2"' null; do echo "every=$every"; timeout 2 node -e "import('./src/recurring.js').then(({ expandRule }) => console.log(expandRule({ account: 'a', payee: 'p', amount: '-1', start: '2025-01-31', every: $every, unit: 'month' }, '2025-01-01', '2025-03-31').map((booking) => booking.date).join(' ')))" 2>&1 | grep -vE '^\\s*(at|$)' | head -4; echo "exit \${PIPESTATUS[0]}"; done`,
      20,
    ),
  )
  await agent.turn(
    'Only whole numbers from 1 make sense, and an unknown unit silently means days. Both get refused with the rule named. Tests first.',
    edit(
      'test/recurring.test.js',
      "test('orders bookings of several rules by day', () => {",
      `test('refuses a rule that would never move on', () => {
  for (const every of [0, -1, 0.5, '2', null]) {
    assert.throws(() => expandRule({ ...rent, every }, '2025-01-01', '2025-03-31'), {
      name: 'RuleError',
      message: /Harbour Housing: every must be a whole number from 1/,
    })
  }
})

test('refuses an unknown unit', () => {
  assert.throws(() => expandRule({ ...rent, unit: 'year' }, '2025-01-01', '2025-03-31'), {
    message: 'Harbour Housing: unit must be day, week or month, not "year"',
  })
})

test('orders bookings of several rules by day', () => {`,
    ),
    edit(
      'src/recurring.js',
      'export function expandRule(rule, from, to) {\n',
      `export class RuleError extends Error {
  constructor(rule, message) {
    super(\`\${rule.payee}: \${message}\`)
    this.name = 'RuleError'
  }
}

function checkRule(rule) {
  if (!Number.isInteger(rule.every) || rule.every < 1) {
    throw new RuleError(rule, \`every must be a whole number from 1, not \${JSON.stringify(rule.every)}\`)
  }
  if (!['day', 'week', 'month'].includes(rule.unit)) {
    throw new RuleError(rule, \`unit must be day, week or month, not \${JSON.stringify(rule.unit)}\`)
  }
}

export function expandRule(rule, from, to) {
  checkRule(rule)
`,
    ),
    run('node --test test/recurring.test.js', 20),
  )
  await agent.turn(
    'Good. The command itself, with the bad rule and then with it repaired:',
    run('node src/cli.js forecast data/rules.json 2025-01-01 2025-06-30', 5),
    run(
      `sed -i 's/"every": 0/"every": 12/' data/rules.json && node src/cli.js forecast data/rules.json 2025-01-01 2025-06-30`,
      5,
    ),
    read('src/recurring.js'),
  )
}
