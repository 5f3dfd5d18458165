/** Where a window stands in each request of a session. */
import { type AgingResult, breakEvenSteps } from '../policy/break-even'
import { firstKeptTurn } from '../policy/window-steps'
import type { MaskWindow, PreparedReplay } from './prepare-replay'
import type { SessionRequest } from './sessions'

type Prepared = Pick<PreparedReplay, 'session' | 'aging' | 'cache'>

const keptAtBreakEven = new WeakMap<readonly AgingResult[], Map<number, readonly number[]>>()

/** By request: the first turn that a window keeps which moves at break-even. */
function turnsAtBreakEven({ session, aging, cache }: Prepared, windowTurns: number) {
  const byWindow = keptAtBreakEven.get(aging) ?? new Map<number, readonly number[]>()
  keptAtBreakEven.set(aging, byWindow)
  const known = byWindow.get(windowTurns)
  if (known !== undefined) return known
  const { messages } = session.conversation
  const stepsUpTo = (end?: number) =>
    breakEvenSteps(messages.slice(0, end), aging, windowTurns, cache)
  const byEnd = new Map(stepsUpTo().map(({ end, firstKept }) => [end, firstKept]))
  // A request that no answer follows is decided on its own, as the agent did; one of no message has no step.
  const turns = session.requests.map(
    ({ end }) => byEnd.get(end) ?? stepsUpTo(end).at(-1)?.firstKept ?? 0,
  )
  byWindow.set(windowTurns, turns)
  return turns
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
