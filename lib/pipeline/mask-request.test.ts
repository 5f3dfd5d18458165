import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readDocument } from '../core/formats/read-document'
import { maskDocument } from '../core/mask/mask-document'
import { maskOldToolResults } from '../core/mask/mask-old-tool-results'
import { DEFAULT_POLICY, type MaskPolicy } from '../core/policy/policy'
import type { ChatMessage } from '../core/testing/chat-messages'
import { turnOf } from '../core/testing/conversation-of'
import { anyActivePolicy, countQuarters } from '../core/testing/policies'
import { anyMessagesWithUniqueIds } from '../core/testing/test-sessions'
import { forAll } from '../core/testing/test-size'
import { createMaskMemory } from './mask-memory'
import { type MaskOptions, maskRequestBody } from './mask-request'

const SAMPLES = fileURLToPath(new URL('../../public/samples/formats', import.meta.url))
const ON: MaskPolicy = { ...DEFAULT_POLICY, enabled: true }
const COUNTED = { countTokens: countQuarters }

const bodyOf = (messages: unknown) => JSON.stringify({ model: 'm', messages })
const messagesOf = (text: string) => JSON.parse(text).messages as ChatMessage[]

/** A session whose result in every turn is long enough to be masked. */
function sessionOf(turns: number): ChatMessage[] {
  const rounds = Array.from({ length: turns }, (_, turn) =>
    turnOf(`c${turn}`, `line ${turn} `.repeat(40), 'read', ''),
  ) as ChatMessage[][]
  return [
    { role: 'system', content: 'be brief' },
    { role: 'user', content: 'go' },
    ...rounds.flat(),
  ]
}

/** Ids of the masked results of a body. */
function maskedIn(text: string): string[] {
  return messagesOf(text).flatMap(({ role, content, tool_call_id: id }) =>
    role === 'tool' && String(content).startsWith('[Observation') ? [String(id)] : [],
  )
}

