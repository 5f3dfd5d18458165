import { repairArguments } from '../repair/repair-arguments'
import type { RepairArgumentsText } from './signature'

/** Returns a function that repairs malformed arguments as `repairDocument` does, and caches its results. */
export function createArgumentRepair(): RepairArgumentsText {
  const known = new Map<string, string | undefined>()
  return (text) => {
    if (!known.has(text)) {
      const { state, text: repaired } = repairArguments(text)
      known.set(text, state === 'failed' ? undefined : repaired)
    }
    return known.get(text)
  }
}
