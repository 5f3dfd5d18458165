/** Repairs of malformed arguments as views show them. */

import type { BrokenCall } from '@/lib/core/repair/repair-document'
import { repairEdits } from '@/lib/core/repair/repair-edits'
import type { RepairRisk, StrategyName } from '@/lib/core/repair/repair-strategies'
import { riskOf, STRATEGY_NAMES } from '@/lib/core/repair/repair-strategies'
import { applyEdits } from '@/lib/core/text/span'
import type { PlaygroundState } from '../store'
import { repairOf } from './document-repair'

/** The source text with repaired arguments and no other changes; undefined if there are none. */
export function repairedTextOf(state: PlaygroundState): string | undefined {
  const edits = repairEdits(repairOf(state)?.calls ?? [])
  return edits.length === 0 || state.read === undefined
    ? undefined
    : applyEdits(state.read.source.text, edits)
}

/** A piece of a text before or after its repair. */
export interface RepairPart {
  readonly text: string
  readonly isChanged: boolean
}

/** Longer arguments are cut. */
const MOST_CHARS = 20_000
const MOST_FIXES = 500

/** Splits both texts into changed and unchanged pieces; `isWhole` is false if long texts are cut. */
export function repairParts({ before, result }: Pick<BrokenCall, 'before' | 'result'>) {
  const left: RepairPart[] = []
  const right: RepairPart[] = []
  const put = (pieces: RepairPart[], text: string, isChanged: boolean) => {
    if (text !== '') pieces.push({ text, isChanged })
  }
  const fixes = result.fixes.slice(0, MOST_FIXES)
  let at = 0
  for (const { start, end, text } of fixes) {
    if (start > MOST_CHARS) break
    const kept = before.slice(at, start)
    put(left, kept, false)
    put(right, kept, false)
    put(left, before.slice(start, Math.min(end, start + MOST_CHARS)), true)
    put(right, text.slice(0, MOST_CHARS), true)
    at = end
  }
  const isAll = fixes.length === result.fixes.length && before.length <= MOST_CHARS
  const rest = isAll ? before.slice(at) : before.slice(at, Math.max(at, MOST_CHARS))
  put(left, rest, false)
  put(right, rest, false)
  return { before: left, after: right, isWhole: isAll }
}

/** The strategies used, in the order of `STRATEGY_NAMES`. */
export function strategiesOf({ fixes, strategy }: BrokenCall['result']): readonly StrategyName[] {
  const used = new Set([...fixes.map((made) => made.strategy), strategy])
  return STRATEGY_NAMES.filter((name) => used.has(name))
}

/** Outcome of a call: not repaired, or repaired at some risk. */
export type RepairOutcomeKind = 'left' | RepairRisk

export const OUTCOME_KINDS: readonly RepairOutcomeKind[] = ['left', 'loss', 'guess', 'none']

export function outcomeOf({ result }: Pick<BrokenCall, 'result'>): RepairOutcomeKind {
  return result.isObject ? riskOf(result) : 'left'
}
