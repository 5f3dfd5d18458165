import { expect, test } from 'vitest'
import type { Replay } from './replay'
import { replayFigures } from './replay-figures'

const side = (plain: number, cached: number) => ({
  tokens: 9,
  split: { read: 0, written: 0, fresh: 9 },
  costs: { plain, cached, output: 0 },
})

/** Requests that end after these messages, and the first message in which each differs from the one before. */
function replayOf(
  ...requests: (readonly [end: number, firstChanged: number | undefined])[]
): Replay {
  return {
    requests: requests.map(([end, firstChanged]) => ({
      request: { end, turnCount: 0, answer: undefined },
      outputTokens: 0,
      // Masking saves with caching, and does not without.
      before: side(1, 2),
      after: side(2, 1),
      maskedResults: 0,
      firstChanged,
    })),
    before: side(3, 4),
    after: side(5, 6),
    outputTokens: 7,
  } as Replay
}

test('counts the requests in which a message of the one before has changed', () => {
  // The second one only adds messages; the third changes message 1, the fourth the last one before its end.
  const replay = replayOf([2, 0], [4, 2], [6, 1], [8, 5], [10, undefined])
  const figures = replayFigures(replay, 2)
  expect(figures).toMatchObject({
    before: replay.before,
    after: replay.after,
    outputTokens: 7,
    requestCount: 5,
    prefixBreaks: 2,
    breakEven: { state: 'from_request', request: 0 },
    request: { index: 2, count: 5, replayed: replay.requests[2], firstChanged: 1 },
  })
  for (const index of [0, 1, 4])
    expect(replayFigures(replay, index).request).toMatchObject({ index, firstChanged: undefined })
})

test('has no request if none is asked for, or there is none', () => {
  expect(replayFigures(replayOf([2, 0])).request).toBeUndefined()
  expect(replayFigures(replayOf([2, 0]), 1).request).toBeUndefined()
})
