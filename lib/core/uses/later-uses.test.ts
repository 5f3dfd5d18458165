import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ReadConversation } from '../conversation/conversation'
import { DEFAULT_POLICY, type MaskPolicy } from '../policy/policy'
import { decideRequest } from '../replay/decide-request'
import { type PreparedReplay, prepareReplay } from '../replay/prepare-replay'
import { type CostTerms, replayPrepared } from '../replay/replay'
import { answerEnd, createSession, type Session } from '../replay/sessions'
import type { MaskWindow } from '../replay/walk-masked-requests'
import type { JsonValue } from '../testing/chat-messages'
import { conversationOf, turnOf } from '../testing/conversation-of'
import { countQuarters } from '../testing/policies'
import { flatPrices } from '../testing/test-sessions'
import { fuzz } from '../testing/test-size'
import { countConversation } from '../tokens/count-conversation'
import { findLaterUses, type LaterUse } from './find-later-uses'
import { type Candidate, findTerms } from './find-terms'
import { distanceOfShare, lossCurve, usesByDistance } from './loss-curve'
import { type LosableUse, losableUses, lostUsesAt } from './lost-uses'
import { breakEvenRefetches, refetchCosts } from './refetch-costs'
import { createTermIndex } from './term-index'

const MASKING: MaskPolicy = { ...DEFAULT_POLICY, enabled: true }

interface Measured {
  readonly conversation: ReadConversation
  readonly session: Session
  readonly uses: readonly LaterUse[]
  readonly prepared: PreparedReplay
  readonly losable: readonly LosableUse[]
}

function sourcesOf({ resultTexts }: ReadConversation) {
  return {
    textOf: (index: number) => resultTexts[index]?.join('') ?? '',
    placeholderTokensOf: (_: number, placeholder: string) => countQuarters(placeholder),
  }
}

function measure(messages: readonly JsonValue[], policy = MASKING): Measured {
  const conversation = conversationOf(messages)
  const session = createSession(conversation, countConversation(conversation, countQuarters))
  const uses = findLaterUses(session, conversation)
  const prepared = prepareReplay(session, policy, sourcesOf(conversation))
  const losable = losableUses(uses, prepared, {
    template: policy.placeholderTemplate,
    resultTokens: session.counts.results,
  })
  return { conversation, session, uses, prepared, losable }
}

/** Thirty turns; the second one reads a fact, and the last one uses it. */
function thirtyTurns(fact: string, written = fact): JsonValue[][] {
  return Array.from({ length: 30 }, (_, index) => {
    if (index === 1) return turnOf('call_1', `The booking is ${fact} and it is paid.`)
    if (index === 29) return turnOf('call_29', 'done', 'cancel', JSON.stringify({ what: written }))
    return turnOf(`call_${index}`, `nothing here, page ${index}`)
  })
}

const begin: JsonValue = { role: 'user', content: 'Please cancel it.' }
const facts = ({ uses }: Measured) =>
  uses.map(({ term, kind, turn, distance, where }) => ({ term, kind, turn, distance, where }))

