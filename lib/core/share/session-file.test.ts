import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DEFAULT_POLICY, type MaskPolicy } from '../policy/policy'
import { ReadError } from '../problem'
import type { ModelOverrides } from '../replay/model-overrides'
import { anyText } from '../testing/chat-messages'
import { anyPolicy } from '../testing/policies'
import { sentenceThrownBy, spoken } from '../testing/spoken'
import { forAll } from '../testing/test-size'
import {
  isSessionFile,
  NO_UNKNOWN_KEYS,
  readSessionFile,
  SESSION_VERSION,
  type SessionFile,
  writeSessionFile,
} from './session-file'

const maybe = <Value>(any: fc.Arbitrary<Value>) => fc.option(any, { nil: undefined })
const anyPrice = fc.double({ min: 0, max: 1e6, noNaN: true }).map((price) => price + 0)
const anySize = fc.nat(1_000_000)
const anyTerms: fc.Arbitrary<ModelOverrides> = fc.record(
  {
    ...{ input: anyPrice, cachedRead: anyPrice, output: anyPrice },
    ...{ cacheFamily: fc.constant('none'), minimumTokens: anySize, contextWindow: anySize },
    name: anyText.filter((name) => name.length <= 120),
  },
  { requiredKeys: [] },
)

const anyKey = fc.oneof(anyText, fc.constantFrom('__proto__', 'constructor', '0', 'read', ''))

const anyUnknown = fc.dictionary(
  anyKey.map((key) => `x ${key}`),
  fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value)) as unknown),
  { maxKeys: 3 },
)

/** A byte order mark, lone and paired surrogates, and every character JSON escapes. */
const anySign = fc.constantFrom('\ufeff', '\ud83d', '\ude00', '\u0000', '"', '\\', '\r\n')
const anyTranscript = fc.array(fc.oneof(anyText, anySign)).map((parts) => parts.join(''))

const anySession: fc.Arbitrary<SessionFile> = fc
  .record({
    name: anyText,
    text: anyTranscript,
    readAs: fc.constantFrom(undefined, 'openai-chat' as const, 'codex' as const),
    policy: anyPolicy,
    windowTurns: fc.nat(200),
    model: maybe(anyText),
    prices: fc.array(fc.tuple(anyKey, anyTerms), { maxLength: 3 }),
    notes: anyText,
    top: anyUnknown,
    ofPolicy: anyUnknown,
    transcript: anyUnknown,
  })
  .map(({ policy, windowTurns, prices, top, ofPolicy, transcript, ...rest }) => ({
    ...rest,
    policy: { ...policy, windowTurns },
    prices: Object.fromEntries(prices),
    unknown: { top, policy: ofPolicy, transcript, prices: {} },
  }))

const SESSION: SessionFile = {
  ...{ name: 'run.json', text: '[]', notes: '', policy: DEFAULT_POLICY, prices: {} },
  ...{ readAs: undefined, model: undefined, unknown: NO_UNKNOWN_KEYS },
}

const TRANSCRIPT = { name: 'run.json', text: '[]' }

function written(session: SessionFile): string {
  return writeSessionFile(session).join('')
}

/** A written session with changed JSON. */
function changed(change: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({ ...JSON.parse(written(SESSION)), ...change })
}

