import type { LoopEvent } from './step-batch'

/** The events of a run as lines for people: seconds since the first, batch, call, what happened, code, duration. */
export function writeTrace(events: readonly LoopEvent[]): string {
  const [first] = events
  const lines = events.map(({ at, batch, callId, name, kind, code, duration }) =>
    [
      `${((at - (first?.at ?? at)) / 1000).toFixed(3).padStart(9)} s`,
      batch,
      `${name} ${callId}`,
      kind,
      code,
      duration === undefined ? undefined : `after ${(duration / 1000).toFixed(3)} s`,
    ]
      .filter((part) => part !== undefined)
      .join('  '),
  )
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`
}
