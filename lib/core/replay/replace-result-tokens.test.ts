import { describe, expect, test } from 'vitest'
import { readDocument } from '../formats/read-document'
import { failureOf } from '../loop/call-result'
import { DEFAULT_POLICY } from '../policy/policy'
import { readTranscript, SAMPLE_FILES } from '../testing/transcripts'
import { countConversation } from '../tokens/count-conversation'
import { prepareReplay } from './prepare-replay'
import { replaceResultTokens } from './replace-result-tokens'
import { replayPrepared } from './replay'
import type { CostTerms } from './request-terms'
import { createSession } from './sessions'

const countCharacters = (text: string) => text.length
const TERMS: CostTerms = {
  prices: { input: undefined, output: undefined, cachedRead: undefined, cacheWrite: undefined },
  rule: { kind: 'none' },
}
const REFUSAL = failureOf({ id: 'a', name: 'f' }, 'ANTI_LOOP_ID', 'Run before.').content

function factsOf(text: string, triggerTokens: number) {
  const [conversation] = readDocument(text).conversations
  if (conversation === undefined) throw new Error('nothing was read')
  const session = createSession(conversation, countConversation(conversation, countCharacters))
  const policy = { ...DEFAULT_POLICY, enabled: true, triggerTokens }
  return prepareReplay(session, policy, {
    textOf: (result) => conversation.resultTexts[result]?.join('') ?? '',
    placeholderTokensOf: (_, placeholder) => countCharacters(placeholder),
  })
}

const sample = SAMPLE_FILES.find(({ name }) => name === 'coding-session.json')
const REPLACED: readonly number[] = [0, 5, 6, 40, 148]

/** The sample, and the sample with refusals in place of some results. */
function texts(): readonly [text: string, replaced: string] {
  if (sample === undefined) throw new Error('the sample is missing')
  const text = readTranscript(sample)
  const body = JSON.parse(text)
  let result = 0
  for (const message of body.messages)
    if (message.role === 'tool' && REPLACED.includes(result++)) message.content = REFUSAL
  return [text, JSON.stringify(body)]
}

const totals = ({ requests }: ReturnType<typeof replayPrepared>) =>
  requests.map((request) => [request.before.tokens, request.after.tokens])

describe('the replay with other contents in place of results', () => {
  const tokens = new Map(REPLACED.map((at) => [at, countCharacters(REFUSAL)]))

  test.each([
    [8, 1, 0],
    [3, 4, 0],
    [0, 1, 0],
    [8, 1, 60_000],
    // No request is as long as the trigger.
    [8, 1, 10_000_000],
  ])(
    'is that of the session read with it there: window %i, batch %i, trigger %i',
    (windowTurns, batchTurns, triggerTokens) => {
      const [text, replaced] = texts()
      const window = { windowTurns, batchTurns }
      const before = factsOf(text, triggerTokens)
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
    const [text, replaced] = texts()
    const window = { windowTurns: 3, batchTurns: 1 }
    const exact = factsOf(replaced, 0).tokensBefore[40] as number
    const prepared = replaceResultTokens(factsOf(text, exact), tokens, exact)
    const guarded = replayPrepared(prepared, window, TERMS)
    expect(guarded.requests.findIndex(({ maskedResults }) => maskedResults > 0)).toBe(40)
    expect(totals(guarded)).toEqual(totals(replayPrepared(factsOf(replaced, exact), window, TERMS)))
  })
})
