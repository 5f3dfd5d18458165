import { type DatedMessage, requestCall, writeSavedConversation } from '@/lib/core/loop/request'
import { type BatchProgress, isFinalEvent } from '@/lib/core/loop/run-batch'
import { EMPTY_LOOP } from '@/lib/core/loop/tool-call-manager'
import { memoize } from '../store'
import type { RunCall, SimulatorState } from './simulator'

export type DecisionRow = ReturnType<typeof decisionRows>[number]

/** All processed calls with the event that ended each, and the result as the next request contains it. */
export const decisionRows = memoize((batches: readonly BatchProgress[]) =>
  batches.flatMap(({ results, events }, index) =>
    events.filter(isFinalEvent).map((event, place) => ({
      ...event,
      number: index + 1,
      place,
      startedAt: event.at - (event.duration ?? 0),
      content: results[place]?.content ?? '',
    })),
  ),
)

/** Calls that the guards remember. */
export function historyOf({ batches }: Pick<SimulatorState, 'batches'>) {
  return (batches.at(-1)?.state ?? EMPTY_LOOP).history
}

/** Milliseconds for which an executed call still has its id and the same call refused; undefined for other calls. */
export function refusedFor(row: DecisionRow, state: SimulatorState) {
  if (row.duration === undefined) return undefined
  const isRemembered = historyOf(state).some(
    ({ callId, batch, at }) => callId === row.callId && batch === row.batch && at === row.startedAt,
  )
  const age = isRemembered ? state.now - row.startedAt : Number.POSITIVE_INFINITY
  const { idWindow, signatureWindow } = state.limits
  return { id: Math.max(0, idWindow - age), call: Math.max(0, signatureWindow - age) }
}

/** The run as a conversation: each started batch is a turn with the results it has so far. */
export function conversationOfRun({ batches, begunAt = 0 }: SimulatorState): string {
  const messages = batches.flatMap(({ batch, results, events }): DatedMessage[] => {
    const ends = events.filter(isFinalEvent)
    const asked = batch.calls.slice(0, results.length)
    const calls = asked.map((call) => requestCall({ ...call, function: undefined }, call.id))
    return [
      {
        message: { role: 'assistant', content: null, tool_calls: calls },
        at: begunAt + (events[0]?.at ?? 0),
      },
      ...results.map(({ tool_call_id, name, content }, index): DatedMessage => {
        const at = begunAt + (ends[index]?.at ?? 0)
        return { message: { role: 'tool', tool_call_id, name, content }, at }
      }),
    ]
  })
  return writeSavedConversation(messages, undefined)
}

/** True if the list has exactly the calls of a turn. */
export function isSameBatch(calls: readonly RunCall[], turn: readonly RunCall[]): boolean {
  const written = (all: readonly RunCall[]) =>
    JSON.stringify(all.map((call) => [call.id, call.name, call.arguments]))
  return written(calls) === written(turn)
}

/** The list with one more call: a copy of the last one, with an id that none has. */
export function withAnother(calls: readonly RunCall[]): readonly RunCall[] {
  const ids = new Set(calls.map(({ id }) => id))
  let number = 1
  while (ids.has(`call_${number}`)) number++
  const { name = 'tool', arguments: text = '{}' } = calls.at(-1) ?? {}
  return [...calls, { id: `call_${number}`, name, arguments: text }]
}
