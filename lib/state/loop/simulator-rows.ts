import type { CallResult, ResultCode } from '@/lib/core/loop/call-result'
import {
  type DatedMessage,
  requestCall,
  writeSavedConversation,
} from '@/lib/core/loop/request-message'
import { type BatchProgress, isFinalEvent, type LoopEvent } from '@/lib/core/loop/run-batch'
import type { LoopLimits } from '@/lib/core/loop/tool-call-manager'
import { memoize } from '../select'
import type { SimulatorState } from './simulator-state'

export type DecisionRow = ReturnType<typeof decisionRows>[number]

/** All processed calls; a running one is last. */
export const decisionRows = memoize(
  (batches: readonly BatchProgress[], events: readonly LoopEvent[]) =>
    batches.flatMap(({ batch, results }, index) => {
      const batchEvents = events.filter((event) => event.batch === batch.id)
      const ends = batchEvents.filter(isFinalEvent)
      const row = (event: LoopEvent, place: number, content: string | undefined) => ({
        // From 1, as is the position in the batch.
        batch: index + 1,
        place,
        callId: event.callId,
        name: event.name,
        /** `started` means it is running. */
        kind: event.kind === 'retried' ? 'started' : event.kind,
        code: event.code,
        /** Milliseconds since the run began. */
        at: event.at - (event.duration ?? 0),
        duration: event.duration,
        /** The result as the next request contains it; undefined while the call is running. */
        content,
      })
      const done = results.flatMap(({ content }, at) => {
        const event = ends[at]
        return event === undefined ? [] : [row(event, at + 1, content)]
      })
      const last = batchEvents.at(-1)
      const isRunning = last !== undefined && !isFinalEvent(last) && ends.length === results.length
      return isRunning ? [...done, row(last, results.length + 1, undefined)] : done
    }),
)

/** Past executions, and the milliseconds for which each guard still counts them; newest first. */
export function historyRows(
  { history, now }: Pick<SimulatorState, 'history' | 'now'>,
  { idWindow, signatureWindow }: LoopLimits,
) {
  return history.history.toReversed().map((execution) => {
    const age = now - execution.at
    return {
      ...execution,
      age,
      idLeft: Math.max(0, idWindow - age),
      signatureLeft: Math.max(0, signatureWindow - age),
    }
  })
}

/** The run as a conversation: each started batch is a turn with the results it has so far. */
export function conversationOfRun({ batches, events, begunAt = 0 }: SimulatorState): string {
  const messages = batches.flatMap(({ batch, results }): DatedMessage[] => {
    const batchEvents = events.filter((event) => event.batch === batch.id)
    const calls = batch.calls.slice(0, results.length)
    if (calls.length === 0) return []
    const times = timesOf(results, batchEvents)
    const asked = calls.map((call) => requestCall({ ...call, function: undefined }, call.id))
    return [
      {
        message: { role: 'assistant', content: null, tool_calls: asked },
        at: begunAt + (batchEvents[0]?.at ?? 0),
      },
      ...results.map(({ tool_call_id, name, content }, index): DatedMessage => {
        const at = begunAt + (times[index] ?? 0)
        return { message: { role: 'tool', tool_call_id, name, content }, at }
      }),
    ]
  })
  return writeSavedConversation(messages, undefined)
}

/** Time of each result: every call has one final event, in call order. */
function timesOf(results: readonly CallResult[], events: SimulatorState['events']): number[] {
  const ends = events.filter(isFinalEvent).map(({ at }) => at)
  return results.map((_, index) => ends[index] ?? 0)
}

/** One result per call id, for the next request: the newest that was run, else the newest. */
export const resultsOfRun = memoize((batches: readonly BatchProgress[]): CallResult[] => {
  const newest = new Map<string, CallResult>()
  for (const result of batches.flatMap(({ results }) => results)) {
    const known = newest.get(result.tool_call_id)
    if (known === undefined || wasRun(result) || !wasRun(known)) {
      newest.set(result.tool_call_id, result)
    }
  }
  return [...newest.values()]
})

const RUN_CODES: ReadonlySet<unknown> = new Set<ResultCode>(['TIMEOUT', 'TOOL_MANAGER_ERROR'])

function wasRun({ success, content }: CallResult): boolean {
  return success || RUN_CODES.has((JSON.parse(content) as { code: unknown }).code)
}
