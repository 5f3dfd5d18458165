/**
 * Finds the call that a result belonged to when a request was sent. A later turn can reuse a call id. The complete
 * conversation then gives the result to the later turn, but requests before that turn gave it to the earlier one.
 */
import type { Conversation, ToolCall, ToolResult } from '../conversation/conversation'
import { partitionPoint } from '../text/partition-point'
import type { SessionRequest } from './sessions'

/** A result, from one request on until it belongs to another call. */
export interface ResultLink {
  /** Index of the first request for which this is valid. */
  readonly from: number
  /** The result with the turn, name and arguments of its call at that time. */
  readonly result: ToolResult
}

/** The links of each result, in the order of the requests; empty for a result that no request sends. */
export function linkResults(
  { calls, results }: Pick<Conversation, 'calls' | 'results'>,
  requests: readonly SessionRequest[],
): (readonly ResultLink[])[] {
  const callsOfId = new Map<string, ToolCall[]>()
  for (const call of calls) {
    if (call.id === undefined || call.turn === undefined) continue
    const known = callsOfId.get(call.id)
    if (known === undefined) callsOfId.set(call.id, [call])
    else known.push(call)
  }
  return results.map((result) => {
    const first = firstRequestAfter(requests, result.message)
    if (first === requests.length) return []
    const candidates = result.callId === undefined ? [] : (callsOfId.get(result.callId) ?? [])
    const links: ResultLink[] = []
    let current: ToolCall | undefined
    for (const call of candidates) {
      const from = firstRequestAfter(requests, call.message)
      if (from === requests.length) break
      // A call without a name leaves the name that an earlier call gave the id.
      const named: ToolCall = { ...call, name: call.name ?? current?.name }
      if (from > first) {
        if (links.length === 0) links.push({ from: first, result: linked(result, current) })
        // Of calls made between the same two requests, the last one counts.
        if (links.at(-1)?.from === from) links.pop()
        links.push({ from, result: linked(result, named) })
      }
      current = named
    }
    return links.length > 0 ? links : [{ from: first, result: linked(result, current) }]
  })
}

/** Index of the first request that sends a message; the number of requests if none does. */
export function firstRequestAfter(requests: readonly SessionRequest[], message: number): number {
  return partitionPoint(
    0,
    requests.length,
    (index) => (requests[index] as SessionRequest).end <= message,
  )
}

function linked(result: ToolResult, call: ToolCall | undefined): ToolResult {
  return {
    ...result,
    turn: call?.turn,
    toolName: call?.name,
    toolArguments: call?.argumentsPreview ?? '',
  }
}
