import { expect } from 'vitest'
import type { PreparedReplay } from '../prepare-replay'
import { replayTotal } from '../replay'
import type { CostTerms } from '../request-terms'
import { pointsOfBatch, type Sweep, type SweepPoint } from '../sweep'

export function pointsOf(swept: Sweep): SweepPoint[] {
  return swept.batches.flatMap((batch) => pointsOfBatch(swept, batch))
}

/** Checks that points of a sweep have the tokens and costs of a replay, to the last digit. */
export function expectAsReplayed(
  points: readonly SweepPoint[],
  prepared: PreparedReplay,
  terms: CostTerms,
): void {
  for (const { total, ...window } of points) {
    const { tokens, costs } = replayTotal(prepared, window, terms)
    expect(total).toEqual({ tokens, costs })
  }
}
