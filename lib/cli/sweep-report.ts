import { type Recommendation, recommend } from '../core/replay/recommend'
import { pointAt, SWEEP_BATCHES, type Sweep, sumSweeps, sweepPrepared } from '../core/replay/sweep'
import { alignedTable, percent } from './bench-table'
import type { MeasuredSessions } from './measure-sessions'

/** The windows in the table; the JSON has all windows. */
const SHOWN_WINDOWS = [1, 2, 4, 8, 16, 32, 64, 128, 256]

/** Sweeps all sessions together. The batch size of the policy is included. */
export function sweepSessions(documents: readonly MeasuredSessions[], batchTurns: number): Sweep {
  return sumSweeps(
    documents.flatMap(({ prepared, terms }) =>
      prepared.map((one) => sweepPrepared(one, terms, [...SWEEP_BATCHES, batchTurns])),
    ),
  )
}

/** The sweep as printed JSON. Costs are dollars of input, without caching and with it; null if a price is unknown. */
export function sweepMeasure(swept: Sweep, smallestWindow: number) {
  const { tokens, costs } = swept.before
  return {
    session_tokens_before: tokens,
    session_cost_before: costs.plain ?? null,
    session_cost_cached_before: costs.cached ?? null,
    largest_window: swept.largestWindow,
    batches: swept.batches,
    recommended: recommended(recommend(swept, smallestWindow)),
    points: swept.points.map(({ windowTurns, batchTurns, total }) => ({
      window_turns: windowTurns,
      batch_turns: batchTurns,
      session_tokens: total.tokens,
      session_cost: total.costs.plain ?? null,
      session_cost_cached: total.costs.cached ?? null,
    })),
  }
}

/** A table of the change of the cost with caching, by window and batch size, and the recommendation as a sentence. */
export function sweepTable(swept: Sweep, smallestWindow: number): string {
  const windows = SHOWN_WINDOWS.filter((window) => window <= swept.largestWindow)
  const before = swept.before.costs.cached
  const change = (windowTurns: number, batchTurns: number) => {
    const after = pointAt(swept, { windowTurns, batchTurns })?.total.costs.cached
    if (before === undefined || after === undefined || before === 0) return percent(null)
    return percent(((after - before) / before) * 100)
  }
  const table = alignedTable([
    ['window', ...swept.batches.map((batch) => `batch ${batch}`)],
    ...windows.map((window) => [
      String(window),
      ...swept.batches.map((batch) => change(window, batch)),
    ]),
  ])
  return `${table}\n${sentenceOf(recommend(swept, smallestWindow))}\n`
}

function recommended(advice: Recommendation) {
  switch (advice.state) {
    case 'mask':
      return {
        state: advice.state,
        window_turns: advice.point.windowTurns,
        batch_turns: advice.point.batchTurns,
        saved_percent: advice.savedShare * 100,
      }
    case 'do_not_mask':
    case 'no_results':
    case 'nothing_maskable':
    case 'price_unknown':
      return { state: advice.state }
  }
}

function sentenceOf(advice: Recommendation): string {
  switch (advice.state) {
    case 'mask': {
      const { windowTurns, batchTurns } = advice.point
      const saved = percent(-advice.savedShare * 100)
      return `Cheapest: window ${windowTurns} in batches of ${batchTurns}, ${saved} of the session with caching, answers included.`
    }
    case 'do_not_mask':
      return 'Do not mask: with this caching, sending everything is cheapest.'
    case 'no_results':
      return 'There are no tool results to mask.'
    case 'nothing_maskable':
      return `The policy keeps all ${advice.results} tool results under every window.`
    case 'price_unknown':
      return 'A price is unknown; --price-input, --price-cached, --price-write and --price-output set prices.'
  }
}
