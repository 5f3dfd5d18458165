import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DEFAULT_POLICY, isSamePolicy, type MaskPolicy } from '../policy/policy'
import { anyText } from '../testing/chat-messages'
import { anyPolicy } from '../testing/policies'
import { readPolicyToml, writePolicyToml } from './policy-toml'

const anyWritable: fc.Arbitrary<MaskPolicy> = fc
  .tuple(anyPolicy, anyText, fc.array(anyText))
  .map(([policy, placeholderTemplate, excludeTools]) => ({
    ...policy,
    windowTurns: Math.max(0, policy.windowTurns),
    placeholderTemplate: placeholderTemplate.toWellFormed(),
    excludeTools: [...new Set(excludeTools.map((name) => name.toWellFormed()))],
  }))

const schema1 = (lines: string) => `[observation_masking.schema1]\n${lines}\n`

describe('a policy as TOML', () => {
  test('reads back as it was written', () => {
    fc.assert(
      fc.property(anyWritable, (policy) => {
        const text = writePolicyToml(policy)
        const read = readPolicyToml(text)
        expect(read).toMatchObject({ state: 'read', problems: [] })
        expect([text, read.state === 'read' && isSamePolicy(read.policy, policy)]).toEqual([
          text,
          true,
        ])
      }),
      { numRuns: 300 },
    )
  })

  test('of the default is the published one, without extensions', () => {
    expect(writePolicyToml(DEFAULT_POLICY)).toBe(
      schema1(`enabled = false
window_turns = 8
keep_errors = true
keep_last_k_per_tool = 0
placeholder_template = "[Observation masquée: résultat d'outil ancien (tool_call_id={tool_call_id}, outil={tool_name}, chars={original_chars})]"`),
    )
  })

  test('has extensions in a table of their own, only those that differ', () => {
    const text = writePolicyToml({ ...DEFAULT_POLICY, batchTurns: 16, excludeTools: ['a"b', 'é'] })
    expect(text).toContain(
      '\n\n[observation_masking.schema1.extensions]\nbatch_turns = 16\nexclude_tools = ["a\\"b", "é"]\n',
    )
  })

  test('is read out of a whole config, with defaults for what is left out', () => {
    const text = `[server]\nport = 1\n\n${schema1('window_turns = 3')}\n[observation_masking]\nother = true\n`
    expect(readPolicyToml(text)).toEqual({
      state: 'read',
      policy: { ...DEFAULT_POLICY, windowTurns: 3 },
      problems: [],
    })
  })

  test('takes what is left out from the defaults it is given', () => {
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
      'error_rules names "x"; known are traceback, exception, error_line, timeout, connection, json_error, flag.',
    ],
    [
      '[observation_masking.schema1.extensions]\nwindow_turns = 1',
      '[observation_masking.schema1.extensions] has no setting "window_turns"; known are batch_turns, text_parts, exclude_tools, never_grow, trigger_tokens, error_rules.',
    ],
  ])('reports %j and reads the rest', (lines, problem) => {
    const read = readPolicyToml(schema1(`keep_errors = false\n${lines}`))
    expect(read).toMatchObject({
      state: 'read',
      policy: { keepErrors: false },
      problems: [problem],
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
  ])('fails in a sentence when it is %s', (_, text, reason) => {
    expect(readPolicyToml(text)).toEqual({ state: 'failed', reason: expect.stringMatching(reason) })
  })

  test('takes keys of the language for keys', () => {
    const read = readPolicyToml(schema1('__proto__ = { enabled = true }\nconstructor = 1'))
    expect(read).toMatchObject({ state: 'read', policy: DEFAULT_POLICY })
    expect(read.state === 'read' && read.problems).toHaveLength(2)
  })
})
