/** The settings that the map shows, windows across and steps down, and what each costs. */
import type { MaskWindow } from '@/lib/core/replay/prepare-replay'
import { lossAt, pointAt, type Sweep } from '@/lib/core/replay/sweep'
import { listedBatches } from '@/lib/core/replay/sweep-grid'

/** Narrower columns could not be pressed. */
const MOST_WINDOWS = 10

/**
 * The swept windows near powers of two, the first that masks nothing and the recommended one, without the smallest if they
 * are too many; the usual steps, the recommended one, and break-even if it was swept.
 */
export function mapAxes({ largestWindow, windows, batches }: Sweep, best: MaskWindow | undefined) {
  const listed = new Set<number>()
  for (let power = 1; power < largestWindow; power *= 2)
    listed.add(windows.find((window) => window >= power) ?? largestWindow)
  // Masks nothing, as every longer one.
  listed.add(largestWindow)
  if (best !== undefined) listed.delete(best.windowTurns)
  const others = [...listed].slice(1 - MOST_WINDOWS)
  const across = best === undefined ? others : [...others, best.windowTurns]
  const steps = batches.filter((step) => step === 'auto' || step === best?.batchTurns)
  return { windows: across.sort((a, b) => a - b), batches: listedBatches(steps) }
}

/**
 * What a setting costs with caching, and at worst, if everything lost is fetched again; in tokens if a price is unknown.
 * Undefined if it was not swept.
 */
export function costAt(swept: Sweep, setting: MaskWindow) {
  const [point, loss] = [pointAt(swept, setting), lossAt(swept, setting)]
  if (point === undefined || loss === undefined) return undefined
  const [before, after] = [swept.before.costs.cached, point.total.costs.cached]
  const isPriced = before !== undefined && after !== undefined
  return {
    isPriced,
    before: isPriced ? before : swept.before.tokens,
    after: isPriced ? after : point.total.tokens,
    worst: isPriced && loss.cached !== undefined ? after + loss.cached : undefined,
    lostUses: loss.uses,
  }
}

/** Where the map marks a window or step: at itself, or at the largest that is listed and not larger. */
export function listedAt<Value extends number | 'auto'>(
  line: readonly Value[],
  value: number | 'auto',
): Value | undefined {
  const isAt = (listed: Value) => listed === value || Number(listed) <= Number(value)
  return line.findLast(isAt) ?? line[0]
}
