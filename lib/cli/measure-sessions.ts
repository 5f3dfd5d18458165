import type { ReadConversation } from '../core/conversation/conversation'
import type { MaskPolicy } from '../core/policy/policy'
import { type MaskFacts, maskFacts } from '../core/replay/mask-facts'
import { type CostTerms, type ReplaySide, replayFacts, sumSides } from '../core/replay/replay'
import { sessionsOf } from '../core/replay/requests'
import { countConversation } from '../core/tokens/count-conversation'
import type { Encoding } from '../core/tokens/encoding'

/**
 * What the sessions of a document cost when every request is sent again. Costs are dollars of input, the answers apart;
 * null where a price is not known.
 */
export interface SessionMeasure {
  readonly requests: number
  readonly session_tokens_before: number
  readonly session_tokens_after: number
  readonly session_cost_before: number | null
  readonly session_cost_after: number | null
  readonly session_cost_cached_before: number | null
  readonly session_cost_cached_after: number | null
  readonly session_output_tokens: number
  readonly session_output_cost_before: number | null
  readonly session_output_cost_after: number | null
}

/** Sessions replayed together. */
export interface ReplayedSessions {
  readonly requests: number
  readonly outputTokens: number
  readonly before: ReplaySide
  readonly after: ReplaySide
}

/** What masking does to the results of each session of a document. */
export function factsOfSessions(
  conversations: readonly ReadConversation[],
  policy: MaskPolicy,
  { countTokens }: Encoding,
): MaskFacts[] {
  const counts = conversations.map((conversation) => countConversation(conversation, countTokens))
  return sessionsOf(conversations, counts).map((session) => {
    const conversation = conversations[session.conversations.at(-1) as number] as ReadConversation
    return maskFacts(session, policy, {
      textOf: (index) => conversation.resultTexts[index]?.join('') ?? '',
      placeholderTokensOf: (_, placeholder) => countTokens(placeholder),
    })
  })
}

/** Replays sessions under the window of a policy. */
export function replaySessions(
  sessions: readonly MaskFacts[],
  policy: MaskPolicy,
  terms: CostTerms,
): ReplayedSessions {
  const window = policy.enabled ? policy : { windowTurns: 0, batchTurns: 1 }
  const replays = sessions.map((facts) => replayFacts(facts, window, terms))
  return {
    requests: replays.reduce((total, { requests }) => total + requests.length, 0),
    outputTokens: replays.reduce((total, { outputTokens }) => total + outputTokens, 0),
    before: sumSides(replays.map(({ before }) => before)),
    after: sumSides(replays.map(({ after }) => after)),
  }
}

/** Several files together. */
export function sumReplayed(parts: readonly ReplayedSessions[]): ReplayedSessions {
  return {
    requests: parts.reduce((total, { requests }) => total + requests, 0),
    outputTokens: parts.reduce((total, { outputTokens }) => total + outputTokens, 0),
    before: sumSides(parts.map(({ before }) => before)),
    after: sumSides(parts.map(({ after }) => after)),
  }
}

/** The figures as they are printed. */
export function sessionMeasure(replayed: ReplayedSessions): SessionMeasure {
  const { requests, outputTokens, before, after } = replayed
  return {
    requests,
    session_tokens_before: before.tokens,
    session_tokens_after: after.tokens,
    session_cost_before: before.costs.plain ?? null,
    session_cost_after: after.costs.plain ?? null,
    session_cost_cached_before: before.costs.cached ?? null,
    session_cost_cached_after: after.costs.cached ?? null,
    session_output_tokens: outputTokens,
    session_output_cost_before: before.costs.output ?? null,
    session_output_cost_after: after.costs.output ?? null,
  }
}
