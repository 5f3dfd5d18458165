import { describe, expect, test } from 'vitest'
import { failureOf } from '../loop/call-result'
import { DEFAULT_POLICY } from '../policy/policy'
import type { ChatMessage } from '../testing/chat-messages'
import { countQuarters } from '../testing/policies'
import { UNCACHED } from '../testing/test-sessions'
import { readTranscript, SAMPLE_FILES } from '../testing/transcripts'
import { replaceResultTokens, withHead } from './replace-result-tokens'
import { replayPrepared } from './replay'
import { preparedOf } from './testing/expect-as-replayed'

const REFUSAL = failureOf({ id: 'a', name: 'f' }, 'ANTI_LOOP_ID', 'Run before.').content
const REPLACED: readonly number[] = [0, 5, 6, 40, 148]
const tokens = new Map(REPLACED.map((at) => [at, countQuarters(REFUSAL)]))

/** The messages of the sample, and those with refusals in place of some results. */
const sample = SAMPLE_FILES.find(({ name }) => name === 'coding-session.json')
const { messages: original } = JSON.parse(readTranscript(sample as NonNullable<typeof sample>)) as {
  messages: ChatMessage[]
}
let result = 0
const isReplaced = ({ role }: ChatMessage) => role === 'tool' && REPLACED.includes(result++)
const replaced = original.map((one) => (isReplaced(one) ? { ...one, content: REFUSAL } : one))

const prepare = (messages: readonly ChatMessage[], triggerTokens: number) =>
  preparedOf(messages, { ...DEFAULT_POLICY, enabled: true, triggerTokens })
const totals = ({ requests }: ReturnType<typeof replayPrepared>) =>
  requests.map((request) => [request.before.tokens, request.after.tokens])

describe('the replay with other contents in place of results', () => {
  test.each([
    [8, 1, 0],
    [3, 4, 0],
    [0, 1, 0],
    [8, 1, 15_000],
    // No request is as long as the trigger.
    [8, 1, 10_000_000],
  ])('is as read with it: window %i, batch %i, trigger %i', (windowTurns, batchTurns, trigger) => {
    const window = { windowTurns, batchTurns }
    const before = prepare(original, trigger)
    const guarded = replayPrepared(replaceResultTokens(before, tokens, trigger), window, UNCACHED)
    const read = replayPrepared(prepare(replaced, trigger), window, UNCACHED)
    expect(totals(guarded)).toEqual(totals(read))
    expect(totals(guarded)).not.toEqual(totals(replayPrepared(before, window, UNCACHED)))
    const isMasking = windowTurns > 0 && trigger < 10_000_000
    expect(guarded.requests.some(({ maskedResults }) => maskedResults > 0)).toBe(isMasking)
  })

  test('masks in a request that is exactly as long as the trigger', () => {
    const exact = prepare(replaced, 0).tokensBefore[40] as number
    const prepared = replaceResultTokens(prepare(original, exact), tokens, exact)
    const { requests } = replayPrepared(prepared, { windowTurns: 3, batchTurns: 1 }, UNCACHED)
    expect(requests.findIndex(({ maskedResults }) => maskedResults > 0)).toBe(40)
  })
  test('has as many tokens more in every request as its head is longer', () => {
    const before = prepare(original, 0)
    const window = { windowTurns: 3, batchTurns: 1 }
    const longer = totals(replayPrepared(withHead(before, 100), window, UNCACHED))
    const own = totals(replayPrepared(before, window, UNCACHED))
    expect(longer).toEqual(own.map((pair) => pair.map((one) => one + 100)))
  })
})
