import type { CallResult, ResultCode } from '@/lib/core/loop/call-result'
import { type DatedMessage, requestCall } from '@/lib/core/loop/request-message'
import type { BatchProgress } from '@/lib/core/loop/step-batch'
import { writeThread } from '@/lib/core/loop/thread'
import type { RunState } from './loop-run'
import { remembered } from './remembered'

/** A run as a conversation: each batch that was begun is a turn, its calls answered by the results there are. */
export function runThread({ batches, events, begunAt = 0 }: RunState): string {
  const messages = batches.flatMap(({ batch, results }): DatedMessage[] => {
    const own = events.filter((event) => event.batch === batch.id)
    const calls = batch.calls.slice(0, results.length)
    if (calls.length === 0) return []
    const times = timesOf(results, own)
    const asked = calls.map((call) => requestCall({ ...call, function: undefined }, call.id))
    return [
      {
        message: { role: 'assistant', content: null, tool_calls: asked },
        at: begunAt + (own[0]?.at ?? 0),
      },
      ...results.map(({ tool_call_id, name, content }, index): DatedMessage => {
        const at = begunAt + (times[index] ?? 0)
        return { message: { role: 'tool', tool_call_id, name, content }, at }
      }),
    ]
  })
  return writeThread(messages, undefined)
}

/** When each result was there: every call has one last event, in the order of the calls. */
function timesOf(results: readonly CallResult[], events: RunState['events']): number[] {
  const ends = events.filter(({ kind }) => kind !== 'started').map(({ at }) => at)
  return results.map((_, index) => ends[index] ?? 0)
}

/** One result of each call, by id, for a follow-up request: the newest of those that were run, else of all. */
export const resultsOfRun = remembered((batches: readonly BatchProgress[]): CallResult[] => {
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
