/** Where a window stands in each request of a session. */
import { type AgingResult, breakEvenSteps, type WindowStep } from '../policy/break-even'
import { firstKeptTurn } from '../policy/window-steps'
import type { MaskWindow, PreparedReplay } from './prepare-replay'
import type { SessionRequest } from './sessions'

type Prepared = Pick<PreparedReplay, 'session' | 'aging' | 'cache'>

/** The step of a request of whose messages the transcript has none. */
const NOTHING_SENT: WindowStep = {
  ...{ end: 0, firstKept: 0, isMove: false },
  ...{ staleTokens: 0, debt: 0, priceOfMoving: 0 },
}

const stepsOf = new WeakMap<readonly AgingResult[], Map<number, readonly WindowStep[]>>()

/** The steps of a window that moves at break-even, by request. */
export function replaySteps(
  { session, aging, cache }: Prepared,
  windowTurns: number,
): readonly WindowStep[] {
  const byWindow = stepsOf.get(aging) ?? new Map<number, readonly WindowStep[]>()
  stepsOf.set(aging, byWindow)
  const known = byWindow.get(windowTurns)
  if (known !== undefined) return known
  const { messages } = session.conversation
  const stepsUpTo = (end?: number) =>
    breakEvenSteps(messages.slice(0, end), aging, windowTurns, cache)
  const byEnd = new Map(stepsUpTo().map((step) => [step.end, step]))
  // A request that no answer follows is decided on its own, as the agent did.
  const steps = session.requests.map(
    ({ end }) => byEnd.get(end) ?? stepsUpTo(end).at(-1) ?? NOTHING_SENT,
  )
  byWindow.set(windowTurns, steps)
  return steps
}

/** A function that gives the first turn that a window keeps in a request. */
export function keptTurnsOf(
  prepared: Prepared,
  { windowTurns, batchTurns }: MaskWindow,
): (request: number) => number {
  if (batchTurns === 'auto') {
    const steps = replaySteps(prepared, windowTurns)
    return (request) => (steps[request] as WindowStep).firstKept
  }
  const { requests } = prepared.session
  return (request) =>
    firstKeptTurn((requests[request] as SessionRequest).turnCount, { windowTurns, batchTurns })
}

/** The results that the last request masks under a window, ascending. */
export function maskedAtLast(prepared: PreparedReplay, window: MaskWindow): number[] {
  const { session, maskings } = prepared
  const last = session.requests.at(-1)
  if (window.windowTurns <= 0 || last === undefined) return []
  const firstKeptAt = keptTurnsOf(prepared, window)
  return maskings
    .filter(({ turn, until, by }) => turn < firstKeptAt(by) && until === session.requests.length)
    .map(({ result }) => result)
    .sort((one, other) => one - other)
}
