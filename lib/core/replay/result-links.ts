/**
 * Which call a result belonged to when a request was sent. Later turns may use its id again: the conversation as a
 * whole gives such a result to the later turn, a request sent before that turn could not.
 */
import type { Conversation, ToolCall, ToolResult } from '../conversation/conversation'
import { partitionPoint } from '../text/partition-point'
import type { SessionRequest } from './requests'

/** What a result is from one request on. */
export interface ResultLink {
  /** Index of the first request at which it holds. */
  readonly from: number
  /** The result's facts, with the turn, name and arguments of the call it belongs to then. */
  readonly result: ToolResult
}

/** For each result, its links in the order of the requests; empty for one that no request sends. */
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
      if (from > first) {
        if (links.length === 0) links.push({ from: first, result: linked(result, current) })
        // Calls made between the same two requests: the last one counts.
        if (links.at(-1)?.from === from) links.pop()
        links.push({ from, result: linked(result, call) })
      }
      current = call
    }
    return links.length > 0 ? links : [{ from: first, result: linked(result, current) }]
  })
}

/** Index of the first request that sends a message; the number of requests when none does. */
export function firstRequestAfter(requests: readonly SessionRequest[], message: number): number {
  return partitionPoint(0, requests.length, (at) => (requests[at] as SessionRequest).end <= message)
}

function linked(result: ToolResult, call: ToolCall | undefined): ToolResult {
  return {
    ...result,
    turn: call?.turn,
    toolName: call?.name,
    toolArguments: call?.argumentsPreview ?? '',
  }
}
