import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DEFAULT_POLICY, isSamePolicy, type MaskPolicy } from '../../policy/policy'
import { spoken } from '../../testing/spoken'
import { forAll } from '../../testing/test-size'
import { inEnglish } from '../../words/english'
import { readPolicyToml, writePolicyIntoToml, writePolicyToml } from './policy-toml'
import { anyWritable, schema1 } from './testing/writable-policies'

describe('a policy as TOML', () => {
  test('reads back the same', () => {
    forAll(300, [anyWritable, fc.boolean()], (policy, hasComments) => {
      const text = writePolicyToml(policy, hasComments)
      const read = readPolicyToml(text)
      expect(read).toMatchObject({ state: 'read', problems: [] })
      expect(read.state === 'read' && isSamePolicy(read.policy, policy), text).toBe(true)
    })
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
    const table = 'batch_turns = 16\nexclude_tools = ["a\\"b", "é"]\n'
    expect(text).toContain(`\n\n[observation_masking.schema1.extensions]\n${table}`)
  })

  test('has a comment above each key on request', () => {
    const text = writePolicyToml({ ...DEFAULT_POLICY, batchTurns: 16 }, true)
    const lines = text.split('\n')
    const keys = lines.flatMap((line, at) => (/^\w+ = /.test(line) ? [at] : []))
    expect(keys).toHaveLength(6)
    for (const at of keys) expect(lines[at - 1]).toMatch(/^# .+\.|}$/)
    expect(text).toContain('# Beyond Schema 1')
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
    if (written.state === 'failed') throw new Error(inEnglish(written.reason))
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
    const table = '\n[observation_masking.schema1.extensions]\nbatch_turns = 16\n'
    const extended = CONFIG.replace('mystery = 7\n', `mystery = 7\n${table}`)
    expect(into(CONFIG, { ...DEFAULT_POLICY, batchTurns: 16 })).toBe(extended)
  })

  test("adds its table to a config without one, with the config's line ends", () => {
    expect(into('[server]\r\nport = 1', DEFAULT_POLICY)).toMatch(
      /^\[server\]\r\nport = 1\r\n\r\n\[observation_masking\.schema1\]\r\n# .+\r\nenabled = false\r\n/,
    )
    expect(into('', DEFAULT_POLICY)).toBe(writePolicyToml(DEFAULT_POLICY, true))
    // After a last line without its end.
    const text = '[observation_masking.schema1]'
    expect(into(text, { ...DEFAULT_POLICY, windowTurns: 5 })).toBe(`${text}\nwindow_turns = 5`)
  })

  test('does not change a config with the same policy, and corrects an invalid value', () => {
    expect(into(CONFIG, DEFAULT_POLICY)).toBe(CONFIG)
    expect(into(schema1('window_turns = "8"'), DEFAULT_POLICY)).toBe(schema1('window_turns = 8'))
    expect(writePolicyIntoToml('[a\n', DEFAULT_POLICY)).toMatchObject({ state: 'failed' })
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
    const changed = config.replace('window_turns = 3', 'window_turns = 5')
    expect(into(config, { ...DEFAULT_POLICY, windowTurns: 5 })).toBe(changed)
    expect(spoken(readPolicyToml(schema1('window_turns = 9223372036854775807')))).toMatchObject({
      policy: { windowTurns: 1_000_000 },
      problems: [expect.stringContaining('Line 2: window_turns is')],
    })
  })

  test.each([
    ['dotted keys', 'observation_masking.schema1.window_turns = 3\nother = 1\n'],
    ['keys of a table around it', '[observation_masking]\nx = 1\nschema1.window_turns = 3\n'],
    [
      'an inline table',
      '[observation_masking]\nschema1 = { window_turns = 3, keep_errors = true }',
    ],
  ])('changes the existing values, or reports that it cannot: %s', (_, text) => {
    const written = writePolicyIntoToml(text, { ...DEFAULT_POLICY, windowTurns: 5 })
    if (written.state === 'failed') expect(inEnglish(written.reason)).toMatch(/inline or dotted/)
    else expect(written.text).toBe(text.replace('= 3', '= 5'))
  })

  test('reads back the same, for any policy and config', () => {
    const anyConfig = fc.oneof(
      fc.constantFrom(CONFIG, CONFIG.replaceAll('\n', '\r\n'), '', 'a = 1', 'x = 1\n', schema1('')),
      anyWritable.map((policy) => `x = 1\n${writePolicyToml(policy, true)}\n[y]\nz = [1, # ]\n2]`),
    )
    forAll(300, [anyConfig, anyWritable], (config, policy) => {
      const read = readPolicyToml(into(config, policy))
      expect(read.state === 'read' && isSamePolicy(read.policy, policy)).toBe(true)
    })
  })
})
