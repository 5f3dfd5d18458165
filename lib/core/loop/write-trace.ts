import type { LoopEvent } from './run-batch'

/** Writes events as lines of text: seconds since the first event, batch, call, event, code, duration. */
export function writeTrace(events: readonly LoopEvent[]): string {
  const lines = events.map(({ at, batch, callId, name, kind, code, duration }) =>
    [
      `${((at - (events[0] as LoopEvent).at) / 1000).toFixed(3).padStart(9)} s`,
      batch,
      `${name} ${callId}`,
      kind,
      code,
      duration === undefined ? undefined : `after ${(duration / 1000).toFixed(3)} s`,
    ]
      .filter((part) => part !== undefined)
      .join('  '),
  )
  return lines.map((line) => `${line}\n`).join('')
}
