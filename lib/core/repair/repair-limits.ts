import type { StrategyName } from './repair-strategies'

/** Limits of a repair, and what to do with text that is no JSON. Calls left at a limit stay unrepaired, with the reason. */
export interface RepairSettings {
  /** False lifts both limits. */
  readonly enabled: boolean
  /** Number of calls in a document whose repair is tried. */
  readonly attempts: number
  readonly milliseconds: number
  /** Writes arguments that are no object, such as a program, as `{"input": text}`. */
  readonly wrapInput: boolean
}

export interface RepairOptions extends RepairSettings {
  /** Clock in milliseconds; `performance.now` by default. */
  readonly now?: () => number
  /** Allowed strategies; undefined allows all. */
  readonly strategies?: ReadonlySet<StrategyName>
}

/** Defaults for all calls in a document together. */
export const REPAIR_LIMITS: RepairSettings = {
  enabled: true,
  attempts: 1000,
  milliseconds: 5000,
  wrapInput: false,
}

/** The runtime's clock, the only one that the core reads: without a limit of time a repair could hold up its thread. */
export function clockOf({ now }: RepairOptions): () => number {
  const { performance } = globalThis as unknown as { readonly performance: { now(): number } }
  return now ?? (() => performance.now())
}
