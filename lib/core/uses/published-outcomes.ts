/**
 * What masking did to agents, as published: SWE-agent on SWE-bench Verified with and without observation masking (the
 * last 10 observations kept), the same instances in both; arXiv 2508.21433, table of costs per instance of
 * github.com/JetBrains-Research/the-complexity-trap (MIT). Intervals are of 95 %, by resampling instances 4,000 times.
 */
export interface PublishedOutcome {
  readonly model: string
  readonly pairs: number
  readonly turnsBefore: number
  readonly turnsAfter: number
  /** Change of the share of solved instances, in points, and its interval. */
  readonly solvedPoints: number
  readonly solvedLow: number
  readonly solvedHigh: number
}

export const PUBLISHED_OUTCOMES: readonly PublishedOutcome[] = [
  outcome('Gemini 2.5 Flash', 497, 49.714, 44.07, 2.8, -0.8, 6.4),
  outcome('Gemini 2.5 Flash, thinking', 499, 49.972, 51.625, -3.8, -7.6, 0),
  outcome('Qwen3-32B, thinking', 500, 20.284, 21.326, 1.6, -1.8, 5.2),
  outcome('Qwen3-Coder 480B', 500, 58.504, 61.05, 1.4, -1.4, 4.4),
  outcome('Qwen3-32B', 500, 52, 59.864, -2, -5, 1),
]

/** The worst published rise in turns, as a factor: about 1.15. */
export const WORST_TURNS = Math.max(
  ...PUBLISHED_OUTCOMES.map(({ turnsBefore, turnsAfter }) => turnsAfter / turnsBefore),
)

function outcome(
  model: string,
  pairs: number,
  turnsBefore: number,
  turnsAfter: number,
  solvedPoints: number,
  solvedLow: number,
  solvedHigh: number,
): PublishedOutcome {
  return { model, pairs, turnsBefore, turnsAfter, solvedPoints, solvedLow, solvedHigh }
}
