import type { RepairFailure, RepairResult } from './repair-arguments'
import { type RepairRisk, riskOf, STRATEGY_NAMES, type StrategyName } from './repair-strategies'

export { riskOf }

/** Why arguments do not count as repaired: the repair failed, or they are JSON but no object. */
export type RepairShortfall = RepairFailure | 'not_an_object'

export interface RepairMetrics {
  /** Number of calls checked. */
  readonly calls: number
  readonly valid: number
  readonly repaired: number
  readonly failed: number
  /** Repaired calls by the highest risk of their fixes. */
  readonly byRisk: Readonly<Record<RepairRisk, number>>
  /** Number of calls whose repair was tried; the limit of attempts is of these. */
  readonly attempts: number
  /** Repaired calls by strategy, in the order of `STRATEGY_NAMES`. A call counts for each of its strategies. */
  readonly byStrategy: readonly { readonly strategy: StrategyName; readonly calls: number }[]
  readonly failures: readonly { readonly failure: RepairShortfall; readonly calls: number }[]
  /** Average time of a repair; undefined without one. */
  readonly averageMilliseconds: number | undefined
}

type Counted = Omit<RepairResult, 'value'>

/** Sums up the results of all calls that needed a repair. `valid` is the number of calls that did not. */
export function measureRepairs(valid: number, results: readonly Counted[]): RepairMetrics {
  const byStrategy = new Map<StrategyName | undefined, number>()
  const failures = new Map<RepairShortfall, number>()
  const times: number[] = []
  const byRisk = { none: 0, guess: 0, loss: 0 }
  let [accepted, repaired] = [valid, 0]
  for (const result of results) {
    times.push(result.milliseconds)
    const shortfall = shortfallOf(result)
    if (shortfall !== undefined) failures.set(shortfall, (failures.get(shortfall) ?? 0) + 1)
    else if (result.state === 'valid') accepted++
    else {
      repaired++
      byRisk[riskOf(result)]++
      const names = new Set([result, ...result.fixes].map((made) => made.strategy))
      for (const name of names) byStrategy.set(name, (byStrategy.get(name) ?? 0) + 1)
    }
  }
  return {
    calls: valid + results.length,
    valid: accepted,
    repaired,
    failed: valid + results.length - accepted - repaired,
    byRisk,
    attempts: results.reduce((sum, { attempts }) => sum + attempts, 0),
    byStrategy: STRATEGY_NAMES.flatMap((strategy) => {
      const calls = byStrategy.get(strategy)
      return calls === undefined ? [] : [{ strategy, calls }]
    }),
    failures: Array.from(failures, ([failure, calls]) => ({ failure, calls })),
    averageMilliseconds:
      times.length === 0 ? undefined : times.reduce((sum, time) => sum + time, 0) / times.length,
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
