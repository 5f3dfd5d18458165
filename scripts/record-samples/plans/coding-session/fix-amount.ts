import { capture, expectMatch, type Recorder } from '../../recorder'
import { edit, read, run } from '../../tools'

const summary = "| grep -E '^(not )?ok|^# (pass|fail)'"

/** Fixes signs, single decimals, several thousands separators, and the lost sign of small amounts. */
export async function fixAmount(agent: Recorder): Promise<void> {
  const table = await agent.turn(
    'Exactly the three planted rows, and their line numbers match grep. Report 1 is closed. Amounts: a table of what parse and format do today.',
    run(
      `node -e "import('./src/amount.js').then(({ parseAmount, formatAmount }) => { for (const text of ['12', '12.5', '12.05', '-3.25', '-0.50', '-0.05', '1,150', '1,234,567.89', '1,2,3']) { let cents; try { cents = parseAmount(text) } catch (error) { cents = error.message } let back; try { back = formatAmount(cents) } catch (error) { back = error.message } console.log(text.padEnd(14), String(cents).padEnd(10), back) } })"`,
    ),
  )
  const wrong = capture(table[0], /-3\.25\s+(-?\d+)/)
  const million = capture(table[0], /1,234,567\.89\s+(\S+)/)
  await agent.turn(
    `Four faults: 12.5 is read as 12.05; -3.25 gives ${wrong} because cents are added to a negative whole; 1,234,567.89 gives ${million} since only the first comma goes; and -0.50 loses its sign. '1,2,3' should not pass the shape at all. Start with the fraction and sign.`,
    edit(
      'src/amount.js',
      "  return Number(whole.replace(',', '')) * 100 + Number(fraction)",
      "  const wholeCents = Number(whole.replaceAll(',', '')) * 100\n  return wholeCents + Math.sign(wholeCents) * Number(fraction.padEnd(2, '0'))",
    ),
    edit(
      'test/amount.test.js',
      "  assert.equal(parseAmount('-3.25'), -325)\n",
      "  assert.equal(parseAmount('-3.25'), -325)\n  assert.equal(parseAmount('-0.50'), -50)\n  assert.equal(parseAmount('0.05'), 5)\n",
    ),
    run('node --test test/amount.test.js'),
  )
  await agent.turn(
    'My own mistake: Math.sign of 0 is 0, so amounts below one lose their cents altogether. The sign has to come from the text.',
    edit(
      'src/amount.js',
      "  const wholeCents = Number(whole.replaceAll(',', '')) * 100\n  return wholeCents + Math.sign(wholeCents) * Number(fraction.padEnd(2, '0'))",
      "  const digits = whole.replaceAll(',', '').replace('-', '')\n  const cents = Number(digits) * 100 + Number(fraction.padEnd(2, '0'))\n  return trimmed.startsWith('-') && cents !== 0 ? -cents : cents",
    ),
    run(`node --test test/amount.test.js ${summary}`),
  )
  await agent.turn(
    'Green. Now the shape: commas only between groups of three, and a test for it.',
    edit(
      'src/amount.js',
      'const shape = /^-?\\d[\\d,]*(\\.\\d{1,2})?$/',
      'const shape = /^-?(\\d+|\\d{1,3}(,\\d{3})+)(\\.\\d{1,2})?$/',
    ),
    edit(
      'test/amount.test.js',
      "for (const text of ['', 'abc', '1.234', '--1', '8.4O']) {",
      "for (const text of ['', 'abc', '1.234', '--1', '8.4O', '1,2,3', '1150,', '1,15']) {",
    ),
    edit(
      'test/amount.test.js',
      "  assert.equal(parseAmount('1,150'), 115000)\n",
      "  assert.equal(parseAmount('1,150'), 115000)\n  assert.equal(parseAmount('1,234,567.89'), 123456789)\n",
    ),
    run(`node --test test/amount.test.js ${summary}`),
  )
  const small = await agent.turn(
    'Report 7, the refund printed without its sign: formatAmount. Test first.',
    edit(
      'test/amount.test.js',
      "  assert.equal(formatAmount(-1205), '-12.05')\n",
      "  assert.equal(formatAmount(-1205), '-12.05')\n  assert.equal(formatAmount(-5), '-0.05')\n  assert.equal(formatAmount(0), '0.00')\n",
    ),
    run('node --test test/amount.test.js'),
  )
  expectMatch(small[1], /# fail 1/)
  await agent.turn(
    'Math.trunc(-0.05) is -0, which prints as 0. Sign taken apart here as well.',
    read('src/amount.js', 24, 37),
    edit(
      'src/amount.js',
      `  const whole = Math.trunc(cents / 100)\n  const fraction = String(Math.abs(cents % 100)).padStart(2, '0')\n  return \`\${groupThousands(whole)}.\${fraction}\``,
      `  const sign = cents < 0 ? '-' : ''\n  const whole = Math.trunc(Math.abs(cents) / 100)\n  const fraction = String(Math.abs(cents) % 100).padStart(2, '0')\n  return \`\${sign}\${groupThousands(whole)}.\${fraction}\``,
    ),
    run(`node --test test/amount.test.js ${summary}`),
  )
  const round = await agent.turn(
    'To be sure about the pair, a round trip over every value from -200,000 to 200,000 cents.',
    run(
      `node -e "import('./src/amount.js').then(({ parseAmount, formatAmount }) => { let wrong = 0; for (let cents = -200000; cents <= 200000; cents++) if (parseAmount(formatAmount(cents)) !== cents) wrong++; console.log(wrong + ' of 400001 differ') })"`,
    ),
  )
  expectMatch(round[0], /^0 of/)
}
