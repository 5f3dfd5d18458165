import OUTCOMES from './published-outcomes.json' with { type: 'json' }

/**
 * What masking did to agents, as published: SWE-agent on SWE-bench Verified with and without observation masking (the
 * last 10 observations kept), the same instances in both; arXiv 2508.21433, table of costs per instance of
 * github.com/JetBrains-Research/the-complexity-trap (MIT). Intervals are of 95 %, by resampling instances 4,000 times.
 * `solvedPoints` is the change of the share of solved instances, in points, with its interval.
 */
export const PUBLISHED_OUTCOMES: readonly (typeof OUTCOMES)[number][] = OUTCOMES

/** The worst published rise in turns, as a factor: about 1.15. */
export const WORST_TURNS = Math.max(
  ...PUBLISHED_OUTCOMES.map(({ turnsBefore, turnsAfter }) => turnsAfter / turnsBefore),
)
