/**
 * Decides every result of a session once, for all windows. The rest of a policy determines whether a result can be
 * masked and by which placeholder; `windowTurns` and `batchTurns` only determine when.
 */
import type { ToolCall, ToolResult } from '../conversation/conversation'
import { type DecidableResult, decide } from '../policy/decide'
import type { MaskPolicy } from '../policy/policy'
import { partitionPoint } from '../text/span'
import { type Calibration, calibrateSession } from './calibration/calibrate-session'
import { type LinkedId, linkIds, type ReplaySources, withCall } from './decide-request'
import { prefixTokensOf, type Session, type SessionRequest } from './sessions'
import type { Tokens } from './units'

/** The results with one call id. They always belong to the same call, so those that can be masked are masked together. */
export interface ResultGroup {
  /** Indexes of the results that some request sends, ascending. */
  readonly results: readonly number[]
  /** Their calls, in the order of the requests. */
  readonly links: readonly GroupLink[]
  readonly maskings: readonly Masking[]
}

/** The call of a group, from one request on until the next link. */
interface GroupLink {
  readonly from: number
  readonly turn: number | undefined
  readonly toolName: string | undefined
  /** What masks the results meanwhile, by index; undefined if no window masks them. */
  readonly masking: number | undefined
}

/** The placeholders of a group for one call, or for all calls that have the same ones. */
export interface Masking {
  /**
   * By position among the results that were sent meanwhile: 0 for a result that the policy never masks, otherwise a
   * number that identifies the placeholder among those of the result.
   */
  readonly placeholders: readonly number[]
  /** Tokens that masking saves; negative if the placeholder is longer than the result. */
  readonly savedTokens: readonly Tokens[]
}

/** A session with all decisions that do not depend on the window. */
export interface PreparedReplay {
  readonly session: Session
  readonly groups: readonly ResultGroup[]
  readonly keepLastKPerTool: number
  /** Index of the first request that has `triggerTokens`; the number of requests if none has. */
  readonly firstTriggered: number
  /** Tokens of each request before masking. */
  readonly tokensBefore: readonly Tokens[]
  /** As `prefixTokensOf` gives them. */
  readonly prefixTokens: readonly Tokens[]
}

/**
 * Prepares a session for replays; `policy.enabled` and the window of the policy are ignored. Decisions are made with our
 * token counts, as the agent makes them; with a calibration, everything after that is in the provider's tokens.
 */
export function prepareReplay(
  session: Session,
  policy: MaskPolicy,
  sources: ReplaySources,
  calibration?: Calibration,
): PreparedReplay {
  const { conversation, counts, requests } = session
  const prefixTokens = prefixTokensOf(counts.messages, counts.perRequest)
  const triggered = requests.findIndex(
    ({ end }) => policy.triggerTokens <= (prefixTokens[end] as Tokens),
  )
  const firstTriggered = triggered === -1 ? requests.length : triggered
  const ids = linkIds(conversation, requests).map((id) =>
    findDecidedCalls(session, id, policy, firstTriggered),
  )

  // With every turn outside the window and no last results kept, a decision depends on its result alone.
  const indexes: number[] = []
  const results: DecidableResult[] = []
  for (const { id, calls } of ids) {
    for (const { call, sent } of calls) {
      for (let at = 0; at < sent; at++) {
        const index = id.results[at] as number
        indexes.push(index)
        results.push(withCall(conversation.results[index] as ToolResult, call))
      }
    }
  }
  const decisions = decide(
    { results, turnCount: conversation.turnCount + 1 },
    {
      ...policy,
      enabled: true,
      windowTurns: 1,
      batchTurns: 1,
      keepLastKPerTool: 0,
      triggerTokens: 0,
    },
    {
      textOf: (at) => sources.textOf(indexes[at] as number),
      tokensOf: (at) => counts.results[indexes[at] as number] as Tokens,
      placeholderTokensOf: (at, placeholder) =>
        sources.placeholderTokensOf(indexes[at] as number, placeholder),
    },
  )

  const calibrated = calibration === undefined ? session : calibrateSession(session, calibration)
  const slope = calibration?.slope ?? 1
  const numbers = new Map<string, number>()
  let decided = 0
  const groups = ids.map(({ id, calls, links }): ResultGroup => {
    const maskings = calls.map(({ sent }): Masking => {
      // Lists of their final length: an engine makes room for 16 more in one that grows.
      const placeholders = new Array<number>(sent).fill(0)
      const savedTokens = new Array<Tokens>(sent).fill(0)
      for (let at = 0; at < sent; at++) {
        const index = id.results[at] as number
        const text = decisions[decided++]?.placeholder
        if (text === undefined) continue
        // With one placeholder for each result there is nothing to tell apart.
        const number = calls.length === 1 ? 1 : (numbers.get(text) ?? numbers.size + 1)
        if (calls.length > 1) numbers.set(text, number)
        placeholders[at] = number
        const placeholderTokens = Math.round(slope * sources.placeholderTokensOf(index, text))
        savedTokens[at] = (calibrated.counts.results[index] as Tokens) - placeholderTokens
      }
      return { placeholders, savedTokens }
    })
    return { results: id.results, links, maskings }
  })
  const prefixes =
    calibration === undefined
      ? prefixTokens
      : prefixTokensOf(calibrated.counts.messages, calibrated.counts.perRequest)
  return {
    session: calibrated,
    groups,
    keepLastKPerTool: Math.max(0, policy.keepLastKPerTool),
    firstTriggered,
    tokensBefore: requests.map(({ end }) => prefixes[end] as number),
    prefixTokens: prefixes,
  }
}

/** The results that the policy masks once they are old enough, group by group. */
export function maskableResults({ groups }: PreparedReplay): number[] {
  return groups.flatMap(({ results, maskings }) =>
    results.filter((_, at) => maskings.some(({ placeholders }) => (placeholders[at] ?? 0) > 0)),
  )
}

interface DecidedId {
  readonly id: LinkedId
  /** Calls that give the results different placeholders, and how many results are sent before the last such call ends. */
  readonly calls: readonly { readonly call: ToolCall; readonly sent: number }[]
  readonly links: readonly GroupLink[]
}

/** Finds the calls that a decision needs: the last one of an id, and those that a window passes before the next one. */
function findDecidedCalls(
  { conversation, requests }: Session,
  id: LinkedId,
  { placeholderTemplate }: MaskPolicy,
  firstTriggered: number,
): DecidedId {
  const hasArguments = placeholderTemplate.includes('{tool_arguments}')
  const calls: DecidedId['calls'][number][] = []
  const known = new Map<string, number>()
  const links = id.links.map(({ from, call }, at): GroupLink => {
    const until = id.links[at + 1]?.from ?? requests.length
    const { end, turnCount } = requests[until - 1] as SessionRequest
    const turn = call?.turn
    const base = { from, turn, toolName: call?.name }
    if (call === undefined || turn === undefined) return { ...base, masking: undefined }
    const isPassed = until > firstTriggered && turn < turnCount - 1
    const isLast = at === id.links.length - 1
    if (!isPassed && !isLast) return { ...base, masking: undefined }
    const key =
      id.links.length === 1
        ? ''
        : JSON.stringify([call.name, hasArguments && call.argumentsPreview])
    const masking = known.get(key) ?? calls.length
    known.set(key, masking)
    const isSent = (result: number) =>
      (conversation.results[id.results[result] as number] as ToolResult).message < end
    const sent = isLast ? id.results.length : partitionPoint(0, id.results.length, isSent)
    calls[masking] = { call: calls[masking]?.call ?? call, sent }
    return { ...base, masking }
  })
  return { id, calls, links }
}