describe('a fact of turn 2 that turn 30 uses', () => {
  test.each([
    ['id', 'PAY7407366'],
    ['number', '48213'],
    ['path', 'src/ledger.ts:42'],
    ['hash', 'a182587f'],
    ['hash', '0c2f6e0a-5a1d-4c57-9b0e-3f0d5a6b7c8d'],
    ['url', 'https://example.org/orders/9'],
    ['error_code', 'TS2345'],
    ['name', 'postEntryTwice'],
  ])('is found, a %s: %s', (kind, fact) => {
    const measured = measure([begin, ...thirtyTurns(fact).flat()])
    expect(facts(measured)).toEqual([
      { term: fact, kind, turn: 1, distance: 28, where: 'arguments' },
    ])
    const lostAt = (windowTurns: number) =>
      lostUsesAt(measured.losable, { windowTurns, batchTurns: 1 }).length
    expect([1, 8, 27, 28, 30].map(lostAt)).toEqual([1, 1, 1, 0, 0])
  })

  test('has its place in the histogram, and its result is fetched again once', () => {
    const turns = thirtyTurns('PAY7407366', 'PAY7407366 a182587f')
    turns[1] = turnOf('call_1', 'PAY7407366 a182587f')
    turns.push(turnOf('call_30', 'done', 'close', '{"of": "nothing here, page 3"}'))
    const { uses, losable } = measure([begin, ...turns.flat()])
    expect(usesByDistance(uses)).toEqual(Array.from({ length: 29 }, (_, at) => (at === 28 ? 2 : 0)))
    expect([0.4, 0.95, 1].map((share) => distanceOfShare(uses, share))).toEqual([28, 28, 28])
    expect(distanceOfShare([], 0.95)).toBe(0)
    const lost = lostUsesAt(losable, { windowTurns: 8, batchTurns: 1 })
    expect(lost.map(({ result, request }) => [result, request])).toEqual([
      [1, 29],
      [1, 29],
    ])
  })

  test('does not count if the user gave it', () => {
    const asked = { role: 'user', content: 'Please cancel PAY7407366.' }
    expect(facts(measure([asked, ...thirtyTurns('PAY7407366').flat()]))).toEqual([])
  })

  test('counts from the later result that has it too, and is kept with that', () => {
    const turns = thirtyTurns('PAY7407366')
    turns[26] = turnOf('call_26', 'PAY7407366 is open')
    const { uses, losable } = measure([begin, ...turns.flat()])
    expect(uses.map(({ turn, distance, holders }) => ({ turn, distance, holders }))).toEqual([
      { turn: 26, distance: 3, holders: [1, 26] },
    ])
    expect(lostUsesAt(losable, { windowTurns: 8, batchTurns: 1 })).toEqual([])
  })

  test('does not count if the model said it in between', () => {
    const turns = thirtyTurns('PAY7407366')
    turns[10]?.unshift({ role: 'assistant', content: 'I found PAY7407366.' })
    // What it said then was a use of turn 2, nine turns later.
    expect(facts(measure([begin, ...turns.flat()]))).toEqual([
      { term: 'PAY7407366', kind: 'id', turn: 1, distance: 9, where: 'text' },
    ])
  })

  test.each([
    'paid', // a common word
    '482', // a number of three digits
    '2024', // a year
    'strings.HasSuffix', // a member of a standard library
    'cell.padEnd', // the same
    'package.json', // a file of most projects
    'utf-16', // an encoding
    'usr/local/bin', // a folder of most systems
    'cancel', // the name of a tool
    'what', // the name of a parameter
  ])('does not count as a common term: %s', (fact) => {
    expect(facts(measure([begin, ...thirtyTurns(fact).flat()]))).toEqual([])
  })

  test('is not lost if its result is kept as an error, or its placeholder contains it', () => {
    const turns = thirtyTurns('PAY7407366')
    turns[1] = turnOf('call_1', 'error: PAY7407366 is closed')
    expect(measure([begin, ...turns.flat()]).losable).toEqual([])
    expect(
      measure([begin, ...turns.flat()], { ...MASKING, keepErrors: false }).losable,
    ).toHaveLength(1)
    const text = `${'x'.repeat(1023)} 1040 or 1041`
    turns[1] = turnOf('call_1', text)
    turns[29] = turnOf('call_29', 'done', 'cancel', '{"chars": 1036}')
    expect(text).toHaveLength(1036)
    expect(measure([begin, ...turns.flat()]).uses).toEqual([])
    turns[29] = turnOf('call_29', 'done', 'cancel', '{"chars": 1040}')
    expect(measure([begin, ...turns.flat()]).losable).toHaveLength(1)
    turns[1] = turnOf('call_1', `1040 ${'x'.repeat(1035)}`)
    expect(measure([begin, ...turns.flat()]).uses).toHaveLength(1)
    expect(measure([begin, ...turns.flat()]).losable).toEqual([])
  })
})

test('a placeholder of another result brings a use back once that result is masked', () => {
  const turns = thirtyTurns('1040')
  turns[20] = turnOf('call_20', 'x'.repeat(1040))
  const template = '[{original_chars} characters, once {original_chars}]'
  const policy = { ...MASKING, placeholderTemplate: template }
  const { uses, losable } = measure([begin, ...turns.flat()], policy)
  expect(uses).toMatchObject([{ term: '1040', turn: 1 }])
  const lostAt = (windowTurns: number) => lostUsesAt(losable, { windowTurns, batchTurns: 1 }).length
  // The request of the answer has 29 turns; a window of 8 has passed turn 20.
  expect([1, 8, 9, 27, 28].map(lostAt)).toEqual([0, 0, 1, 1, 0])
  expect([...lossCurve(losable, 1, 28).uses]).toEqual(
    Array.from({ length: 28 }, (_, at) => (at >= 8 && at < 27 ? 1 : 0)),
  )
})

test('a result that answers no call is never masked, so nothing of it is lost', () => {
  const turns = thirtyTurns('PAY7407366')
  turns[2]?.push({ role: 'tool', content: 'PAY7407366 again' })
  expect(measure([begin, ...turns.flat()]).uses).toEqual([])
})

