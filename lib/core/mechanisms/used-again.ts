/**
 * A window of turns in steps that spares what was used again: a result is as old as the last answer that took something from
 * it, and not only as old as itself.
 */
import { groupBy } from '../conversation/add-to-group'
import { memoizeFor } from '../memoize-for'
import { firstKeptTurn } from '../policy/window-steps'
import { callsOf, clearResults, resultsBefore, withMore } from './clear-results'
import { positionsOfResults, type SessionHistory } from './history'
import { namesOf, numberOf, textOf } from './mechanism'
import { defineMechanism } from './mechanism-table'

export const usedAgain = defineMechanism<readonly number[]>(
  'used-again',
  [],
  ({ history, end, request }, state, settings) => {
    const { requests } = history.session
    const turnCount = requests[request]?.turnCount as number
    const batchTurns = numberOf(settings, 'batch_turns')
    const firstKept = (key: string) =>
      firstKeptTurn(turnCount, { windowTurns: numberOf(settings, key), batchTurns })
    const [windowFrom, sparedFrom] = [firstKept('window_turns'), firstKept('spared_turns')]
    const { turnOf, usesOf } = agesOf(history)
    const known = memoizeFor(state, 'known', () => new Set(state))
    const isOld = (at: number) => {
      if ((turnOf[at] as number) >= windowFrom || known.has(at)) return false
      const last = usesOf.get(at)?.findLast((use) => use.request < request)
      return last === undefined || (requests[last.request]?.turnCount as number) < sparedFrom
    }
    const more = resultsBefore(history, end, namesOf(settings, 'exclude_tools')).filter(isOld)
    const cleared = withMore(state, more)
    const placeholder = textOf(settings, 'placeholder')
    return { state: cleared, edits: clearResults(history, cleared, placeholder) }
  },
)

/** By position of a result: the turn of its call, and its uses in the order of their requests. */
function agesOf(history: SessionHistory) {
  return memoizeFor(history, agesOf, () => {
    const { session, uses, messages } = history
    const positions = positionsOfResults(history)
    const turnOf = callsOf(history).map((call) => {
      const asked = messages[call?.at ?? -1]?.message ?? -1
      return session.conversation.messages[asked]?.turn ?? Number.POSITIVE_INFINITY
    })
    const used = uses.flatMap(({ request, holders }) =>
      holders.map((holder) => ({ at: positions[holder], request })),
    )
    return { turnOf, usesOf: groupBy(used, ({ at }) => at) }
  })
}
