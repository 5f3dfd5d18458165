/**
 * What a policy does to each result whatever the window: all of a policy but `windowTurns` and `batchTurns`.
 * A window then only says when; replaying many of them decides nothing and renders nothing twice.
 */
import type { ToolResult } from '../conversation/conversation'
import { decide } from '../policy/decide'
import type { MaskPolicy } from '../policy/policy'
import type { ReplaySources } from './decide-request'
import type { Session } from './requests'
import { linkResults } from './result-links'
import type { Tokens } from './units'

/** A result from one request on, as masking sees it. */
export interface MaskableLink {
  /** Index of the first request at which it holds. */
  readonly from: number
  readonly turn: number | undefined
  readonly toolName: string | undefined
  /** 0 where the policy never masks it; else a number that is the same for the same placeholder of this result. */
  readonly placeholder: number
  /** Tokens the placeholder takes off; negative when it is longer. */
  readonly savedTokens: Tokens
}

export interface MaskFacts {
  readonly session: Session
  /** By result; empty for one that no request sends. */
  readonly links: readonly (readonly MaskableLink[])[]
  /** Whether no result ever changes its call: then a masked result stays masked, and a sweep is fast. */
  readonly isSettled: boolean
  readonly keepLastKPerTool: number
  /** Index of the first request of `triggerTokens`; the number of requests when none reaches them. */
  readonly firstTriggered: number
  /** By request: its tokens before masking. */
  readonly tokensBefore: readonly Tokens[]
  /** By message index, and once for the end: tokens of all messages before it and of what every request pays. */
  readonly prefixTokens: readonly Tokens[]
}

/** Derives the facts; `policy.enabled` and its window are not read. */
export function maskFacts(session: Session, policy: MaskPolicy, sources: ReplaySources): MaskFacts {
  const { conversation, counts, requests } = session
  const prefixTokens = [counts.perRequest]
  for (const tokens of counts.messages) prefixTokens.push((prefixTokens.at(-1) as number) + tokens)
  const tokensBefore = requests.map(({ end }) => prefixTokens[end] as number)
  const firstTriggered = tokensBefore.findIndex((tokens) => tokens >= policy.triggerTokens)
  const linked = linkResults(conversation, requests)

  // Decided with every turn out of the window and nothing kept for being the last: what is left depends on the result alone.
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
      textOf: (at) => sources.textOf(indexAt(at)),
      tokensOf: (at) => counts.results[indexAt(at)] as number,
      placeholderTokensOf: (at, placeholder) =>
        sources.placeholderTokensOf(indexAt(at), placeholder),
    },
  )
  function indexAt(at: number): number {
    return (flat[at] as (typeof flat)[number]).index
  }

  let at = 0
  const links = linked.map((ofResult, index) => {
    const placeholders: string[] = []
    return ofResult.map(({ from, result }): MaskableLink => {
      const text = decisions[at++]?.placeholder
      const base = { from, turn: result.turn, toolName: result.toolName }
      if (text === undefined) return { ...base, placeholder: 0, savedTokens: 0 }
      if (!placeholders.includes(text)) placeholders.push(text)
      return {
        ...base,
        placeholder: placeholders.indexOf(text) + 1,
        savedTokens: (counts.results[index] as number) - sources.placeholderTokensOf(index, text),
      }
    })
  })
  return {
    session,
    links,
    isSettled: links.every(({ length }) => length <= 1),
    keepLastKPerTool: Math.max(0, policy.keepLastKPerTool ?? 0),
    firstTriggered: firstTriggered === -1 ? requests.length : firstTriggered,
    tokensBefore,
    prefixTokens,
  }
}