test('the names and ids of calls and the names of their arguments are known', () => {
  const turns = thirtyTurns('PAY7407366')
  const known = (call: Record<string, JsonValue>) => {
    turns[10] = [{ role: 'assistant', content: null, tool_calls: [call] }]
    return measure([begin, ...turns.flat()]).uses.length === 0
  }
  const named = (name: string, text = '{}') => ({ name, arguments: text })
  expect(known({ id: 'other', function: named('read') })).toBe(false)
  expect(known({ id: 'PAY7407366', function: named('read') })).toBe(true)
  expect(known({ function: named('PAY7407366') })).toBe(true)
  expect(known({ function: { arguments: '{}' } })).toBe(false)
  expect(known({ id: 'other', function: named('read', '{"a": [{"PAY7407366": null}]}') })).toBe(
    true,
  )
})

test('terms without a word or of more than 240 characters are not looked for', () => {
  const index = createTermIndex()
  const long = `https://example.org/${'a'.repeat(220)}`
  expect([index.add('~/--/~'), index.add(`${long}b`), index.add(long)]).toEqual([
    undefined,
    undefined,
    0,
  ])
  expect(facts(measure([begin, ...thirtyTurns(`${long}b`).flat()]))).toEqual([])
  expect(findTerms('= - = - = - = - = - = - = - = - = -')).toEqual([])
})

test.each([
  ['error_code', 'TS2345'],
  ['number', '48213'],
  ['hash', 'a182587f'],
])('words in a row have parts: %s', (kind, term) => {
  expect(findTerms(`see build-${term}`)).toMatchObject([
    { term: `build-${term}`, parts: [{ term, kind, parts: [] }] },
  ])
})

test('breaks even at the refetches that the saving pays for', () => {
  expect(breakEvenRefetches(1, { results: 4, cached: 0.5 })).toBe(8)
  expect(breakEvenRefetches(-1, { results: 4, cached: 0.5 })).toBe(0)
  expect(breakEvenRefetches(1, { results: 0, cached: 0 })).toBeUndefined()
  expect(breakEvenRefetches(undefined, { results: 4, cached: 0.5 })).toBeUndefined()
})

/** What a request contains after masking, as a reader would search it. */
function textsOfRequest({ conversation, session }: Measured, request: number, policy: MaskPolicy) {
  const decisions = decideRequest(session, request, policy, sourcesOf(conversation))
  const { end } = session.requests[request] as Session['requests'][number]
  const texts: string[] = []
  let result = 0
  for (const [index, { contents, calls }] of conversation.messageTexts.slice(0, end).entries()) {
    const ofMessage = conversation.results.filter(({ message }) => message === index)
    if (ofMessage.length === 0) texts.push(...contents)
    for (const _ of ofMessage) {
      const { placeholder } = decisions[result] as (typeof decisions)[number]
      texts.push(placeholder ?? sourcesOf(conversation).textOf(result))
      result++
    }
    for (const call of calls) texts.push(call.name, call.arguments)
    for (const call of conversation.calls) if (call.message === index) texts.push(call.id ?? '')
  }
  return texts
}

function contains(texts: readonly string[], term: string): boolean {
  const word = term.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
  const pattern = new RegExp(`(?<![A-Za-z0-9_])${word}(?![A-Za-z0-9_])`)
  return texts.some((text) => pattern.test(text))
}

/** Terms of each answer that its whole request contains, and its masked request does not. */
function lostBySearch(measured: Measured, policy: MaskPolicy): string[] {
  const { session, conversation } = measured
  const lost: string[] = []
  for (const [request, { answer }] of session.requests.entries()) {
    if (answer === undefined) continue
    const whole = textsOfRequest(measured, request, { ...policy, enabled: false })
    const masked = textsOfRequest(measured, request, policy)
    const visit = ({ term, parts }: Candidate): string[] => {
      if (!contains(whole, term)) return parts.flatMap(visit)
      return contains(masked, term) ? [] : [`${request} ${term}`]
    }
    for (let at = answer; at < answerEnd(session, request); at++) {
      const { contents, calls } = conversation.messageTexts[
        at
      ] as ReadConversation['messageTexts'][number]
      const texts = [
        ...contents,
        ...calls.flatMap((call) => Object.values(JSON.parse(call.arguments) as object)),
      ]
      lost.push(...texts.flatMap((text) => findTerms(String(text))).flatMap(visit))
    }
  }
  return [...new Set(lost)].sort()
}

