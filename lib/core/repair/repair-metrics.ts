import { countBy } from '../conversation/add-to-group'
import type { RepairFailure, RepairResult } from './repair-arguments'
import { type RepairRisk, riskOf, STRATEGY_NAMES, type StrategyName } from './repair-strategies'

export { riskOf }

/** Why arguments do not count as repaired: the repair failed, or they are JSON but no object. */
export type RepairShortfall = RepairFailure | 'not_an_object'

export type RepairMetrics = Readonly<ReturnType<typeof measureRepairs>>

type Counted = Omit<RepairResult, 'value'>

/** Sums up the results of all calls that needed a repair. `valid` is the number of calls that did not. */
export function measureRepairs(valid: number, results: readonly Counted[]) {
  const failed = results.flatMap((result) => shortfallOf(result) ?? [])
  const kept = results.filter((result) => shortfallOf(result) === undefined)
  const repaired = kept.filter(({ state }) => state !== 'valid')
  const strategies = repaired.flatMap((result) => [
    ...new Set([result, ...result.fixes].map(({ strategy }) => strategy)),
  ])
  const byStrategy = countBy(strategies, (name) => name)
  /** Repaired calls by the highest risk of their fixes. */
  const byRisk: Record<RepairRisk, number> = { none: 0, guess: 0, loss: 0 }
  for (const result of repaired) byRisk[riskOf(result)]++
  const time = results.reduce((sum, { milliseconds }) => sum + milliseconds, 0)
  return {
    /** Number of calls checked. */
    calls: valid + results.length,
    valid: valid + kept.length - repaired.length,
    repaired: repaired.length,
    failed: failed.length,
    byRisk,
    /** Number of calls whose repair was tried; the limit of attempts is of these. */
    attempts: results.reduce((sum, { attempts }) => sum + attempts, 0),
    /** Repaired calls by strategy, in the order of `STRATEGY_NAMES`. A call counts for each of its strategies. */
    byStrategy: STRATEGY_NAMES.flatMap((strategy) => {
      const calls = byStrategy.get(strategy)
      return calls === undefined ? [] : [{ strategy, calls }]
    }),
    failures: Array.from(
      countBy(failed, (why) => why),
      ([failure, calls]) => ({ failure, calls }),
    ),
    /** Average time of a repair; undefined without one. */
    averageMilliseconds: results.length === 0 ? undefined : time / results.length,
  }
}

export function shortfallOf({ failure, isObject }: Counted): RepairShortfall | undefined {
  return failure ?? (isObject ? undefined : 'not_an_object')
}

/**
 * The counts under the names of the specification. Nothing is evaluated: what its `eval_fallback` is for, texts that a
 * program would read, `jsonrepair` reads here without running them.
 */
export function namedCounts(metrics: RepairMetrics) {
  const { attempts, repaired, failed, byStrategy, failures, averageMilliseconds } = metrics
  const callsBy = (name: StrategyName) =>
    byStrategy.find(({ strategy }) => strategy === name)?.calls ?? 0
  const others = {
    eval_fallback: callsBy('jsonrepair'),
    reconstruct_basic: callsBy('reconstructed_pairs'),
    reconstruct_complex: callsBy('reconstructed_tokens'),
  }
  const byOthers = Object.values(others).reduce((sum, calls) => sum + calls, 0)
  return {
    total_attempts: attempts,
    successful_repairs: repaired,
    failed_repairs: failed,
    success_by_strategy: { direct_fix: repaired - byOthers, ...others, all_failed: failed },
    failure_reasons: failures.flatMap(({ failure, calls }) => Array<string>(calls).fill(failure)),
    average_time_ms: averageMilliseconds ?? null,
  }
}