describe('a request body', () => {
  const formats = 'openai-chat openai-responses anthropic-messages gemini bedrock-converse'
  test.each(formats.split(' '))('of %s is masked as the playground masks it', (format) => {
    const text = readFileSync(join(SAMPLES, format, 'request-body.json'), 'utf8')
    const policy = { ...ON, windowTurns: 2, keepErrors: false }
    const { text: masked, report } = maskRequestBody(text, policy)
    const document = readDocument(text)
    expect(masked).toBe(maskDocument({ text, ...document }, policy).text)
    expect(report).toMatchObject({ outcome: 'masked', format, tokens: undefined })
    expect(report.reasons.masked).toBe(report.maskedResults)
    expect(report.reasons.in_window).toBe(report.results - report.maskedResults)
    const [before, after] = [text, masked].map((body) => Buffer.byteLength(body))
    expect(report.jsonBytes).toEqual({ before, after })
    const { characters = { before: 0, after: 0 }, resultCharacters } = report
    expect(resultCharacters?.after).toBeLessThan(resultCharacters?.before as number)
    expect((resultCharacters?.before ?? 0) - (resultCharacters?.after ?? 0)).toBe(
      characters.before - characters.after,
    )
  })

  test('is masked as its messages are, for all messages and policies', () => {
    forAll(60, [anyMessagesWithUniqueIds, anyActivePolicy], (messages, policy) => {
      const { text, report } = maskRequestBody(bodyOf(messages), policy, COUNTED)
      expect(report.problem).toBeUndefined()
      // A trigger counts the texts of a document a little differently.
      if (policy.triggerTokens > 0) return
      const expected = maskOldToolResults(messages, policy, countQuarters)
      expect(messagesOf(text)).toEqual(JSON.parse(JSON.stringify(expected)))
    })
  })

  test('moves the window at break-even in the requests in which the core moves it', () => {
    const file = new URL('../core/conformance/schema1.json', import.meta.url)
    const { cases }: { cases: readonly { messages: ChatMessage[] }[] } = JSON.parse(
      readFileSync(file, 'utf8'),
    )
    const policy: MaskPolicy = { ...ON, windowTurns: 2, batchTurns: 'auto' }
    const movesOf = (messages: readonly ChatMessage[], settings: MaskPolicy) =>
      [...messages.keys(), messages.length].filter((end) => {
        const sent = messages.slice(0, end)
        const { text, report } = maskRequestBody(bodyOf(sent), settings)
        expect(messagesOf(text)).toEqual(maskOldToolResults(sent, settings))
        return report.window?.moved === true
      })
    expect(movesOf(sessionOf(40), policy)).toEqual([36, 37, 62, 63])
    const published = cases.map(({ messages }) => messages)
    expect(published.flatMap((messages) => movesOf(messages, policy))).toEqual([])
    // Where writing costs what reading does, every move is free.
    const free = { ...policy, windowTurns: 1, cacheWriteRatio: 0.1 }
    expect(published.flatMap((messages) => movesOf(messages, free)).length).toBeGreaterThan(50)
    forAll(20, [anyMessagesWithUniqueIds, fc.constantFrom(policy, free)], (messages, settings) => {
      movesOf(messages, settings)
    })
    const { window } = maskRequestBody(bodyOf(sessionOf(12)), policy).report
    expect(window).toEqual({
      ...{ moved: false, staleTokens: 482.5 },
      ...{ debt: 217.125, priceOfMoving: 353.625 },
    })
  })

  test('reports tokens if asked', () => {
    const options = { ...COUNTED, reportTokens: true }
    const { report } = maskRequestBody(bodyOf(sessionOf(12)), { enabled: true }, options)
    const { before = 0, after = 0 } = report.tokens ?? {}
    expect(after).toBeLessThan(before)
    expect(report.maskedResults).toBe(4)
  })

  test('has the defaults of the settings that are missing', () => {
    const text = bodyOf(sessionOf(12))
    expect(maskRequestBody(text, { enabled: true }).text).toBe(maskRequestBody(text, ON).text)
  })

  test('is masked at its own list of messages, whatever lists its other members have', () => {
    const other = { contents: [{ role: 'model', parts: [{ text: 'x' }] }] }
    const examples = [{ messages: sessionOf(12) }]
    const text = JSON.stringify({ metadata: { other, examples }, messages: sessionOf(9) })
    const { text: masked, report } = maskRequestBody(text, ON)
    expect(report).toMatchObject({ format: 'openai-chat', maskedResults: 1 })
    expect(maskedIn(masked)).toEqual(['c0'])
    expect(JSON.parse(masked).metadata).toEqual(JSON.parse(text).metadata)
  })
})

describe('sent as it came, with its reason', () => {
  const body = bodyOf(sessionOf(12))
  const NO_COUNTER = 'needs token counts'
  test.each<[string, string, Partial<MaskPolicy>, string, string | undefined, MaskOptions?]>([
    ['a policy that is off', body, {}, 'off', undefined],
    ['a window of 0', body, { ...ON, windowTurns: 0 }, 'off', undefined],
    ['another body', '{"model":"m","input":["a","b"]}', ON, 'no_request', undefined],
    ['a list', JSON.stringify(sessionOf(12)), ON, 'no_request', undefined],
    ['lines', `${body}\n${body}`, ON, 'no_request', undefined],
    ['a body cut off', body.slice(0, 900), ON, 'failed', 'It looks cut off.'],
    ['an empty body', '', ON, 'failed', 'There is nothing here yet'],
    ['a setting of the wrong type', body, { ...ON, windowTurns: '8' as never }, 'failed', 'is "8"'],
    ['no counter', body, { ...ON, neverGrow: true }, 'failed', NO_COUNTER],
    ['no counter to report', body, ON, 'failed', 'countTokens', { reportTokens: true }],
    ['nothing old', bodyOf(sessionOf(3)), ON, 'unchanged', undefined],
  ])('%s', (_, text, policy, outcome, problem, options) => {
    const masked = maskRequestBody(text, policy, options)
    expect(masked.text).toBe(text)
    expect(masked.report.outcome).toBe(outcome)
    if (problem === undefined) expect(masked.report.problem).toBeUndefined()
    else expect(masked.report.problem).toContain(problem)
  })
})

