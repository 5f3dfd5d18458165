import { describe, expect, test } from 'vitest'
import { failureOf } from '../loop/call-result'
import { DEFAULT_POLICY } from '../policy/policy'
import type { ChatMessage } from '../testing/chat-messages'
import { countQuarters } from '../testing/policies'
import { testSession } from '../testing/test-sessions'
import { readTranscript, SAMPLE_FILES } from '../testing/transcripts'
import { prepareReplay } from './prepare-replay'
import { UNKNOWN_PRICES } from './price-sheet'
import { replaceResultTokens } from './replace-result-tokens'
import { replayPrepared } from './replay'
import type { CostTerms } from './request-terms'

const TERMS: CostTerms = { prices: UNKNOWN_PRICES, rule: { kind: 'none' } }
const REFUSAL = failureOf({ id: 'a', name: 'f' }, 'ANTI_LOOP_ID', 'Run before.').content

function factsOf(messages: readonly ChatMessage[], triggerTokens: number) {
  const { session, sources } = testSession(messages)
  return prepareReplay(session, { ...DEFAULT_POLICY, enabled: true, triggerTokens }, sources)
}

const sample = SAMPLE_FILES.find(({ name }) => name === 'coding-session.json')
const REPLACED: readonly number[] = [0, 5, 6, 40, 148]

/** The messages of the sample, and those with refusals in place of some results. */
function listsOf(): readonly [original: ChatMessage[], replaced: ChatMessage[]] {
  if (sample === undefined) throw new Error('the sample is missing')
  const { messages } = JSON.parse(readTranscript(sample)) as { messages: ChatMessage[] }
  let result = 0
  const isReplaced = ({ role }: ChatMessage) => role === 'tool' && REPLACED.includes(result++)
  return [messages, messages.map((one) => (isReplaced(one) ? { ...one, content: REFUSAL } : one))]
}

const totals = ({ requests }: ReturnType<typeof replayPrepared>) =>
  requests.map((request) => [request.before.tokens, request.after.tokens])

describe('the replay with other contents in place of results', () => {
  const tokens = new Map(REPLACED.map((at) => [at, countQuarters(REFUSAL)]))

  test.each([
    [8, 1, 0],
    [3, 4, 0],
    [0, 1, 0],
    [8, 1, 15_000],
    // No request is as long as the trigger.
    [8, 1, 10_000_000],
  ])(
    'is that of the session read with it there: window %i, batch %i, trigger %i',
    (windowTurns, batchTurns, triggerTokens) => {
      const [original, replaced] = listsOf()
      const window = { windowTurns, batchTurns }
      const before = factsOf(original, triggerTokens)
      const guarded = replayPrepared(
        replaceResultTokens(before, tokens, triggerTokens),
        window,
        TERMS,
      )
      const read = replayPrepared(factsOf(replaced, triggerTokens), window, TERMS)
      expect(totals(guarded)).toEqual(totals(read))
      expect(totals(guarded)).not.toEqual(totals(replayPrepared(before, window, TERMS)))
      const isMasking = windowTurns > 0 && triggerTokens < 10_000_000
      expect(guarded.requests.some(({ maskedResults }) => maskedResults > 0)).toBe(isMasking)
    },
  )

  test('masks in a request that is exactly as long as the trigger', () => {
    const [original, replaced] = listsOf()
    const window = { windowTurns: 3, batchTurns: 1 }
    const exact = factsOf(replaced, 0).tokensBefore[40] as number
    const prepared = replaceResultTokens(factsOf(original, exact), tokens, exact)
    const guarded = replayPrepared(prepared, window, TERMS)
    expect(guarded.requests.findIndex(({ maskedResults }) => maskedResults > 0)).toBe(40)
    expect(totals(guarded)).toEqual(totals(replayPrepared(factsOf(replaced, exact), window, TERMS)))
  })
})
