/**
 * Savings on published transcripts, beside estimates made before any of this was written: characters / 4, the prefix
 * rule, reads at 0.1 of the input price. Skipped where the transcripts are not at hand.
 */
import { describe, expect, test } from 'vitest'
import { readDocument } from '../formats/read-document'
import { DEFAULT_POLICY } from '../policy/policy'
import { CHAT_FILES, CORPUS_FOLDER, HAS_CORPUS, readTranscript } from '../testing/transcripts'
import { countConversation } from '../tokens/count-conversation'
import { loadEncoding } from '../tokens/encoding'
import { cacheFamilyById, NO_CACHE } from './cache-rules'
import { type PreparedReplay, prepareReplay } from './prepare-replay'
import { priceSheet } from './price-sheet'
import { createSessions } from './sessions'
import { pointAt, sweepPrepared } from './sweep'

const family = cacheFamilyById('openai-5') ?? NO_CACHE
const terms = { prices: priceSheet(undefined, family, { input: 1, output: 0 }), rule: family.rule }

async function factsOf(name: string): Promise<PreparedReplay> {
  const file = CHAT_FILES.find((transcript) => transcript.name === name)
  if (file === undefined) throw new RangeError(`No ${name} in ${CORPUS_FOLDER}.`)
  const { conversations } = readDocument(readTranscript(file))
  const { countTokens } = await loadEncoding('o200k_base')
  const counts = conversations.map((conversation) => countConversation(conversation, countTokens))
  const [session] = createSessions(conversations, counts)
  const [conversation] = conversations
  if (session === undefined || conversation === undefined) throw new RangeError('No conversation.')
  return prepareReplay(
    session,
    { ...DEFAULT_POLICY, enabled: true, textParts: true },
    {
      textOf: (index) => conversation.resultTexts[index]?.join('') ?? '',
      placeholderTokensOf: (_, placeholder) => countTokens(placeholder),
    },
  )
}

/** Change of the cached cost of the session in percent, window 8, by batch. */
function changes(prepared: PreparedReplay, batches: readonly number[]): number[] {
  const swept = sweepPrepared(prepared, terms, { batches })
  return batches.map((batchTurns) => {
    const after = pointAt(swept, { windowTurns: 8, batchTurns })?.total.costs.cached ?? Number.NaN
    return (after / (swept.before.costs.cached ?? Number.NaN) - 1) * 100
  })
}

const shown = (values: readonly number[]) =>
  values.map((value) => `${value.toFixed(1)} %`).join(', ')

describe.skipIf(!HAS_CORPUS)('published transcripts, window 8, reads at 0.1', () => {
  test('46 turns: the sliding window costs more than sending everything, batches of 16 cost less', async () => {
    const [sliding = 0, batched = 0] = changes(
      await factsOf('kimi-cli-scikit-learn.jsonl'),
      [1, 16],
    )
    console.info(`kimi-cli-scikit-learn: ${shown([sliding, batched])}; estimated +136 %, -3 %`)
    expect(sliding).toBeGreaterThan(100)
    expect(batched).toBeLessThan(0)
  }, 60_000)

  test('267 turns: the sliding window saves, batches of 8 to 32 more than twice as much', async () => {
    const prepared = await factsOf('long-parallel-calls.json')
    const [sliding = 0, ...batched] = changes(prepared, [1, 8, 16, 32])
    console.info(
      `long-parallel-calls: ${shown([sliding, ...batched])}; estimated -17 %, -43 to -45 %`,
    )
    expect(sliding).toBeLessThan(0)
    for (const change of batched) expect(change).toBeLessThan(2 * sliding)
  }, 60_000)
})

test.skipIf(HAS_CORPUS)(`there are no published transcripts in ${CORPUS_FOLDER}`, () => {})
