/** For targets that count results, not turns: how many to keep, and which are then cleared. */
import { firstKeptTurn } from '../../policy/decide'
import type { ExportInput } from './export-target'

/**
 * Number of results in the window of the conversation shown; an estimate if it is shorter than the window or missing.
 */
export function resultsInWindow({ policy, shown }: ExportInput): number {
  const { windowTurns } = policy
  const turnCount = shown?.conversation.turnCount ?? 0
  const results = shown?.conversation.results.filter(({ turn }) => turn !== undefined) ?? []
  if (turnCount === 0 || results.length === 0) return windowTurns
  if (turnCount < windowTurns) {
    return Math.max(windowTurns, Math.ceil((results.length / turnCount) * windowTurns))
  }
  const firstKept = firstKeptTurn(turnCount, { windowTurns, batchTurns: 1 })
  return results.filter(({ turn }) => (turn as number) >= firstKept).length
}

/** Returns all results of a turn except the last `keep`. Excluded tools count among the last, and are not cleared. */
export function resultsExceptLast(
  { policy, shown }: ExportInput,
  keep: number,
): ReadonlySet<number> | undefined {
  if (shown === undefined) return undefined
  const candidates = shown.conversation.results
    .map((result, index) => ({ result, index }))
    .filter(({ result }) => result.turn !== undefined)
    .sort((a, b) => a.result.message - b.result.message)
  const old = candidates.slice(0, Math.max(0, candidates.length - keep))
  const cleared = old.filter(
    ({ result: { toolName } }) => toolName === undefined || !policy.excludeTools.includes(toolName),
  )
  return new Set(cleared.map(({ index }) => index))
}

/** True if every turn of the conversation shown has exactly one result, so that counting either is the same. */
export function hasOneResultATurn({ shown }: ExportInput): boolean {
  if (shown === undefined) return false
  const { results, turnCount } = shown.conversation
  const turns = results.map(({ turn }) => turn)
  return (
    turns.length === turnCount && new Set(turns).size === turnCount && !turns.includes(undefined)
  )
}