describe('a session file', () => {
  test('reads back the same, to the last character', () => {
    forAll(400, [anySession], (session) => {
      const text = written(session)
      expect(isSessionFile(text)).toBe(true)
      const { session: read, problems } = readSessionFile(text)
      expect(problems).toEqual([])
      expect(read).toEqual(session)
      expect(written(read)).toBe(text)
      // No character is lost when it is written as UTF-8.
      const bytes = new TextEncoder().encode(text)
      expect(new TextDecoder('utf-8', { ignoreBOM: true, fatal: true }).decode(bytes)).toBe(text)
    })
  })

  test('with a transcript of many pieces reads back complete', () => {
    const text = `${'a'.repeat(999_999)}\ud83d\ude00${'\ud83d'.repeat(3)}${'é"\n'.repeat(1_000_000)}`
    const pieces = writeSessionFile({ ...SESSION, text })
    expect(pieces.length).toBeGreaterThan(5)
    expect(readSessionFile(pieces.join('')).session.text === text).toBe(true)
  })

  test('preserves keys of a newer version, and reports it', () => {
    const later = {
      ...{ later: { a: [1] }, prices: { 'openai/gpt-5': { input: 2, later_price: 1 } } },
      policy: { window_turns: 3, later_setting: true },
      transcript: { name: 'run.json', text: '[]', later: null },
    }
    const version = SESSION_VERSION + 1
    const { session, problems } = readSessionFile(changed({ ...later, version }))
    expect(problems).toEqual([{ code: 'newer_version', version: String(version) }])
    expect(session.policy).toEqual({ ...DEFAULT_POLICY, windowTurns: 3 })
    expect(JSON.parse(written(session))).toMatchObject(later)
  })

  test.each<readonly [string, Readonly<Record<string, unknown>>, string]>([
    ['window', { policy: { window_turns: 'x', batch_turns: 4 } }, 'window_turns is "x"'],
    ['batch', { policy: { batch_turns: 0 } }, 'batch_turns is 0; expected 1 to 1000000'],
    [
      'tools',
      { policy: { exclude_tools: ['', ''] } },
      'exclude_tools is a list with an empty item; expected a list of tool names.',
    ],
    [
      'format',
      { transcript: { ...TRANSCRIPT, format: 'later' } },
      'transcript.format is a text; expected the id of a format, such as "openai-chat".',
    ],
    ['notes', { notes: 3 }, 'notes is a number; expected a text.'],
    ['model', { model: [] }, 'model is an empty list; expected a text.'],
    ['prices', { prices: 'free' }, 'prices is a text; expected an object.'],
    ['policy', { policy: [] }, 'policy is an empty list; expected an object.'],
    [
      'price',
      { prices: { m: { input: -1 }, n: { input: 1 } } },
      'prices."m".input is a number; expected dollars per million tokens, 0 or more.',
    ],
  ])('ignores only the damaged value, and reports it: %s', (_, change, sentence) => {
    const { session, problems } = readSessionFile(changed(change))
    const reason = expect.stringContaining(sentence)
    expect(spoken(problems)).toMatchObject([{ code: 'bad_value', reason }])
    expect(session.text).toBe('[]')
    const expected: Partial<MaskPolicy> =
      (change.policy as { batch_turns?: number })?.batch_turns === 4 ? { batchTurns: 4 } : {}
    expect(session.policy).toEqual({ ...DEFAULT_POLICY, ...expected })
  })

  test.each([0, 'one', null, 1.5, undefined])('reports an invalid version: %s', (version) => {
    expect(readSessionFile(changed({ version })).problems).toMatchObject([{ code: 'bad_version' }])
  })

  test('without a transcript is rejected with what was found', () => {
    const saidOf = (text: string) => sentenceThrownBy(() => readSessionFile(text))
    const said = (transcript: unknown) => saidOf(changed({ transcript }))
    expect(said(undefined)).toMatch('transcript is missing; expected an object.')
    expect(said({ name: 'x' })).toMatch('transcript.text is missing; expected the text')
    expect(said({ text: [] })).toMatch('transcript.text is an empty list')
    expect(saidOf('[]')).toMatch('The session file is an empty list')
  })

  test('without optional values has empty ones', () => {
    const none = { notes: undefined, policy: undefined, prices: undefined }
    const file = changed({ ...none, transcript: { text: SESSION.text } })
    const { session, problems } = readSessionFile(file)
    expect(problems).toEqual([])
    expect(session).toMatchObject({ name: '', notes: '', policy: DEFAULT_POLICY })
  })

  test('cut off anywhere is recognised by its first key and rejected with the location', () => {
    const text = written({ ...SESSION, text: '[{"role":"user","content":"hello"}]', notes: 'why' })
    for (let length = 50; length < text.trimEnd().length; length++) {
      const cut = text.slice(0, length)
      expect(isSessionFile(cut)).toBe(true)
      expect(() => readSessionFile(cut)).toThrow(ReadError)
    }
  })

  test('is recognised by its shape', () => {
    const inner = JSON.stringify([{ role: 'user', content: written(SESSION) }])
    for (const text of ['', '[]', '{}', '{"format": "other"}', inner, `"${'{'}"`])
      expect(isSessionFile(text)).toBe(false)
    const { format, ...rest } = JSON.parse(written(SESSION))
    expect(isSessionFile(JSON.stringify({ ...rest, format }))).toBe(true)
    expect(isSessionFile(`\ufeff${written(SESSION)}`)).toBe(true)
  })

  test('throws nothing but a ReadError for any JSON', () => {
    const keys = ['policy', 'prices', 'notes', 'model', 'version', 'transcript']
    forAll(300, [fc.dictionary(fc.constantFrom(...keys), fc.jsonValue())], (change) => {
      try {
        readSessionFile(changed(change))
      } catch (error) {
        expect(error).toBeInstanceOf(ReadError)
      }
    })
  })
})
