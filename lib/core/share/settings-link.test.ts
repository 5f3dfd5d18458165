import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ERROR_RULES } from '../conversation/conversation'
import { isSamePolicy, type MaskPolicy } from '../policy/policy'
import { POLICY_FIELDS } from '../policy/policy-fields'
import { anyText } from '../testing/chat-messages'
import { anyPolicy } from '../testing/policies'
import { LINK_DEFAULTS, LINK_VERSION, readSettingsLink, writeSettingsLink } from './settings-link'

const anyName = fc.oneof(anyText, fc.constantFrom('a,b', 'a%2Cb', 'a&b=c', '#', '+', ' ', '%'))

const anyLinkPolicy: fc.Arbitrary<MaskPolicy> = fc
  .tuple(
    anyPolicy,
    anyName,
    fc.array(
      anyName.filter((name) => name !== ''),
      { maxLength: 3 },
    ),
    fc.nat(1_000_000),
  )
  .map(([policy, placeholderTemplate, excludeTools, triggerTokens]) => ({
    ...policy,
    windowTurns: Math.max(0, policy.windowTurns),
    placeholderTemplate: placeholderTemplate.toWellFormed(),
    excludeTools: [...new Set(excludeTools.map((name) => name.toWellFormed()))],
    triggerTokens,
  }))

const nothing = { sample: undefined, model: undefined, unknown: [] }

/** Links as this and earlier versions wrote them, and what each must always mean. */
const OLD_LINKS: readonly (readonly [string, Partial<MaskPolicy>, string | undefined])[] = [
  ['v=1&w=12&s=coding-session', { windowTurns: 12 }, 'coding-session'],
  ['v=1&e=0&w=0', { enabled: false, windowTurns: 0 }, undefined],
  [
    'v=1&ke=0&k=2&b=16&tp=1&ng=1&t=32000',
    {
      keepErrors: false,
      keepLastKPerTool: 2,
      batchTurns: 16,
      textParts: true,
      neverGrow: true,
      triggerTokens: 32000,
    },
    undefined,
  ],
  [
    'v=1&p=%5Bgone%20%7Btool_call_id%7D%5D&x=read,a%252Cb&er=traceback,flag',
    {
      placeholderTemplate: '[gone {tool_call_id}]',
      excludeTools: ['read', 'a,b'],
      errorRules: ['traceback', 'flag'],
    },
    undefined,
  ],
  ['v=1&x=&er=', { excludeTools: [], errorRules: [] }, undefined],
]

describe('a settings link', () => {
  test('reads back as it was written, and is safe in an address', () => {
    fc.assert(
      fc.property(anyLinkPolicy, fc.option(anyName, { nil: undefined }), (policy, sample) => {
        const wellFormed = sample?.toWellFormed()
        const link = writeSettingsLink({ ...nothing, policy, sample: wellFormed })
        expect(link).toMatch(/^[\w\-.~!*'()%,=&]*$/)
        const { settings, problems } = readSettingsLink(`#${link}`)
        expect(problems).toEqual([])
        expect([settings.policy, isSamePolicy(settings.policy, policy)]).toEqual([
          settings.policy,
          true,
        ])
        expect(settings.sample).toBe(wellFormed)
      }),
      { numRuns: 300 },
    )
  })

  test('is empty when everything is at its default', () => {
    expect(writeSettingsLink({ ...nothing, policy: LINK_DEFAULTS })).toBe('')
    expect(readSettingsLink('')).toEqual({
      settings: { ...nothing, policy: LINK_DEFAULTS },
      problems: [],
    })
  })

  test('names only what differs', () => {
    const policy = { ...LINK_DEFAULTS, windowTurns: 12 }
    expect(writeSettingsLink({ ...nothing, policy, sample: 'coding-session' })).toBe(
      'v=1&w=12&s=coding-session',
    )
  })

  test.each(OLD_LINKS)('%s means what it always meant', (link, settings, sample) => {
    const read = readSettingsLink(link)
    expect(read.problems).toEqual([])
    expect(read.settings).toEqual({ ...nothing, policy: { ...LINK_DEFAULTS, ...settings }, sample })
  })

  test('never throws, whatever the text', () => {
    const anyPart = fc.oneof(
      anyText,
      fc.constantFrom(
        '%',
        '%zz',
        '=',
        '&',
        'w=',
        'e=2',
        'v=',
        '#',
        ...POLICY_FIELDS.map(({ short }) => `&${short}=`),
      ),
    )
    fc.assert(
      fc.property(fc.array(anyPart), (parts) => {
        const { settings } = readSettingsLink(parts.join(''))
        expect(Object.keys(settings.policy).sort()).toEqual(Object.keys(LINK_DEFAULTS).sort())
        for (const field of POLICY_FIELDS) {
          if (field.kind === 'integer')
            expect(Number.isInteger(settings.policy[field.key])).toBe(true)
        }
      }),
      { numRuns: 500 },
    )
  })

  test.each([
    ['w=many', { key: 'window_turns' }],
    ['w=1.5', { key: 'window_turns' }],
    ['ke=yes', { key: 'keep_errors' }],
    [`p=${'x'.repeat(3000)}`, { key: 'placeholder_template' }],
  ])('ignores a damaged value alone, and reports it: %.12s', (damaged, problem) => {
    const { settings, problems } = readSettingsLink(`v=1&b=4&${damaged}&k=3`)
    expect(settings.policy).toEqual({ ...LINK_DEFAULTS, batchTurns: 4, keepLastKPerTool: 3 })
    expect(problems).toEqual([{ code: 'bad_value', reason: expect.any(String), ...problem }])
  })

  test('takes the nearest of a number out of bounds, and reports it', () => {
    const { settings, problems } = readSettingsLink('b=0&k=99999999')
    expect(settings.policy).toMatchObject({ batchTurns: 1, keepLastKPerTool: 1_000_000 })
    expect(problems.map((problem) => 'key' in problem && problem.key)).toEqual([
      'batch_turns',
      'keep_last_k_per_tool',
    ])
  })

  test('takes the error rules it knows, and reports the others', () => {
    const { settings, problems } = readSettingsLink('er=timeout,nonsense')
    expect(settings.policy.errorRules).toEqual(['timeout'])
    expect(problems).toHaveLength(1)
    expect(ERROR_RULES).toContain('timeout')
  })

  test('reports percent signs that mean nothing', () => {
    expect(readSettingsLink('w=12&s=%E0%A4%A').problems).toMatchObject([
      { code: 'bad_value', key: 's=%E0%A4%A' },
    ])
    expect(readSettingsLink('w=12&s=%E0%A4%A').settings.policy.windowTurns).toBe(12)
  })

  test('says when it comes from a newer version, and keeps what it does not know', () => {
    const { settings, problems } = readSettingsLink(`v=${LINK_VERSION + 1}&w=3&zz=a%26b`)
    expect(problems).toEqual([{ code: 'newer_version', version: String(LINK_VERSION + 1) }])
    expect(settings.policy.windowTurns).toBe(3)
    expect(settings.unknown).toEqual([['zz', 'a&b']])
    expect(writeSettingsLink(settings)).toBe('v=1&w=3&zz=a%26b')
  })

  test.each(['v=', 'v=one', 'v=-1', 'v=99999999'])(
    'says when its version is no version: %s',
    (link) => {
      expect(readSettingsLink(link).problems).toEqual([
        { code: 'bad_version', version: link.slice(2) },
      ])
    },
  )

  test('no two settings share a key', () => {
    const keys = [...POLICY_FIELDS.map(({ short }) => short), 'v', 's', 'm']
    expect(new Set(keys).size).toBe(keys.length)
  })
})
