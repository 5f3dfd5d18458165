import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { IS_LARGE } from '../../lib/core/testing/test-size'
import { markdownTable } from './testing/tables'
import { costsThroughProxy, startCachingProvider } from './testing/through-proxy'
import { makeMessages, sampledShape } from './testing/transcripts'

test('a provider reads whole steps of what an earlier request shares, from 1,024 tokens, for an hour', async () => {
  let now = 0
  const provider = await startCachingProvider([], () => now)
  const ask = async (content: string) => {
    const body = JSON.stringify({ messages: [{ role: 'user', content }] })
    const answer = await fetch(`${provider.url}/chat/completions`, { method: 'POST', body })
    return (await answer.json()).usage.prompt_tokens_details.cached_tokens
  }
  const long = 'x'.repeat(6_000)
  const found = [await ask(long), await ask(`${long}y`)]
  found.push(await ask(`${'x'.repeat(4_200)}z`), await ask(`${'x'.repeat(4_000)}z`))
  now += 3_600_000
  found.push(await ask(long))
  now += 3_600_001
  found.push(await ask(long))
  await provider.close()
  // 28 bytes stand before the text: 6,028 are 1,507 tokens, 4,228 are 1,057, and 4,028 are 1,007.
  expect(found).toEqual([0, 1408, 1024, 0, 1408, 0])
})

test('a session through the proxy costs what the replay predicts, and moves where it predicts', async () => {
  const costs = await costsThroughProxy(makeMessages(sampledShape(48, 1_500)))
  for (const { charged, predicted, moves, predictedMoves } of costs) {
    expect(moves).toEqual(predictedMoves)
    // The tokens of JSON around texts, and of its escapes, are fitted and differ from message to message.
    expect(Math.abs(charged / predicted - 1)).toBeLessThan(0.02)
  }
  const [plain, batches, breakEven] = costs.map(({ charged }) => charged) as [
    number,
    number,
    number,
  ]
  expect(costs.map(({ moves }) => moves.length)).toEqual([0, 2, expect.any(Number)])
  expect(costs[2]?.moves.length).toBeGreaterThan(0)
  expect(Math.max(batches, breakEven)).toBeLessThan(plain)
}, 120_000)

test.runIf(IS_LARGE)(
  'prints the table of docs/break-even.md',
  async () => {
    const sample = readFileSync('public/samples/coding-session.json', 'utf8')
    const recordings = [
      ['the sample “Coding session”', JSON.parse(sample).messages],
      ['60 turns, results of 4,000 characters', makeMessages(sampledShape(60, 4_000))],
      ['100 turns, results of 1,000 characters', makeMessages(sampledShape(100, 1_000))],
    ] as const
    for (const [session, messages] of recordings) {
      const costs = await costsThroughProxy(messages)
      const rows = costs.map(({ charged, predicted, moves, predictedMoves }, at) => {
        expect(moves).toEqual(predictedMoves)
        return {
          session,
          'window moves': ['not masking', 'every 16 turns', 'break-even'][at],
          'moves at requests': moves.join(', '),
          charged: charged.toFixed(0),
          predicted: predicted.toFixed(0),
          'charged / predicted': (charged / predicted).toFixed(3),
          'of not masking': (charged / (costs[0]?.charged ?? 1)).toFixed(3),
        }
      })
      console.log(markdownTable(rows))
    }
  },
  300_000,
)
