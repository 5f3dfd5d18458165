import { expect } from 'vitest'
import { DEFAULT_POLICY } from '../../policy/policy'
import type { JsonValue } from '../../testing/chat-messages'
import { testSession } from '../../testing/test-sessions'
import { type PreparedReplay, prepareReplay } from '../prepare-replay'
import { type ReplaySide, replayPrepared } from '../replay'
import type { CostTerms } from '../request-terms'
import { pointAt, type Sweep, type SweepPoint, sweepPrepared } from '../sweep'
import { type SweepGrid, windowsOf } from '../sweep-grid'

/** The points that mask results, by batch and window. */
export function pointsOf(swept: Sweep): SweepPoint[] {
  return swept.batches.flatMap((batchTurns) =>
    windowsOf(swept, batchTurns).flatMap(
      (windowTurns) => pointAt(swept, { windowTurns, batchTurns }) ?? [],
    ),
  )
}

/** Checks that every point of a sweep has the tokens and costs of a replay, to the last digit. */
export function expectAsReplayed(
  prepared: PreparedReplay,
  terms: CostTerms,
  grid?: SweepGrid,
): SweepPoint[] {
  const points = pointsOf(sweepPrepared(prepared, terms, grid))
  for (const { total, ...window } of points) {
    const { tokens, costs } = replayPrepared(prepared, window, terms).after
    expect(total).toEqual({ tokens, costs })
  }
  return points
}

/** A session of messages, prepared under a policy. */
export function preparedOf(messages: readonly JsonValue[], policy = DEFAULT_POLICY) {
  const { session, sources } = testSession(messages)
  return prepareReplay(session, policy, sources)
}

/** A side of a replay with these costs. */
export function sideOf(costs: Partial<ReplaySide['costs']>): ReplaySide {
  const none = { plain: 0, cached: 0, output: 0 }
  return { tokens: 0, split: { read: 0, written: 0, fresh: 0 }, costs: { ...none, ...costs } }
}
