/** Where a window stands in each request of a session. */
import { memoizeFor } from '../memoize-for'
import { breakEvenSteps } from '../policy/break-even'
import { firstKeptTurn } from '../policy/window-steps'
import type { MaskWindow, PreparedReplay } from './prepare-replay'
import type { SessionRequest } from './sessions'

type Prepared = Pick<PreparedReplay, 'session' | 'aging' | 'cache'>

/** By request: the first turn that a window keeps which moves at break-even. */
function turnsAtBreakEven({ session, aging, cache }: Prepared, windowTurns: number) {
  return memoizeFor(aging, windowTurns, () => {
    const { messages } = session.conversation
    const stepsUpTo = (end?: number) =>
      breakEvenSteps(messages.slice(0, end), aging, windowTurns, cache)
    const byEnd = new Map(stepsUpTo().map(({ end, firstKept }) => [end, firstKept]))
    // A request that no answer follows is decided on its own, as the agent did; one of no message has no step.
    return session.requests.map(
      ({ end }) => byEnd.get(end) ?? stepsUpTo(end).at(-1)?.firstKept ?? 0,
    )
  })
}

/** A function that gives the first turn that a window keeps in a request. */
export function keptTurnsOf(
  prepared: Prepared,
  { windowTurns, batchTurns, lastTurn = Number.POSITIVE_INFINITY }: MaskWindow,
): (request: number) => number {
  if (batchTurns === 'auto') {
    const turns = turnsAtBreakEven(prepared, windowTurns)
    return (request) => Math.min(lastTurn, turns[request] as number)
  }
  const { requests } = prepared.session
  return (request) =>
    firstKeptTurn((requests[request] as SessionRequest).turnCount, { windowTurns, batchTurns })
}