describe('a request for a summary', () => {
  const tools = [{ type: 'function', function: { name: 'read', parameters: {} } }]
  const ask = (text: string) => [...sessionOf(12), { role: 'user', content: text }]
  const outcome = (body: object, options: MaskOptions = {}) =>
    maskRequestBody(JSON.stringify({ model: 'm', ...body }), ON, options).report.outcome

  test('is one without tools in a session that had some, and is sent whole unless asked for', () => {
    const memory = createMaskMemory()
    const last = { messages: ask('Sum up'), tools: [] }
    expect(outcome(last, { memory })).toBe('masked')
    expect(outcome({ messages: sessionOf(12), tools }, { memory })).toBe('masked')
    expect(outcome(last, { memory })).toBe('compaction')
    expect(outcome(last, { memory, maskCompactions: true })).toBe('masked')
    expect(outcome({ messages: sessionOf(0) }, { memory })).toBe('unchanged')
    expect(outcome(last, { memory })).toBe('masked')
  })

  test.each([
    'Your task is to create a detailed summary of the conversation so far.',
    'You are performing a CONTEXT CHECKPOINT COMPACTION. Go on.',
    'Create a new anchored summary from the conversation history above.',
    'First, reason. Then, generate the updated <state_snapshot>.',
  ])('is known by the words of its client: %s', (words) => {
    const read = [...sessionOf(12), ...turnOf('last', words)]
    const [system, ...others] = sessionOf(12)
    expect(outcome({ messages: ask(words), tools })).toBe('compaction')
    expect(outcome({ messages: [{ ...system, content: words }, ...others] })).toBe('compaction')
    expect(outcome({ messages: read, tools })).toBe('masked')
    expect(outcome({ messages: [...read, ...turnOf('more', 'x')], tools })).toBe('masked')
  })

  test('is known by the metadata of Codex', () => {
    const metadata = { 'x-codex-turn-metadata': '{"request_kind":"compaction"}' }
    const messages = sessionOf(12)
    expect(outcome({ messages, tools, client_metadata: metadata })).toBe('compaction')
  })
})

