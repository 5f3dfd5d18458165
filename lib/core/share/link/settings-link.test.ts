import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isSamePolicy, type MaskPolicy, POLICY_FIELDS } from '../../policy/policy'
import { anyText } from '../../testing/chat-messages'
import { spoken } from '../../testing/spoken'
import { forAll } from '../../testing/test-size'
import { anyWritable } from '../toml/testing/writable-policies'
import { LINK_VERSION } from './link-pairs'
import { packText } from './packed-text'
import {
  LINK_DEFAULTS,
  LINK_VIEWS,
  type LinkSettings,
  NO_SETTINGS,
  readSettingsLink,
  writeSettingsLink,
  writeSharedLink,
} from './settings-link'

const anyName = fc.oneof(anyText, fc.constantFrom('a,b', 'a%2Cb', 'a&b=c', '#', '+', ' ', '%'))

const anyLinkPolicy: fc.Arbitrary<MaskPolicy> = fc
  .tuple(anyWritable, anyName, fc.array(anyName), fc.boolean(), fc.nat(1_000_000))
  .map(([policy, placeholderTemplate, names, hasNames, triggerTokens]) => ({
    ...{ ...policy, triggerTokens, placeholderTemplate: placeholderTemplate.toWellFormed() },
    excludeTools: [...new Set(hasNames ? names : policy.excludeTools)].filter((one) => one !== ''),
  }))

const maybe = <Value>(any: fc.Arbitrary<Value>) => fc.option(any, { nil: undefined })
const anyLink: fc.Arbitrary<LinkSettings> = fc.record({
  policy: anyLinkPolicy,
  pinned: maybe(anyLinkPolicy),
  sample: maybe(anyName.map((name) => name.toWellFormed())),
  model: fc.constantFrom(undefined, 'openai/gpt-5', 'gpt-4o', 'own/a-model'),
  view: fc.constantFrom(...LINK_VIEWS),
  mechanism: maybe(
    fc.record({
      id: anyName,
      settings: fc.dictionary(
        anyName.filter((key) => key !== '__proto__'),
        fc.oneof(fc.nat(), fc.boolean(), anyText, fc.array(anyName)),
        { noNullPrototype: true },
      ),
    }),
  ),
  conversation: maybe(fc.nat(2_000_000)),
  transcript: maybe(anyText.map(packText)),
  unknown: fc.constant([]),
})

const PACKED = 'q1YqzsgvV7JSKEktLtFRSk_NSy1KLAHzDJVqAQ'

/** Links of every released version and their meaning. Only ever add to this list. */
const OLD_LINKS: readonly (readonly [string, Partial<MaskPolicy>, Partial<LinkSettings>])[] = [
  ['v=1&w=12&s=coding-session', { windowTurns: 12 }, { sample: 'coding-session' }],
  ['v=1&e=0&w=0', { enabled: false, windowTurns: 0 }, {}],
  [
    'v=1&ke=0&k=2&b=16&tp=1&ng=1&t=32000',
    {
      ...{ keepErrors: false, keepLastKPerTool: 2, batchTurns: 16 },
      ...{ textParts: true, neverGrow: true, triggerTokens: 32000 },
    },
    {},
  ],
  [
    'v=1&p=%5Bgone%20%7Btool_call_id%7D%5D&x=read,a%252Cb&er=traceback,flag',
    {
      ...{ placeholderTemplate: '[gone {tool_call_id}]', excludeTools: ['read', 'a,b'] },
      errorRules: ['traceback', 'flag'],
    },
    {},
  ],
  ['v=1&x=&er=', { excludeTools: [], errorRules: [] }, {}],
  ['v=1&w=4&m=claude', { windowTurns: 4 }, { model: 'anthropic/claude-sonnet-5' }],
  ['v=1&m=gpt-oss', {}, { model: 'groq/openai/gpt-oss-120b' }],
  ['v=1&m=openai%2Fgpt-5', {}, { model: 'openai/gpt-5' }],
  ['w=3', { windowTurns: 3 }, {}],
  [
    'v=2&w=3&a=1&a.w=8&a.b=16&m=claude&o=diff&c=7',
    { windowTurns: 3 },
    {
      pinned: { ...LINK_DEFAULTS, windowTurns: 8, batchTurns: 16 },
      ...{ model: 'claude', view: 'diff', conversation: 6 },
    },
  ],
  ['v=2&a=1', {}, { pinned: LINK_DEFAULTS }],
  [`v=2&z=${PACKED}`, {}, { transcript: PACKED }],
]

