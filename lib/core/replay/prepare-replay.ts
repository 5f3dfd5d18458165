/**
 * Decides every result of a session once, for all windows. The rest of a policy determines whether a result can be
 * masked and by which placeholder; `windowTurns` and `batchTurns` only determine when.
 */
import { addToGroup } from '../conversation/add-to-group'
import type { ToolResult } from '../conversation/conversation'
import type { AgingResult, CacheTerms, PolicyOfModel } from '../policy/break-even'
import { cacheTermsOf } from '../policy/break-even'
import { decide, idInTurn, idsOfLastResults, linkedResults, savedCharsOf } from '../policy/decide'
import type { MaskPolicy } from '../policy/policy'
import { agingOf, isBound } from '../policy/window-steps'
import { partitionPoint } from '../text/span'
import { type Calibration, calibrateSession } from './calibration/calibrate-session'
import type { IdLink, LinkedCall, LinkedId, ReplaySources } from './decide-request'
import { callAt, firstRequestAfter, linkIds, withCall } from './decide-request'
import type { Tokens } from './prompt-cache'
import type { Clearing, Session, SessionRequest } from './sessions'
import { clearingsOf, prefixTokensOf } from './sessions'

/** The part of a policy that says when a result is masked; a window of 0 masks nothing. */
export interface MaskWindow extends Pick<MaskPolicy, 'windowTurns' | 'batchTurns'> {
  /** A window at break-even stops where it has moved to this turn: what its later moves cost is then to be seen. */
  readonly lastTurn?: number
}

/** A window that masks nothing. */
export const NO_WINDOW = { windowTurns: 0, batchTurns: 1 } satisfies MaskWindow

/**
 * A result that is masked in the requests from `from` on and before `until`, once the window has passed its turn. It has
 * several maskings if its call id is used again, or if it is among the last results of its tool in between.
 */
export interface Masking {
  readonly result: number
  readonly turn: number
  readonly from: number
  readonly until: number
  /** It begins in this request or before, or not at all. */
  readonly by: number
  /** Identifies the placeholder among those of the result; above 0. */
  readonly placeholder: number
  readonly text: string
  /** Tokens that masking saves; negative if the placeholder is longer than the result. */
  readonly savedTokens: Tokens
}

/** A session with all decisions that do not depend on the window. */
export interface PreparedReplay {
  readonly session: Session
  /** With the calls that the policy links them to. */
  readonly results: readonly ToolResult[]
  /** Sorted by turn. */
  readonly maskings: readonly Masking[]
  /** In windows of at least so many turns, a masked result stays masked; 1 if it does in all of them. */
  readonly fixedFrom: number
  /** The results that the policy masks once they are old enough. */
  readonly maskableResults: readonly number[]
  /** Index of the first request that has `triggerTokens`; the number of requests if none has. */
  readonly firstTriggered: number
  /** What the client itself cleared, whatever the window. */
  readonly clearings: readonly Clearing[]
  /** As `prefixTokensOf` gives them. */
  readonly prefixTokens: readonly Tokens[]
  /** What a window that moves at break-even knows. */
  readonly aging: readonly AgingResult[]
  readonly cache: CacheTerms
}

/** A result with a call that it has in some requests, from one on until another call reuses the id. */
interface Candidate extends Pick<Masking, 'result' | 'from' | 'until'> {
  readonly id: number
  readonly call: LinkedCall
  /** False if no window passes the call meanwhile. */
  readonly isPassed: boolean
}

/**
 * Prepares a session for replays; `policy.enabled` and the window of the policy are ignored. Decisions are made with our
 * token counts, as the agent makes them; with a calibration, everything after that is in the provider's tokens.
 */
