import { repairArguments } from '../repair/repair-arguments'
import type { RepairArgumentsText } from './signature'

/**
 * Returns a function that repairs malformed arguments where only their syntax was wrong, and caches its results. Two
 * texts whose repair guesses or loses something may mean different calls.
 */
export function createArgumentRepair(): RepairArgumentsText {
  const known = new Map<string, string | undefined>()
  return (text) => {
    if (!known.has(text)) {
      const { isObject, fixes, text: repaired } = repairArguments(text)
      const isCertain = isObject && fixes.every(({ risk }) => risk === 'none')
      known.set(text, isCertain ? repaired : undefined)
    }
    return known.get(text)
  }
}
