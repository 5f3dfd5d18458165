import type { Conversation, ToolCall, ToolResult } from '../conversation/conversation'
import type { PolicyOfModel } from '../policy/break-even'
import { type Decision, decide, idInTurn, linkedResults } from '../policy/decide'
import { DEFAULT_POLICY, type MaskPolicy } from '../policy/policy'
import { copyOf, type DecidableResult } from '../policy/window-steps'
import { partitionPoint } from '../text/span'
import { requestTokens } from '../tokens/count-conversation'
import type { Tokens } from './prompt-cache'
import type { Session, SessionRequest } from './sessions'

/** Texts and placeholder tokens, by index of the result. */
export interface ReplaySources {
  /** The text of a result, all parts joined. Called only for results as long as a placeholder. */
  readonly textOf: (index: number) => string
  /** Tokens of a placeholder. */
  readonly placeholderTokensOf: (index: number, placeholder: string) => Tokens
}

/**
 * Decides the results of one request by what was known when it was sent. Later turns, ids and results are ignored.
 * Returns one decision for each result that the request sends, in the order of the conversation.
 */
export function decideRequest(
  session: Session,
  index: number,
  policy: PolicyOfModel,
  sources: ReplaySources,
): Decision[] {
  const { conversation, counts, requests } = session
  const request = requests[index] as SessionRequest
  const callOf = new Map<number, LinkedCall | undefined>()
  for (const { results, links } of linkIds(conversation, requests, policy)) {
    const call = callAt(links, index)
    for (const result of results) callOf.set(result, call)
  }
  const results = conversation.results
    .filter(({ message }) => message < request.end)
    .map((result, at) => {
      const { signed } = result
      const isSigned = signed !== undefined && signed.message < request.end
      const { nearest } = result
      return {
        ...withCall(result, callOf.get(at)),
        ...(isSigned && { signed }),
        ...(nearest && { nearest }),
      }
    })
  const messages = conversation.messages.slice(0, request.end)
  return decide({ results, turnCount: request.turnCount, messages }, policy, {
    textOf: sources.textOf,
    tokensOf: (result) => counts.results[result] as number,
    placeholderTokensOf: sources.placeholderTokensOf,
    requestTokens: (end = request.end) => requestTokens(counts, end),
  })
}

/** The members of a result that decisions depend on, with those of its call. */
export function withCall(result: ToolResult, call: LinkedCall | undefined): DecidableResult {
  const { turn, name: toolName, argumentsPreview: toolArguments = '' } = call ?? {}
  return { ...copyOf(result, { turn, toolName, toolArguments }), signed: undefined }
}

/** The members of a call that decisions depend on. */
export type LinkedCall = Pick<ToolCall, 'turn' | 'name' | 'argumentsPreview'>

/** The call with an id, from one request on until a later call reuses the id. */
export interface IdLink {
  /** Index of the first request for which this is valid. */
  readonly from: number
  /** Undefined if there is no call yet. */
  readonly call: LinkedCall | undefined
}

/** The results with one id, or one number instead, that some request sends. */
export interface LinkedId {
  /** Indexes of the results, ascending. */
  readonly results: readonly number[]
  /** In the order of the requests, from the one on that sends the first result. */
  readonly links: readonly IdLink[]
}

/** All ids of results that some request sends; results that nothing links are left out. */
export function linkIds(
  { calls, results }: Pick<Conversation, 'calls' | 'results'>,
  requests: readonly SessionRequest[],
  policy: Pick<MaskPolicy, 'nearestCall'> = DEFAULT_POLICY,
): LinkedId[] {
  const end = requests.at(-1)?.end ?? 0
  if (policy.nearestCall) return linkNearest(linkedResults(results, policy), requests, end)
  const byId = new Map<string | number, { readonly results: number[]; readonly links: IdLink[] }>()
  for (const [index, { callId, link, message }] of results.entries()) {
    const key = callId ?? link
    if (key === undefined || message >= end) continue
    const known = byId.get(key)
    if (known !== undefined) known.results.push(index)
    else {
      const from = firstRequestAfter(requests, message)
      byId.set(key, { results: [index], links: [{ from, call: undefined }] })
    }
  }
  for (const call of calls) {
    const key = call.turn === undefined ? undefined : (call.id ?? call.link)
    const linked = byId.get(key as string | number)
    if (linked === undefined || call.message >= end) continue
    const { links } = linked
    const [first, last] = [links[0] as IdLink, links.at(-1) as IdLink]
    const from = Math.max(first.from, firstRequestAfter(requests, call.message))
    // Of calls made between the same two requests, the last one counts.
    const at = from === last.from ? links.length - 1 : links.length
    // A call without a name leaves the name that an earlier call gave the id.
    const name = call.name ?? last.call?.name
    links[at] = { from, call: name === call.name ? call : { ...call, name } }
  }
  return [...byId.values()]
}

/** The same with `nearest_call`: the call of a result stands before it, so that it is the same in all requests. */
function linkNearest(
  results: readonly ToolResult[],
  requests: readonly SessionRequest[],
  end: number,
): LinkedId[] {
  const byCall = new Map<string, LinkedId & { readonly results: number[] }>()
  for (const [index, result] of results.entries()) {
    const { message, turn, toolName, toolArguments } = result
    if (turn === undefined || message >= end) continue
    const known = byCall.get(idInTurn(result))
    const call = { turn, name: toolName, argumentsPreview: toolArguments }
    if (known !== undefined) known.results.push(index)
    else {
      const links = [{ from: firstRequestAfter(requests, message), call }]
      byCall.set(idInTurn(result), { results: [index], links })
    }
  }
  return [...byCall.values()]
}

/** The call of an id in a request; undefined if it has none. */
export function callAt(links: readonly IdLink[], request: number): LinkedCall | undefined {
  const later = partitionPoint(0, links.length, (at) => (links[at] as IdLink).from <= request)
  return links[later - 1]?.call
}

/** Index of the first request that sends a message; the number of requests if none does. */
export function firstRequestAfter(requests: readonly SessionRequest[], message: number): number {
  const isBefore = (index: number) => (requests[index] as SessionRequest).end <= message
  return partitionPoint(0, requests.length, isBefore)
}
