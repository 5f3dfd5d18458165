/** Targets that count results, not turns: how many they are to keep, and which they then clear. */
import { firstKeptTurn } from '../../policy/decide'
import type { ExportInput } from './export-target'

/**
 * As many results as the window holds in the conversation at hand; where that is shorter than the window, or there is
 * none, as many as its turns would hold on the average, one each at the least.
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

/** All results that have a call but the last `keep`; tools excluded count among the last, and are not cleared. */
export function allButLast(
  { policy, shown }: ExportInput,
  keep: number,
): ReadonlySet<number> | undefined {
  if (shown === undefined) return undefined
  const candidates = shown.conversation.results
    .map((result, index) => ({ result, index }))
    .filter(({ result }) => result.turn !== undefined)
    .sort((a, b) => a.result.message - b.result.message || a.index - b.index)
  const old = candidates.slice(0, Math.max(0, candidates.length - keep))
  const cleared = old.filter(
    ({ result: { toolName } }) => toolName === undefined || !policy.excludeTools.includes(toolName),
  )
  return new Set(cleared.map(({ index }) => index))
}

/** Whether every turn of the conversation at hand has one result: then counting either is the same. */
export function hasOneResultATurn({ shown }: ExportInput): boolean {
  if (shown === undefined) return false
  const { results, turnCount } = shown.conversation
  const turns = results.map(({ turn }) => turn)
  return (
    turns.length === turnCount && new Set(turns).size === turnCount && !turns.includes(undefined)
  )
}
