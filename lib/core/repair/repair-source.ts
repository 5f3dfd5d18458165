import { assertReadError, type Problem } from '../problem'
import { applyEdits } from '../text/span'
import type { RepairFix } from './parser/parser'
import { repairArguments } from './repair-arguments'
import { REPAIR_LIMITS } from './repair-limits'
import { STRATEGIES, STRATEGY_NAMES, type StrategyName } from './repair-strategies'

const SUITED: ReadonlySet<StrategyName> = new Set(
  STRATEGY_NAMES.filter((name) => {
    const { risk, suitsTranscripts = risk === 'none' } = STRATEGIES[name]
    return suitsTranscripts
  }),
)

/** A longer text is not repaired. */
const MOST_CHARS = 20_000_000
const MOST_MILLISECONDS = 3000

/**
 * Returns the edits that make a pasted text JSON: a trailing comma, a fenced block, a Python literal. They are in
 * ascending order. Undefined if the text needs more than that; texts that were cut off are not completed.
 */
export function repairSource(text: string, now?: () => number): readonly RepairFix[] | undefined {
  if (text.length > MOST_CHARS) return undefined
  const limits = { ...REPAIR_LIMITS, milliseconds: MOST_MILLISECONDS, strategies: SUITED }
  const { state, fixes } = repairArguments(text, now === undefined ? limits : { ...limits, now })
  if (state !== 'repaired') return undefined
  return fixes.filter(({ start, end, text: inserted }) => start < end || inserted !== '')
}

/**
 * Returns the edits after which `read` can read a text that is not JSON; undefined if there are none. `read` throws a
 * `ReadError` for a text that is no transcript.
 */
export function offerRepair(
  text: string,
  { code }: Problem,
  read: (text: string) => unknown,
  now?: () => number,
): readonly RepairFix[] | undefined {
  if (code !== 'invalid_json' && code !== 'truncated_json') return undefined
  const fixes = repairSource(text, now)
  if (fixes === undefined) return undefined
  try {
    read(applyEdits(text, fixes))
    return fixes
  } catch (error) {
    assertReadError(error)
    return undefined
  }
}
