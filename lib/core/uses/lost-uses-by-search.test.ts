/** The lost uses, compared with a search of each masked request. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DEFAULT_POLICY, type MaskPolicy } from '../policy/policy'
import { decideRequest } from '../replay/decide-request'
import type { MaskWindow } from '../replay/prepare-replay'
import { replayPrepared } from '../replay/replay'
import type { CostTerms } from '../replay/request-terms'
import { answerEnd, type Session } from '../replay/sessions'
import type { JsonValue } from '../testing/chat-messages'
import { flatPrices, sourcesOf } from '../testing/test-sessions'
import { forAll } from '../testing/test-size'
import { type Candidate, findTerms } from './find-terms'
import { type LosableUse, lostUsesAt, refetchCosts } from './lost-uses'
import { begin, MASKING, type Measured, measure } from './testing/measure-uses'

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
      const { contents = [], calls = [] } = conversation.messageTexts[at] ?? {}
      const written = calls.flatMap((call) => Object.values(JSON.parse(call.arguments) as object))
      const texts = [...contents, ...written]
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
  return {
    uses: lost.length,
    results: firstOf.size,
    tokens,
    plain: plain / 1e6,
    cached: cached / 1e6,
  }
}

const POOL = [
  ...['src/a/ledger.ts', 'src/a/ledger.ts:42', 'ledger.ts', 'postEntryTwice', 'PAY7407366'],
  ...['1036', '48213', 'tool_call_id', 'error: 48213'],
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
type Turn = typeof anyTurn extends fc.Arbitrary<infer Value> ? Value : never
function talkOf(turns: readonly Turn[]): JsonValue[] {
  return [
    begin,
    ...turns.flatMap(({ id, tool, said, written, results, asked }, at): JsonValue[] => {
      const ids = results.map((_, index) => `${id || `call_${at}`}_${index}`)
      const called = { name: tool, arguments: JSON.stringify({ text: written }) }
      const tool_calls = ids.map((one) => ({ id: one, function: called }))
      const answers = ids.map((tool_call_id, index) => {
        return { role: 'tool', tool_call_id, content: results[index] as string }
      })
      return [
        { role: 'assistant', content: said, tool_calls },
        ...answers,
        ...(asked === null ? [] : [{ role: 'user', content: asked }]),
      ]
    }),
    { role: 'assistant', content: POOL.join(' , ') },
  ]
}
const anyTalk = fc.array(anyTurn, { minLength: 3, maxLength: 9, size: 'max' }).map(talkOf)
const anyRest = fc.record({
  keepErrors: fc.boolean(),
  keepLastKPerTool: fc.constantFrom(0, 0, 1),
  triggerTokens: fc.constantFrom(0, 0, 300),
  excludeTools: fc.constantFrom([], [], ['read']),
  neverGrow: fc.boolean(),
  placeholderTemplate: fc.constantFrom(DEFAULT_POLICY.placeholderTemplate, '[gone]'),
})

/** Compares every window and batch with a search of each masked request. */
function expectAsFound(
  messages: readonly JsonValue[],
  rest: Partial<MaskPolicy>,
  signedEvery: number,
): void {
  const policy = { ...MASKING, ...rest }
  const measured = measure(messages, policy, signedEvery)
  const refetched = refetchCosts(measured.prepared, measured.losable, TERMS)
  for (let batchTurns = 1; batchTurns < 5; batchTurns++) {
    for (let windowTurns = 1; windowTurns <= 9; windowTurns++) {
      const window = { windowTurns, batchTurns }
      const lost = lostUsesAt(measured.losable, window, measured.prepared)
      const found = lost.map(({ use, request }) => `${request} ${measured.uses[use]?.term}`)
      expect(refetched(window)).toEqual(refetchOneByOne(measured, lost, window))
      expect(found.sort()).toEqual(lostBySearch(measured, { ...policy, ...window }))
    }
  }
}

test('the lost uses are those that a search of each masked request finds', () => {
  // Providers that sign thinking refuse an id that is used again.
  const anySigned = fc.tuple(
    anyTalk.filter((messages) => !JSON.stringify(messages).includes('again')),
    fc.constantFrom(2, 3),
  )
  const anyUnsigned = fc.tuple(anyTalk, fc.constant(0))
  forAll(40, [fc.oneof(anyUnsigned, anySigned), anyRest], ([messages, signedEvery], rest) =>
    expectAsFound(messages, rest, signedEvery),
  )
})

test.each([
  ['an id is used again', 0, [1, 4], 0],
  ['some answers have signed thinking', 3, [], 0],
  ['short requests are not masked', 0, [], 300],
])('the same where %s', (_, signedEvery, again, triggerTokens) => {
  const turns = POOL.map((word, at): Turn => {
    const results = [`${word} and ${'a line. '.repeat(40)}`]
    return {
      id: again.includes(at) ? 'again' : '',
      tool: 'read',
      said: POOL[at - 2] ?? '',
      written: '',
      results,
      asked: null,
    }
  })
  expectAsFound(talkOf(turns), { triggerTokens }, signedEvery)
})
