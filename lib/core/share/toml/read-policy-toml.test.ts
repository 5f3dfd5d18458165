import { describe, expect, test } from 'vitest'
import { ALL_ERROR_RULES } from '../../conversation/conversation'
import { DEFAULT_POLICY, POLICY_FIELDS } from '../../policy/policy'
import { spoken } from '../../testing/spoken'
import { inEnglish } from '../../words/english'
import { readPolicyToml } from './policy-toml'
import { schema1 } from './testing/writable-policies'
import { tomlEntries } from './toml-entries'

const [EXTENSIONS, SETTINGS] = [true, false].map((is) =>
  POLICY_FIELDS.filter(({ isExtension = false }) => isExtension === is).map(({ toml }) => toml),
) as [string[], string[]]
const TABLE = '[observation_masking.schema1]'
const EXTENSION = '[observation_masking.schema1.extensions]\n'

describe('a policy as TOML', () => {
  test('is read from a complete config, with defaults for missing settings', () => {
    const text = `[server]\nport = 1\n\n${schema1('window_turns = 3')}\n[observation_masking]\nother = true\n`
    expect(spoken(readPolicyToml(text))).toEqual({
      state: 'read',
      policy: { ...DEFAULT_POLICY, windowTurns: 3 },
      problems: [],
    })
  })

  test('uses the given defaults for missing settings', () => {
    const defaults = { ...DEFAULT_POLICY, enabled: true, windowTurns: 4 }
    const policyOf = (lines: string) => {
      const read = readPolicyToml(schema1(lines), defaults)
      return read.state === 'read' ? read.policy : undefined
    }
    expect(policyOf('')).toEqual(defaults)
    expect(policyOf('enabled = false')).toEqual({ ...defaults, enabled: false })
  })

  test.each([
    ['window_turns = "8"', 'window_turns is "8"; expected a whole number from 0 to 1000000.'],
    ['window_turns = 8.5', 'window_turns is 8.5; expected a whole number from 0 to 1000000.'],
    ['enabled = 1', 'enabled is 1; expected true or false.'],
    ['placeholder_template = []', 'placeholder_template is a list; expected a text.'],
    [
      'keep_last_k_per_tool = 99999999',
      `keep_last_k_per_tool is 99999999; expected 0 to 1000000, of which 1000000 is nearest.`,
    ],
    ['extensions = 3', 'extensions is a value; expected a table of settings.'],
    [
      'window = 4',
      `${TABLE} has no setting "window"; known are ${SETTINGS.join(', ')}, extensions.`,
    ],
    [
      'batch_turns = 4',
      `${TABLE} has no setting "batch_turns"; it belongs in ${EXTENSION.trim()}.`,
    ],
    [
      `${EXTENSION}batch_turns = 0`,
      'batch_turns is 0; expected 1 to 1000000, of which 1 is nearest.',
    ],
    [`${EXTENSION}exclude_tools = [1]`, 'exclude_tools is a list; expected a list of tool names.'],
    [
      `${EXTENSION}exclude_tools = ["", ""]`,
      'exclude_tools is a list with an empty item; expected a list of tool names.',
    ],
    [
      `${EXTENSION}error_patterns = [""]`,
      'error_patterns is a list with an empty item; expected a list of texts.',
    ],
    [
      `${EXTENSION}error_rules = ["x"]`,
      `error_rules names "x"; known are ${ALL_ERROR_RULES.join(', ')}.`,
    ],
    [
      `${EXTENSION}turns = 1`,
      `${EXTENSION.trim()} has no setting "turns"; known are ${EXTENSIONS.join(', ')}.`,
    ],
    [
      `[observation_masking]\nwindow_turns = 1`,
      `[observation_masking] has no setting "window_turns"; it belongs in ${TABLE.trim()}.`,
    ],
    [
      `${EXTENSION}window_turns = 1`,
      `${EXTENSION.trim()} has no setting "window_turns"; it belongs in ${TABLE.trim()}.`,
    ],
  ])('reports %j and reads the rest', (lines, problem) => {
    const read = readPolicyToml(schema1(`keep_errors = false\n${lines}`))
    expect(spoken(read)).toMatchObject({
      state: 'read',
      policy: { keepErrors: false },
      problems: [`Line ${lines.includes('\n') ? 4 : 3}: ${problem}`],
    })
  })

  test.each([
    ['not TOML', '[a\nb = ', /^Line 1, column \d+: not TOML \(.+\)\.$/],
    [
      'without the table',
      'window_turns = 3',
      /^There is no table \[observation_masking.schema1\] in it\.$/,
    ],
    ['with something else by that name', 'observation_masking = 3', /^There is no table/],
    ['empty', '', /^There is no table/],
  ])('fails with a sentence if it is %s', (_, text, reason) => {
    const failed = { state: 'failed', reason: expect.stringMatching(reason) }
    expect(spoken(readPolicyToml(text))).toEqual(failed)
  })

  test.each([
    ['after a byte order mark', `\ufeff${schema1('enabled = 1')}# end`, 'Line 2: '],
    ['after tables of an array', `[[a]]\n[[a]]\n'b' = 1\n${schema1('enabled = 1')}`, 'Line 5: '],
    [
      'by a name whose line is not found',
      '["\\U0000006Fbservation_masking".schema1]\nenabled = 1',
      '',
    ],
  ])('reports a problem %s', (_, text, place) => {
    expect(spoken(readPolicyToml(text))).toMatchObject({
      problems: [`${place}enabled is 1; expected true or false.`],
    })
  })

  test('entries end where a text is no longer TOML', () => {
    expect(tomlEntries('a = 1\nb')).toHaveLength(1)
  })

  test('leaves a table of another program among the extensions alone', () => {
    const read = readPolicyToml(schema1(`${EXTENSION}batch_turns = 4\nother = { window = 1 }`))
    expect(spoken(read)).toMatchObject({ policy: { batchTurns: 4 }, problems: [] })
  })

  test('accepts JavaScript property names as keys', () => {
    const read = readPolicyToml(schema1('__proto__ = { enabled = true }\nconstructor = 1'))
    expect(spoken(read)).toMatchObject({ state: 'read', policy: DEFAULT_POLICY })
    expect(read.state === 'read' && read.problems).toHaveLength(2)
  })

  test('reports every problem with its line, in file order', () => {
    const text = `title = "proxy"

[observation_masking.schema1.extensions]
batch_turns = "often" # how often
colour = 1

[observation_masking.schema1]
# the window
window_turns = [
  8,
]
"keep_errors" = 1
windows = 3
`
    const read = readPolicyToml(text)
    expect(spoken(read)).toMatchObject({ state: 'read', policy: DEFAULT_POLICY })
    const problems = read.state === 'read' ? read.problems.map(inEnglish) : []
    expect(problems.map((problem) => problem.slice(0, problem.indexOf(' is ')))).toEqual([
      'Line 4: batch_turns',
      expect.stringContaining('Line 5: '),
      'Line 9: window_turns',
      'Line 12: keep_errors',
      expect.stringContaining('Line 13: '),
    ])
  })
})
