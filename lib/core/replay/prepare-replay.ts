/**
 * Decides every result of a session once, for all windows. The rest of a policy determines whether a result can be
 * masked and by which placeholder; `windowTurns` and `batchTurns` only determine when.
 */
import type { ToolResult } from '../conversation/conversation'
import { decide } from '../policy/decide'
import type { MaskPolicy } from '../policy/policy'
import { calibrateSession } from './calibration/calibrate-session'
import type { Calibration } from './calibration/fit-calibration'
import type { ReplaySources } from './decide-request'
import { linkResults } from './link-results'
import { prefixTokensOf, type Session } from './sessions'
import type { Tokens } from './units'

/** A result, from one request on until it belongs to another call. */
export interface MaskableResult {
  /** Index of the first request for which this is valid. */
  readonly from: number
  readonly turn: number | undefined
  readonly callId: string | undefined
  readonly toolName: string | undefined
  /** 0 if the policy never masks it; otherwise a number that identifies the placeholder among those of this result. */
  readonly placeholder: number
  /** Tokens that masking saves; negative if the placeholder is longer than the result. */
  readonly savedTokens: Tokens
}

/** A session with all decisions that do not depend on the window. */
export interface PreparedReplay {
  readonly session: Session
  /** By result; empty for a result that no request sends. */
  readonly links: readonly (readonly MaskableResult[])[]
  /** True if a masked result stays masked in all later requests; a sweep is fast then. */
  readonly hasFixedDecisions: boolean
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
  const tokensBefore = requests.map(({ end }) => prefixTokens[end] as number)
  const firstTriggered = tokensBefore.findIndex((tokens) => tokens >= policy.triggerTokens)
  const linked = linkResults(conversation, requests)

  // With every turn outside the window and no last results kept, a decision depends on its result alone.
  const flat = linked.flatMap((links, index) => links.map((link) => ({ index, link })))
  const decisions = decide(
    {
      results: flat.map(({ link }): ToolResult => link.result),
      turnCount: conversation.turnCount + 1,
    },
    {
      ...policy,
      enabled: true,
      windowTurns: 1,
      batchTurns: 1,
      keepLastKPerTool: 0,
      triggerTokens: 0,
    },
    {
      textOf: (link) => sources.textOf(resultOf(link)),
      tokensOf: (link) => counts.results[resultOf(link)] as number,
      placeholderTokensOf: (link, placeholder) =>
        sources.placeholderTokensOf(resultOf(link), placeholder),
    },
  )
  function resultOf(link: number): number {
    return (flat[link] as (typeof flat)[number]).index
  }

  const keepLastKPerTool = Math.max(0, policy.keepLastKPerTool ?? 0)
  let decided = 0
  const calibrated = calibration === undefined ? session : calibrateSession(session, calibration)
  const slope = calibration?.slope ?? 1
  const links = linked.map((ofResult, index) => {
    const placeholders: string[] = []
    return ofResult.map(({ from, result }): MaskableResult => {
      const text = decisions[decided++]?.placeholder
      const { turn, callId, toolName } = result
      const base = { from, turn, callId, toolName }
      if (text === undefined) return { ...base, placeholder: 0, savedTokens: 0 }
      if (!placeholders.includes(text)) placeholders.push(text)
      return {
        ...base,
        placeholder: placeholders.indexOf(text) + 1,
        savedTokens:
          (calibrated.counts.results[index] as number) -
          Math.round(slope * sources.placeholderTokensOf(index, text)),
      }
    })
  })
  const prefixes =
    calibration === undefined
      ? prefixTokens
      : prefixTokensOf(calibrated.counts.messages, calibrated.counts.perRequest)
  return {
    session: calibrated,
    links,
    hasFixedDecisions: hasFixedDecisions(links, keepLastKPerTool),
    keepLastKPerTool,
    firstTriggered: firstTriggered === -1 ? requests.length : firstTriggered,
    tokensBefore: requests.map(({ end }) => prefixes[end] as number),
    prefixTokens: prefixes,
  }
}

/**
 * True if a masked result stays masked. It can come back if it changes its call, or if the last results of a tool are
 * kept and a later result has the same call id.
 */
function hasFixedDecisions(links: PreparedReplay['links'], keepLastKPerTool: number): boolean {
  if (links.some(({ length }) => length > 1)) return false
  const sentIds = links.flatMap(([link]) => link?.callId ?? [])
  return keepLastKPerTool === 0 || new Set(sentIds).size === sentIds.length
}