export function prepareReplay(
  session: Session,
  policy: PolicyOfModel,
  sources: ReplaySources,
  calibration?: Calibration,
): PreparedReplay {
  const { conversation, counts, requests } = session
  const ownTokens = prefixTokensOf(counts.messages, counts.perRequest)
  const firstTriggered = firstRequestWith(session, ownTokens, policy.triggerTokens)
  const ids = linkIds(conversation, requests, policy)
  const candidates = ids.flatMap((linked, id) =>
    candidatesOf(session, linked, firstTriggered).map((one) => ({ ...one, id })),
  )
  const indexAt = (at: number) => (candidates[at] as Candidate).result
  // With every turn outside the window and no last results kept, a decision depends on its result alone.
  const everyTurn = { enabled: true, windowTurns: 1, batchTurns: 1 }
  const { textOf, placeholderTokensOf } = sources
  const tokensOf = (index: number) => counts.results[index] as Tokens
  const savedChars = savedCharsOf(policy, { textOf, tokensOf, placeholderTokensOf })
  const decisions = decide(
    {
      results: candidates.map(({ result, call }) =>
        withCall(conversation.results[result] as ToolResult, call),
      ),
      turnCount: conversation.turnCount + 1,
      messages: [],
    },
    { ...policy, ...everyTurn, keepLastKPerTool: 0, triggerTokens: 0 },
    {
      textOf: (at) => textOf(indexAt(at)),
      tokensOf: (at) => tokensOf(indexAt(at)),
      placeholderTokensOf: (at, placeholder) => placeholderTokensOf(indexAt(at), placeholder),
    },
  )

  const calibrated = calibration === undefined ? session : calibrateSession(session, calibration)
  const slope = calibration?.slope ?? 1
  const numbers = new Map<string, number>()
  const maskable = new Set<number>()
  const maskings: Masking[] = []
  const keptFrom = keptRequests(ids, session, policy.keepLastKPerTool)
  for (const [at, { id, result, call, from, until, isPassed }] of candidates.entries()) {
    const text = decisions[at]?.placeholder
    if (text === undefined) continue
    const turn = call.turn as number
    const by = lastBeginning(session, result, policy)
    if (by < requests.length - 1 && !isPassedIn(session, turn, by + 1)) continue
    maskable.add(result)
    if (!isPassed || by < firstTriggered) continue
    // With one placeholder for each result there is nothing to tell apart.
    const isOnlyOne = ids[id]?.links.length === 1
    const placeholder = isOnlyOne ? 1 : (numbers.get(text) ?? numbers.size + 1)
    if (!isOnlyOne) numbers.set(text, placeholder)
    const placeholderTokens = Math.round(slope * placeholderTokensOf(result, text))
    const savedTokens = (calibrated.counts.results[result] as Tokens) - placeholderTokens
    for (const part of partsBetween(keptFrom[id] as readonly number[], from, until)) {
      if (part.from > by) continue
      // What was masked when signed thinking was written stays masked.
      const until = part.until > by ? requests.length : part.until
      if (isPassedIn(session, turn, until) && until > firstTriggered)
        maskings.push({ result, turn, ...part, until, by, placeholder, text, savedTokens })
    }
  }
  const prefixTokens =
    calibration === undefined
      ? ownTokens
      : prefixTokensOf(calibrated.counts.messages, calibrated.counts.perRequest)
  return {
    session: calibrated,
    results: linkedResults(conversation.results, policy),
    clearings: clearingsOf(calibrated),
    maskings: maskings.sort((a, b) => a.turn - b.turn),
    fixedFrom: fixedFrom(maskings, requests),
    maskableResults: [...maskable],
    firstTriggered,
    prefixTokens,
    aging: agingOf(conversation.results, policy, savedChars),
    cache: cacheTermsOf(policy),
  }
}

/** Index of the first request of so many tokens; the number of requests if there is none. */
export function firstRequestWith(
  { requests }: Session,
  prefixTokens: readonly Tokens[],
  triggerTokens: Tokens,
): number {
  const first = requests.findIndex(({ end }) => triggerTokens <= (prefixTokens[end] as Tokens))
  return first === -1 ? requests.length : first
}

