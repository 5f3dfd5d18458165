import type { RepairFailure, RepairResult } from './repair-arguments'
import { STRATEGY_NAMES, type StrategyName } from './repair-strategies'

export interface RepairMetrics {
  /** Number of calls checked. */
  readonly calls: number
  readonly valid: number
  readonly repaired: number
  readonly failed: number
  /** Number of methods tried, for all calls together. */
  readonly attempts: number
  /** Repaired calls by strategy, in the order of `STRATEGY_NAMES`. A call counts for each of its strategies. */
  readonly byStrategy: readonly { readonly strategy: StrategyName; readonly calls: number }[]
  readonly failures: readonly { readonly failure: RepairFailure; readonly calls: number }[]
}

/** Sums up the results of all calls. `valid` is the number of calls that needed no repair. */
export function measureRepairs(valid: number, results: readonly RepairResult[]): RepairMetrics {
  const byStrategy = new Map<StrategyName, number>()
  const failures = new Map<RepairFailure, number>()
  for (const { state, fixes, strategy, failure } of results) {
    if (failure !== undefined) failures.set(failure, (failures.get(failure) ?? 0) + 1)
    if (state !== 'repaired') continue
    const names = new Set(fixes.map((made) => made.strategy))
    if (strategy !== undefined) names.add(strategy)
    for (const name of names) byStrategy.set(name, (byStrategy.get(name) ?? 0) + 1)
  }
  const stateCount = (wanted: RepairResult['state']) =>
    results.filter(({ state }) => state === wanted).length
  return {
    calls: valid + results.length,
    valid: valid + stateCount('valid'),
    repaired: stateCount('repaired'),
    failed: stateCount('failed'),
    attempts: results.reduce((sum, { attempts }) => sum + attempts, 0),
    byStrategy: STRATEGY_NAMES.flatMap((strategy) => {
      const calls = byStrategy.get(strategy)
      return calls === undefined ? [] : [{ strategy, calls }]
    }),
    failures: Array.from(failures, ([failure, calls]) => ({ failure, calls })),
  }
}