describe('a settings link', () => {
  test('reads back the same, and is safe in a URL', () => {
    forAll(300, [anyLink], (settings) => {
      const link = writeSettingsLink(settings)
      expect(link).toMatch(/^[\w\-.~!*'()%,=&]*$/)
      const { settings: read, problems } = readSettingsLink(`#${link}`)
      expect(problems).toEqual([])
      expect(isSamePolicy(read.policy, settings.policy)).toBe(true)
      expect(read.pinned === undefined).toBe(settings.pinned === undefined)
      if (read.pinned && settings.pinned)
        expect(isSamePolicy(read.pinned, settings.pinned)).toBe(true)
      const { policy, pinned, ...others } = settings
      expect(read).toMatchObject(others)
    })
  })

  test('contains only differences, and is empty without one unless it is shared', () => {
    expect(writeSettingsLink(NO_SETTINGS)).toBe('')
    expect(writeSharedLink(NO_SETTINGS)).toBe(`v=${LINK_VERSION}`)
    expect(readSettingsLink('')).toEqual({ settings: NO_SETTINGS, problems: [] })
    const policy = { ...LINK_DEFAULTS, windowTurns: 12 }
    const settings = { ...NO_SETTINGS, policy, sample: 'coding-session' }
    expect(writeSettingsLink(settings)).toBe('v=2&w=12&s=coding-session')
    expect(writeSharedLink(settings)).toBe('v=2&w=12&s=coding-session')
  })

  test.each(OLD_LINKS)('%s has the same meaning as ever', (link, settings, others) => {
    const read = readSettingsLink(link)
    expect(read.problems).toEqual([])
    const policy = { ...LINK_DEFAULTS, ...settings }
    expect(read.settings).toEqual({ ...NO_SETTINGS, ...others, policy })
  })

  test('is tested for every version', () => {
    const versions = OLD_LINKS.map(([link]) => /^v=(\d+)/.exec(link)?.[1] ?? '1')
    const released = Array.from({ length: LINK_VERSION }, (_, index) => String(index + 1))
    expect([...new Set(versions)].sort()).toEqual(released)
  })

  test('never throws, for any text', () => {
    const keys = POLICY_FIELDS.map(({ short }) => `&${short}=`)
    const signs = ['%', '%zz', '=', '&', 'w=', 'e=2', 'v=', '#']
    const anyPart = fc.oneof(anyText, fc.constantFrom(...signs, ...keys))
    forAll(500, [fc.array(anyPart)], (parts) => {
      const { settings } = readSettingsLink(parts.join(''))
      expect(Object.keys(settings.policy).sort()).toEqual(Object.keys(LINK_DEFAULTS).sort())
      for (const field of POLICY_FIELDS) {
        const value = settings.policy[field.key]
        if (field.kind === 'number' && !(field.hasAuto && value === 'auto'))
          expect((field.isWhole ? Number.isInteger : Number.isFinite)(value)).toBe(true)
      }
    })
  })

  test.each<readonly [string, string, Partial<MaskPolicy>]>([
    ['w=many', 'window_turns', {}],
    ['w=1.5', 'window_turns', {}],
    ['ke=yes', 'keep_errors', {}],
    [`p=${'x'.repeat(3000)}`, 'placeholder_template', {}],
    ['o=sideways', 'o', {}],
    ['c=0', 'c', {}],
    ['c=two', 'c', {}],
    ...['h=x', 'h={"id":5,"settings":{}}', 'h={"id":"x","settings":{"n":{}}}'].map(
      (pair) => [pair, 'h', {}] as const,
    ),
    // A number out of bounds is clamped.
    ['b=0', 'batch_turns', { batchTurns: 1 }],
    ['k=99999999', 'keep_last_k_per_tool', { keepLastKPerTool: 1e6 }],
    ['er=timeout,nonsense', 'error_rules', { errorRules: ['timeout'] }],
    ['x=,', 'exclude_tools', { excludeTools: [] }],
    ['x=read,', 'exclude_tools', { excludeTools: ['read'] }],
    ['s=%E0%A4%A', 's=%E0%A4%A', {}],
  ])('ignores only the damaged value, and reports it: %.12s', (damaged, key, applied) => {
    const { settings, problems } = readSettingsLink(`v=1&t=4&${damaged}&tp=1`)
    const policy = { ...LINK_DEFAULTS, triggerTokens: 4, textParts: true, ...applied }
    expect(settings.policy).toEqual(policy)
    expect(spoken(problems)).toEqual([{ code: 'bad_value', reason: expect.any(String), key }])
  })

  test.each([
    ['one word', 'A'.repeat(10_000)],
    ['many parts', '&!%2B;=x'.repeat(2_000)],
    ['percent signs', '%&'.repeat(5_000)],
    ['many keys', Array.from({ length: 2_000 }, (_, index) => `q${index}=1`).join('&')],
    ['a long value of an unknown key', `v=3&text=${'x'.repeat(9_000)}`],
    ['a version', `v=${'9'.repeat(9_000)}`],
  ])('of rubbish is reported in a few sentences, and not passed on: %s', (_, rubbish) => {
    const { settings, problems } = readSettingsLink(`${rubbish}&w=3`)
    expect(settings.policy).toEqual({ ...LINK_DEFAULTS, windowTurns: 3 })
    expect(problems.length).toBeGreaterThan(0)
    expect(JSON.stringify(problems).length).toBeLessThan(500)
    expect(writeSettingsLink(settings).length).toBeLessThan(200)
  })

  test('with one pinned setting pins the others at their defaults', () => {
    const { settings, problems } = readSettingsLink('a.w=4&a.zz=1')
    expect(settings.pinned).toEqual({ ...LINK_DEFAULTS, windowTurns: 4 })
    expect([settings.unknown, problems]).toEqual([[['a.zz', '1']], []])
    expect(readSettingsLink('x=a%25b,c').settings.policy.excludeTools).toEqual(['a%b', 'c'])
    expect(readSettingsLink('w%3D3%zz').settings.policy).toEqual(LINK_DEFAULTS)
  })

  test('means the same when encoded completely, or for HTML', () => {
    const link = 'v=2&w=3&k=2&x=a,b'
    const { settings } = readSettingsLink(link)
    for (const wrapped of [encodeURIComponent(link), link.replaceAll('&', '&amp;')])
      expect(readSettingsLink(`#${wrapped}`)).toEqual({ settings, problems: [] })
  })

  test('reports a newer version, and passes on unknown keys', () => {
    const { settings, problems } = readSettingsLink(`v=${LINK_VERSION + 1}&w=3&zz=a%26b`)
    expect(problems).toEqual([{ code: 'newer_version', version: String(LINK_VERSION + 1) }])
    expect(settings.policy.windowTurns).toBe(3)
    expect(settings.unknown).toEqual([['zz', 'a&b']])
    expect(writeSettingsLink(settings)).toBe('v=2&w=3&zz=a%26b')
  })

  test.each(['', 'one', '-1', '0', '99999999'])('reports an invalid version: %s', (version) => {
    const { problems } = readSettingsLink(`v=${version}`)
    expect(problems).toEqual([{ code: 'bad_version', version }])
  })
})