/** A masking does nothing in a window that passes its turn only after it has ended. */
export function fixedFrom(maskings: readonly Masking[], requests: readonly SessionRequest[]) {
  return maskings.reduce((first, { turn, until }) => {
    if (until === requests.length) return first
    return Math.max(first, (requests[until - 1] as SessionRequest).turnCount - turn)
  }, 1)
}

/** Number of results that the requests send. */
export function sentResults({ session: { conversation, requests } }: PreparedReplay): number {
  const end = requests.at(-1)?.end ?? 0
  return conversation.results.filter(({ message }) => message < end).length
}

/** The results of an id with the calls that a decision needs: the last one, and those that a window passes before the next. */
function candidatesOf(session: Session, { results, links }: LinkedId, firstTriggered: number) {
  const { conversation, requests } = session
  return links.flatMap(({ from, call }, at) => {
    if (call?.turn === undefined) return []
    const until = links[at + 1]?.from ?? requests.length
    const isPassed = until > firstTriggered && isPassedIn(session, call.turn, until)
    if (!isPassed && until < requests.length) return []
    return results.flatMap((result) => {
      const sent = firstRequestAfter(requests, (conversation.results[result] as ToolResult).message)
      return sent >= until ? [] : [{ result, call, from: Math.max(from, sent), until, isPassed }]
    })
  })
}

/** Index of the request that the first signed thinking after a result answers; the last one if nothing binds it. */
function lastBeginning(
  { conversation, requests }: Session,
  index: number,
  policy: Pick<MaskPolicy, 'beforeSignedThinking'>,
): number {
  const result = conversation.results[index] as ToolResult
  if (!isBound(result, policy)) return requests.length - 1
  const { message } = result.signed as NonNullable<ToolResult['signed']>
  return (
    partitionPoint(0, requests.length, (at) => (requests[at] as SessionRequest).end <= message) - 1
  )
}

/** True if a window can pass a turn before a request; none passes the last turn of one. */
function isPassedIn({ requests }: Session, turn: number, until: number): boolean {
  return turn < (requests[until - 1]?.turnCount ?? 0) - 1
}

/** The parts of a range of requests in which an id is not kept. */
function partsBetween(keptFrom: readonly number[], from: number, until: number) {
  const parts: Pick<Masking, 'from' | 'until'>[] = []
  let start = from
  for (const [at, request] of [...keptFrom, until].entries()) {
    const end = Math.min(request, until)
    if (at % 2 === 0 && start < end) parts.push({ from: start, until: end })
    start = Math.max(from, end)
  }
  return parts
}

/**
 * By id: the requests from which on it is kept, or no longer kept, in turns, because one of its results is among the last
 * ones of its tool. Where ids are used again, all results of each request are counted.
 */
function keptRequests(ids: readonly LinkedId[], { conversation, requests }: Session, k: number) {
  const kept: number[][] = ids.map(() => [])
  if (k <= 0) return kept
  if (ids.every(({ results, links }) => results.length === 1 && links.length === 1)) {
    const idsOf = new Map<string, number[]>()
    for (const [id, { links }] of ids.entries()) {
      const { from, call } = links[0] as IdLink
      if (call?.name === undefined) continue
      addToGroup(idsOf, call.name, id)
      kept[id]?.push(from)
      kept[idsOf.get(call.name)?.at(-1 - k) ?? -1]?.push(from)
    }
    return kept
  }
  const idOf = new Map(ids.flatMap(({ results }, id) => results.map((result) => [result, id])))
  for (const [request, { end }] of requests.entries()) {
    const sent = conversation.results.flatMap(({ message }, result) => {
      const link = idOf.get(result)
      if (link === undefined || message >= end) return []
      const toolName = callAt((ids[link] as LinkedId).links, request)?.name
      return [{ callId: undefined, link, turn: 0, toolName }]
    })
    const last = idsOfLastResults(sent, k)
    for (const [id, own] of kept.entries())
      if (last.has(idInTurn({ callId: undefined, link: id, turn: 0 })) !== (own.length % 2 === 1))
        own.push(request)
  }
  return kept
}
