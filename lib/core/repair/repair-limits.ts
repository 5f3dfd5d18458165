import type { StrategyName } from './repair-strategies'

/** Defaults for all calls in a document together. Calls left at a limit stay unrepaired, with the reason. */
export const REPAIR_LIMITS = {
  /** False lifts both limits. */
  enabled: true,
  /** Number of calls in a document whose repair is tried. */
  attempts: 1000,
  milliseconds: 5000,
  /** Writes arguments that are no object, such as a program, as `{"input": text}`. */
  wrapInput: false,
}

export type RepairSettings = Readonly<typeof REPAIR_LIMITS>

export interface RepairOptions extends RepairSettings {
  /** Clock in milliseconds; `performance.now` by default. */
  readonly now?: () => number
  /** Allowed strategies; undefined allows all. */
  readonly strategies?: ReadonlySet<StrategyName>
}

/** The runtime's clock, the only one that the core reads: without a limit of time a repair could hold up its thread. */
export function clockOf({ now }: RepairOptions): () => number {
  const { performance } = globalThis as unknown as { readonly performance: { now(): number } }
  return now ?? (() => performance.now())
}