describe('a memory', () => {
  const policy = { ...ON, windowTurns: 3, batchTurns: 4 }
  const session = sessionOf(12)
  /** What a client sends that keeps the beginning and the last turns. */
  const trimmed = (messages: readonly ChatMessage[], turns: number) => [
    ...messages.slice(0, 2),
    ...messages.slice(2 + 2 * turns),
  ]

  test('keeps masked what was masked when the history loses its first turns', () => {
    const memory = createMaskMemory()
    const mask = (messages: readonly ChatMessage[]) =>
      maskedIn(maskRequestBody(bodyOf(messages), policy, { memory }).text)
    const all = Array.from({ length: 8 }, (_, turn) => `c${turn}`)
    expect(mask(session)).toEqual(all)
    expect(mask(trimmed(session, 2))).toEqual(all.slice(2))
    // Without the memory, the step ends four turns earlier.
    expect(maskedIn(maskRequestBody(bodyOf(trimmed(session, 2)), policy).text)).toEqual(
      all.slice(2, 6),
    )
  })

  const alone = ['c2', 'c3', 'c4', 'c5']
  test('starts a session anew with a request without any answer', () => {
    const memory = createMaskMemory()
    for (const messages of [session, session.slice(0, 2)])
      maskRequestBody(bodyOf(messages), policy, { memory })
    const { text } = maskRequestBody(bodyOf(trimmed(session, 2)), policy, { memory })
    expect(maskedIn(text)).toEqual(alone)
  })

  test.each<[string, (id: string) => object]>([
    ...['x-claude-code-session-id', 'x-session-id', 'session_id', 'x-client-session-id'].map(
      (name): [string, () => object] => [name, () => ({})],
    ),
    ['prompt_cache_key', (id) => ({ prompt_cache_key: id })],
    ['metadata', (id) => ({ metadata: { sessionId: id } })],
  ])('knows a session by the %s of its client', (name, members) => {
    const memory = createMaskMemory()
    const mask = (id: string, messages: readonly ChatMessage[]) => {
      const header = (asked: string) => (asked === name ? id : undefined)
      const body = JSON.stringify({ model: 'm', messages, ...members(id) })
      return maskedIn(maskRequestBody(body, policy, { memory, header }).text)
    }
    mask('one', session)
    expect(mask('two', trimmed(session, 2))).toEqual(alone)
    const [, ...others] = trimmed(session, 2)
    // A title for the session, asked beside it, ends nothing.
    mask('one', [{ role: 'user', content: 'a title, please' }])
    const moved = [{ role: 'system', content: 'the date is another' }, ...others]
    expect(mask('one', moved)).toEqual([...alone, 'c6', 'c7'])
  })

  test('keeps the window, other sessions and other policies apart', () => {
    const memory = createMaskMemory()
    const mask = (messages: readonly ChatMessage[], own = policy, sessionKey?: string) =>
      maskedIn(maskRequestBody(bodyOf(messages), own, { memory, sessionKey }).text)
    mask(session)
    // The user went back to turn 4: its last three results are in the window.
    expect(mask(session.slice(0, 2 + 2 * 4))).toEqual(['c0'])
    expect(mask(trimmed(session, 2), policy, 'other')).toEqual(['c2', 'c3', 'c4', 'c5'])
    expect(mask(trimmed(session, 2), { ...policy, batchTurns: 5 })).toEqual(
      Array.from({ length: 5 }, (_, turn) => `c${turn + 2}`),
    )
    const [system, ...others] = trimmed(session, 2)
    expect(mask([{ ...system, content: 'another agent' }, ...others])).toHaveLength(4)
  })

  test('never unmasks what is older than the window, whatever the client drops', () => {
    const anyWindow = fc.record({
      windowTurns: fc.integer({ min: 1, max: 4 }),
      batchTurns: fc.oneof(fc.integer({ min: 2, max: 5 }), fc.constant('auto' as const)),
      cacheWriteRatio: fc.constantFrom(0.1, 0.2, 1),
    })
    const anyDrops = fc.infiniteStream(fc.nat(6))
    forAll(30, [anyMessagesWithUniqueIds, anyWindow, anyDrops], (messages, window, drops) => {
      const own = { ...ON, ...window, keepErrors: false, placeholderTemplate: '[{tool_name}]' }
      const memory = createMaskMemory()
      const options = { memory, sessionKey: 's', ...COUNTED }
      const before = new Map<string, unknown>()
      for (let end = 2; end <= messages.length; end += 2) {
        // Calls stay with their results: only whole requests are sent.
        const dropped = drops.next().value as number
        const sent = messages.filter((_, at) => at < end && (at < 2 || at >= 2 + dropped))
        const { text, decided } = maskRequestBody(bodyOf(sent), own, options)
        const { conversation, decisions = [] } = decided ?? {}
        for (const [at, { reason, placeholder }] of decisions.entries()) {
          const result = conversation?.results[at]
          const { callId = '', turn = 0 } = result ?? {}
          const isOld = turn < (conversation?.turnCount ?? 0) - own.windowTurns
          if (reason === 'masked') expect(isOld).toBe(true)
          if (reason === 'in_window') expect(before.has(callId) && isOld).toBe(false)
          if (placeholder !== undefined) before.set(callId, placeholder)
        }
        expect(messagesOf(text).length).toBe(sent.length)
      }
    })
  })

  test('is bounded: the session that was not used for the longest time is forgotten', () => {
    const memory = createMaskMemory(1_000)
    const ids = (name: string) => Array.from({ length: 10 }, (_, at) => `${name}-${at}`.padEnd(40))
    const arrive = (key: string) =>
      memory.arrive(key, { policy, head: '', isFirst: false, hasTools: false }).callIds.size
    const remember = (key: string, callIds: readonly string[]) => {
      arrive(key)
      memory.remember(key, callIds)
    }
    for (const key of ['a', 'b', 'a', 'c']) remember(key, ids(key))
    expect(['a', 'c', 'b'].map(arrive)).toEqual([10, 10, 0])
    remember(
      'c',
      Array.from({ length: 40 }, (_, at) => `more-${at}`.padEnd(40)),
    )
    expect(arrive('c')).toBe(0)
    const large = createMaskMemory()
    const arrival = { policy, head: '', isFirst: false, hasTools: true }
    large.arrive('a', arrival)
    large.remember(
      'a',
      Array.from({ length: 10_001 }, (_, at) => String(at)),
    )
    expect(large.arrive('a', arrival)).toMatchObject({ hadTools: true, callIds: new Set() })
  })
})
