import type { MaskFacts } from '../core/replay/mask-facts'
import { type Recommendation, recommend } from '../core/replay/recommend'
import type { CostTerms } from '../core/replay/replay'
import { pointAt, SWEEP_BATCHES, type Sweep, sumSweeps, sweepFacts } from '../core/replay/sweep'
import { alignedTable, percent } from './bench-table'

/** Windows a table shows; the JSON has them all. */
const SHOWN_WINDOWS = [1, 2, 4, 8, 16, 32, 64, 128, 256]

/** Every window and batch over all sessions together; the batch of the policy is among them. */
export function sweepSessions(
  sessions: readonly MaskFacts[],
  terms: CostTerms,
  batchTurns: number,
): Sweep {
  return sumSweeps(
    sessions.map((facts) => sweepFacts(facts, terms, [...SWEEP_BATCHES, batchTurns])),
  )
}

/** The grid as it is printed: dollars of input, without caching and with it; null where a price is not known. */
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

/** The change of the cached cost by window and batch, and the recommendation as a sentence. */
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
      return `The policy keeps all ${advice.results} tool results, whatever the window.`
    case 'price_unknown':
      return 'A price is not known; --price-input, --price-cached, --price-write and --price-output give them.'
  }
}