const TERMS: CostTerms = {
  prices: flatPrices(10, 1, 10, 0),
  rule: { kind: 'prefix', minimumTokens: 16, stepTokens: 4 },
}

/** One more request for each lost result: the masked context, of which all whole steps are cached, and the result. */
function refetchOneByOne(
  { prepared, session }: Measured,
  lost: readonly LosableUse[],
  window: MaskWindow,
) {
  const { requests } = replayPrepared(prepared, window, TERMS)
  const firstOf = new Map<number, number>()
  for (const { result, request } of lost.toReversed()) firstOf.set(result, request)
  let [tokens, plain, cached] = [0, 0, 0]
  for (const [result, request] of firstOf) {
    const context = requests[request]?.after.tokens as number
    const total = context + (session.counts.results[result] as number)
    const steps = context - (context % 4)
    const read = steps < 16 ? 0 : steps
    tokens += total
    plain += total * 10
    cached += read + (total - read) * 10
  }
  return { results: firstOf.size, tokens, plain: plain / 1e6, cached: cached / 1e6 }
}

const POOL = [
  'src/a/ledger.ts',
  'src/a/ledger.ts:42',
  'ledger.ts',
  'postEntryTwice',
  'PAY7407366',
  '1036',
  '48213',
  'tool_call_id',
  'error: 48213',
]
const anyWords = fc
  .array(fc.constantFrom(...POOL, 'and', 'then'), { maxLength: 4 })
  .map((words) => words.join(' '))
/** Some results have as many characters as a number in the pool says. */
const anyResult = fc
  .tuple(anyWords, fc.boolean())
  .map(([text, isLong]) => (isLong ? text.padEnd(1036, ' .') : text))
const anyTurn = fc.record({
  id: fc.constantFrom('', '', '', 'again'),
  tool: fc.constantFrom('read', 'search'),
  said: anyWords,
  written: anyWords,
  results: fc.array(anyResult, { minLength: 1, maxLength: 2 }),
  asked: fc.option(anyWords, { freq: 5 }),
})
const anyTalk = fc
  .array(anyTurn, { minLength: 3, maxLength: 9, size: 'max' })
  .map((turns): JsonValue[] => [
    begin,
    ...turns.flatMap(({ id, tool, said, written, results, asked }, at): JsonValue[] => {
      const ids = results.map((_, index) => `${id || `call_${at}`}_${index}`)
      const tool_calls = ids.map((one) => ({
        id: one,
        function: { name: tool, arguments: JSON.stringify({ text: written }) },
      }))
      return [
        { role: 'assistant', content: said, tool_calls },
        ...results.map((content, index) => ({
          role: 'tool',
          tool_call_id: ids[index] as string,
          content,
        })),
        ...(asked === null ? [] : [{ role: 'user', content: asked }]),
      ]
    }),
    { role: 'assistant', content: POOL.join(' , ') },
  ])
const anyRest = fc.record({
  keepErrors: fc.boolean(),
  keepLastKPerTool: fc.constantFrom(0, 0, 1),
  triggerTokens: fc.constantFrom(0, 0, 300),
  excludeTools: fc.constantFrom([], [], ['read']),
  neverGrow: fc.boolean(),
  placeholderTemplate: fc.constantFrom(DEFAULT_POLICY.placeholderTemplate, '[gone]'),
})

test('for every window and batch, the lost uses are those that a search of each masked request finds', () => {
  fc.assert(
    fc.property(anyTalk, anyRest, (messages, rest) => {
      const policy = { ...MASKING, ...rest }
      const measured = measure(messages, policy)
      const refetched = refetchCosts(measured.prepared, measured.losable, TERMS)
      for (let batchTurns = 1; batchTurns < 5; batchTurns++) {
        const curve = lossCurve(measured.losable, batchTurns, 9)
        for (let windowTurns = 1; windowTurns <= 9; windowTurns++) {
          const window = { windowTurns, batchTurns }
          const lost = lostUsesAt(measured.losable, window)
          const found = lost.map(({ use, request }) => `${request} ${measured.uses[use]?.term}`)
          expect(curve.uses[windowTurns - 1]).toBe(lost.length)
          expect(curve.results[windowTurns - 1]).toBe(
            new Set(lost.map(({ result }) => result)).size,
          )
          expect(refetched(window)).toEqual(refetchOneByOne(measured, lost, window))
          expect(found.sort()).toEqual(lostBySearch(measured, { ...policy, ...window }))
        }
      }
    }),
    fuzz(40),
  )
})
