import type { RepairFix } from '../repair/parser/parser'
import { repairArguments } from '../repair/repair-arguments'
import type { RepairArgumentsText } from './signature'

/**
 * Returns a function that repairs malformed arguments where only their syntax was wrong, and caches its results. Two
 * texts whose repair guesses or removes something may mean different calls: what it removes is different.
 */
export function createArgumentRepair(): RepairArgumentsText {
  const known = new Map<string, string | undefined>()
  return (text) => {
    if (!known.has(text)) {
      const { isObject, fixes, text: repaired } = repairArguments(text)
      const isLossless = ({ risk, strategy, start, end, text: written }: RepairFix) =>
        risk === 'none' &&
        (strategy === 'fences' || written !== '' || !/[\p{L}\p{N}]/u.test(text.slice(start, end)))
      const isCertain = isObject && fixes.every(isLossless)
      known.set(text, isCertain ? repaired : undefined)
    }
    return known.get(text)
  }
}
