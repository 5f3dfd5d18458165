import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DEFAULT_POLICY, isSamePolicy, type MaskPolicy } from '../../policy/policy'
import { anyText } from '../../testing/chat-messages'
import { anyPolicy, anyToolNames } from '../../testing/policies'
import { fuzz } from '../../testing/test-size'
import { readPolicyToml } from './read-policy-toml'
import { tomlEntries } from './toml-entries'
import { writePolicyIntoToml, writePolicyToml } from './write-policy-toml'

const anyWritable: fc.Arbitrary<MaskPolicy> = fc
  .tuple(anyPolicy, anyText, fc.oneof(anyToolNames, fc.array(anyText)))
  .map(([policy, placeholderTemplate, excludeTools]) => ({
    ...policy,
    windowTurns: Math.max(0, policy.windowTurns),
    placeholderTemplate: placeholderTemplate.toWellFormed(),
    excludeTools: [...new Set(excludeTools)],
  }))

const schema1 = (lines: string) => `[observation_masking.schema1]\n${lines}\n`

describe('a policy as TOML', () => {
  test('reads back the same', () => {
    fc.assert(
      fc.property(anyWritable, fc.boolean(), (policy, hasComments) => {
        const text = writePolicyToml(policy, hasComments)
        const read = readPolicyToml(text)
        expect(read).toMatchObject({ state: 'read', problems: [] })
        expect([text, read.state === 'read' && isSamePolicy(read.policy, policy)]).toEqual([
          text,
          true,
        ])
      }),
      fuzz(300),
    )
  })

  test('of the default policy is the published one, without extensions', () => {
    expect(writePolicyToml(DEFAULT_POLICY)).toBe(
      schema1(`enabled = false
window_turns = 8
keep_errors = true
keep_last_k_per_tool = 0
placeholder_template = "[Observation masquée: résultat d'outil ancien (tool_call_id={tool_call_id}, outil={tool_name}, chars={original_chars})]"`),
    )
  })

  test('has extensions in a separate table, only those that differ', () => {
    const text = writePolicyToml({ ...DEFAULT_POLICY, batchTurns: 16, excludeTools: ['a"b', 'é'] })
    expect(text).toContain(
      '\n\n[observation_masking.schema1.extensions]\nbatch_turns = 16\nexclude_tools = ["a\\"b", "é"]\n',
    )
  })

  test('is read from a complete config, with defaults for missing settings', () => {
    const text = `[server]\nport = 1\n\n${schema1('window_turns = 3')}\n[observation_masking]\nother = true\n`
    expect(readPolicyToml(text)).toEqual({
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
      'keep_last_k_per_tool is 99999999; expected 0 to 1000000, of which 1000000 is nearest.',
    ],
    ['extensions = 3', 'extensions is a value; expected a table of settings.'],
    [
      'batch_turns = 4',
      '[observation_masking.schema1] has no setting "batch_turns"; known are enabled, window_turns, keep_errors, keep_last_k_per_tool, placeholder_template, extensions.',
    ],
    [
      '[observation_masking.schema1.extensions]\nbatch_turns = 0',
      'batch_turns is 0; expected 1 to 1000000, of which 1 is nearest.',
    ],
    [
      '[observation_masking.schema1.extensions]\nexclude_tools = [1]',
      'exclude_tools is a list; expected a list of tool names.',
    ],
    [
      '[observation_masking.schema1.extensions]\nerror_rules = ["x"]',
      'error_rules names "x"; known are traceback, exception, error_line, timeout, connection, json_error, flag, stack_trace, exit_code, error_flag, json_failure.',
    ],
    [
      '[observation_masking.schema1.extensions]\nwindow_turns = 1',
      '[observation_masking.schema1.extensions] has no setting "window_turns"; known are batch_turns, text_parts, exclude_tools, never_grow, trigger_tokens, error_rules, error_patterns, link_by_order.',
    ],
  ])('reports %j and reads the rest', (lines, problem) => {
    const read = readPolicyToml(schema1(`keep_errors = false\n${lines}`))
    expect(read).toMatchObject({
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
      /^There is no table \[observation_masking\.schema1\] in it\.$/,
    ],
    ['with something else by that name', 'observation_masking = 3', /^There is no table/],
    ['empty', '', /^There is no table/],
  ])('fails with a sentence if it is %s', (_, text, reason) => {
    expect(readPolicyToml(text)).toEqual({ state: 'failed', reason: expect.stringMatching(reason) })
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
    expect(readPolicyToml(text)).toMatchObject({
      problems: [`${place}enabled is 1; expected true or false.`],
    })
  })

  test('entries end where a text is no longer TOML', () => {
    expect(tomlEntries('a = 1\nb')).toHaveLength(1)
  })

  test('accepts JavaScript property names as keys', () => {
    const read = readPolicyToml(schema1('__proto__ = { enabled = true }\nconstructor = 1'))
    expect(read).toMatchObject({ state: 'read', policy: DEFAULT_POLICY })
    expect(read.state === 'read' && read.problems).toHaveLength(2)
  })

  test('has a comment above each key on request', () => {
    const text = writePolicyToml({ ...DEFAULT_POLICY, batchTurns: 16 }, true)
    const lines = text.split('\n')
    const keys = lines.flatMap((line, at) => (/^\w+ = /.test(line) ? [at] : []))
    expect(keys).toHaveLength(6)
    for (const at of keys) expect(lines[at - 1]).toMatch(/^# .+\.|}$/)
    expect(text).toContain('# Beyond Schema 1')
  })

  test('reports thousands of unknown keys in time that grows with their number', () => {
    const medianOf = (keys: number): number => {
      const lines = Array.from({ length: keys }, (_, at) => `key_${at} = ${at}`).join('\n')
      const text = schema1(lines)
      const times = Array.from({ length: 5 }, () => {
        const start = performance.now()
        const read = readPolicyToml(text)
        expect(read.state === 'read' && read.problems.length).toBe(keys)
        return performance.now() - start
      })
      return times.sort((a, b) => a - b)[2] as number
    }
    medianOf(500)
    // Four times the keys take four times as long, not sixteen times.
    const ratios = [1, 2, 3].map(() => medianOf(8_000) / medianOf(2_000))
    expect(Math.min(...ratios)).toBeLessThan(10)
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
    expect(read).toMatchObject({ state: 'read', policy: DEFAULT_POLICY })
    const problems = read.state === 'read' ? read.problems : []
    expect(problems.map((problem) => problem.slice(0, problem.indexOf(' is ')))).toEqual([
      'Line 4: batch_turns',
      expect.stringContaining('Line 5: '),
      'Line 9: window_turns',
      'Line 12: keep_errors',
      expect.stringContaining('Line 13: '),
    ])
  })
})

const CONFIG = `# The proxy's settings.
title = 'proxy "one"' # [observation_masking.schema1]

[server]
port = 0x1F90
note = """
[observation_masking.schema1]
window_turns = 1
"""

[observation_masking.schema1]   # masking
enabled = false # for now
window_turns   =   0x08
# keep_errors = false
keep_last_k_per_tool = 0 # off
mystery = 7

[[models]]
name = "a" # [x]
[models.price]
input = 1.0
`

describe('a policy written into a config', () => {
  const into = (text: string, policy: MaskPolicy): string => {
    const written = writePolicyIntoToml(text, policy)
    if (written.state === 'failed') throw new Error(written.reason)
    return written.text
  }

  test('changes the values of its table and nothing else', () => {
    const policy = { ...DEFAULT_POLICY, enabled: true, keepErrors: false, keepLastKPerTool: 2 }
    expect(into(CONFIG, policy)).toBe(
      CONFIG.replace('enabled = false', 'enabled = true').replace(
        'tool = 0 # off\nmystery = 7',
        'tool = 2 # off\nmystery = 7\nkeep_errors = false',
      ),
    )
  })

  test('adds a table of extensions after its table', () => {
    const text = into(CONFIG, { ...DEFAULT_POLICY, batchTurns: 16 })
    expect(text).toBe(
      CONFIG.replace(
        'mystery = 7\n',
        'mystery = 7\n\n[observation_masking.schema1.extensions]\nbatch_turns = 16\n',
      ),
    )
  })

  test("adds its table to a config without one, with the config's line ends", () => {
    expect(into('[server]\r\nport = 1', DEFAULT_POLICY)).toMatch(
      /^\[server\]\r\nport = 1\r\n\r\n\[observation_masking\.schema1\]\r\n# .+\r\nenabled = false\r\n/,
    )
    expect(into('', DEFAULT_POLICY)).toBe(writePolicyToml(DEFAULT_POLICY, true))
  })

  test('is complete in an empty config, and after a last line without its end', () => {
    const policy = { ...DEFAULT_POLICY, windowTurns: 5 }
    expect(readPolicyToml(into('', policy))).toMatchObject({ policy })
    expect(readPolicyToml(into('x = 1\n', policy))).toMatchObject({ policy })
    const text = '[observation_masking.schema1]'
    expect(into(text, policy)).toBe(`${text}\nwindow_turns = 5`)
  })

  test('does not change a config with the same policy', () => {
    expect(into(CONFIG, DEFAULT_POLICY)).toBe(CONFIG)
  })

  test('adds its table if there is only the one of extensions', () => {
    const config = 'a = 1\n\n[observation_masking.schema1.extensions]\nbatch_turns = 3 # steps\n'
    expect(into(config, { ...DEFAULT_POLICY, windowTurns: 5, neverGrow: true })).toBe(
      'a = 1\n\n[observation_masking.schema1.extensions]\nbatch_turns = 1 # steps\nnever_grow = true\n\n[observation_masking.schema1]\nwindow_turns = 5\n',
    )
  })

  test('preserves 64-bit numbers of other tables', () => {
    const config = `[ids]\nown = 9223372036854775807\n\n${schema1('window_turns = 3')}`
    expect(readPolicyToml(config)).toMatchObject({ state: 'read', policy: { windowTurns: 3 } })
    expect(into(config, { ...DEFAULT_POLICY, windowTurns: 5 })).toBe(
      config.replace('window_turns = 3', 'window_turns = 5'),
    )
    expect(readPolicyToml(schema1('window_turns = 9223372036854775807'))).toMatchObject({
      policy: { windowTurns: 1_000_000 },
      problems: [expect.stringContaining('Line 2: window_turns is')],
    })
  })

  test('corrects an invalid value', () => {
    expect(into(schema1('window_turns = "8"'), DEFAULT_POLICY)).toBe(schema1('window_turns = 8'))
  })

  test.each([
    ['dotted keys', 'observation_masking.schema1.window_turns = 3\nother = 1\n'],
    ['keys of a table around it', '[observation_masking]\nx = 1\nschema1.window_turns = 3\n'],
    [
      'an inline table',
      '[observation_masking]\nschema1 = { window_turns = 3, keep_errors = true }\n',
    ],
  ])('changes the existing values, or reports that it cannot: %s', (_, text) => {
    const written = writePolicyIntoToml(text, { ...DEFAULT_POLICY, windowTurns: 5 })
    if (written.state === 'failed') expect(written.reason).toMatch(/inline or dotted/)
    else expect(written.text).toBe(text.replace('= 3', '= 5'))
  })

  test('reports where a config is not TOML', () => {
    expect(writePolicyIntoToml('[a\n', DEFAULT_POLICY)).toMatchObject({ state: 'failed' })
  })

  test('reads back the same, for any policy and config', () => {
    const anyConfig = fc.oneof(
      fc.constantFrom(CONFIG, CONFIG.replaceAll('\n', '\r\n'), '', 'a = 1', schema1('')),
      anyWritable.map(
        (policy) => `x = 1\n${writePolicyToml(policy, true)}\n[y]\nz = [1, # ]\n2]\n`,
      ),
    )
    fc.assert(
      fc.property(anyConfig, anyWritable, (config, policy) => {
        const read = readPolicyToml(into(config, policy))
        expect(read.state === 'read' && isSamePolicy(read.policy, policy)).toBe(true)
      }),
      fuzz(300),
    )
  })
})
