import { assertReadError } from '../problem'
import type { RepairFix } from '../repair/parser/parser'
import { repairArguments } from '../repair/repair-arguments'
import type { JsonNode } from '../text/json-node'
import { parseJsonTree } from '../text/json-tree'

/** Repairs malformed arguments; undefined if it cannot, or not without a guess or a loss. */
export type RepairArgumentsText = (text: string) => string | undefined

/**
 * Signature of a call: its name and its arguments as canonical JSON, without its id. Malformed arguments are repaired
 * first, or compared as text if that is not certain. Empty arguments count as an empty object.
 */
export function signature(
  call: { readonly name: string; readonly arguments: string },
  repair: RepairArgumentsText,
): string {
  return `${JSON.stringify(call.name)}${argumentsKey(call.arguments, repair)}`
}

function argumentsKey(text: string, repair: RepairArgumentsText): string {
  if (text.trim() === '') return '{}'
  const repaired = () => canonicalJson(repair(text) ?? '')
  return canonicalJson(text) ?? repaired() ?? JSON.stringify(text.trim())
}

/**
 * Canonical form of a JSON text: no white space, sorted keys at every depth, the last of repeated keys. Numbers are
 * copied as written, so that no digit is lost. Undefined if the text is not JSON.
 */
function canonicalJson(text: string): string | undefined {
  const write = (node: JsonNode): string => {
    switch (node.kind) {
      case 'array':
        return `[${node.items.map(write).join(',')}]`
      case 'object': {
        const members = new Map(node.members.map(({ key, value }) => [key, value]))
        const keys = [...members.keys()].sort()
        const pairs = keys.map(
          (key) => `${JSON.stringify(key)}:${write(members.get(key) as JsonNode)}`,
        )
        return `{${pairs.join(',')}}`
      }
      case 'string':
        return JSON.stringify(JSON.parse(text.slice(node.start, node.end)))
      case 'other':
        return text.slice(node.start, node.end)
    }
  }
  try {
    return write(parseJsonTree(text))
  } catch (error) {
    assertReadError(error)
    return undefined
  }
}

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
