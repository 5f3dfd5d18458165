import type { ReadConversation } from '../core/conversation/conversation'
import type { MaskPolicy } from '../core/policy/policy'
import { type PreparedReplay, prepareReplay } from '../core/replay/prepare-replay'
import {
  type CostTerms,
  NO_WINDOW,
  type ReplaySide,
  replayPrepared,
  sumSides,
} from '../core/replay/replay'
import { createSessions } from '../core/replay/sessions'
import { countConversation } from '../core/tokens/count-conversation'
import type { Encoding } from '../core/tokens/encoding'

/**
 * The tokens and costs of the sessions of a document. Costs are in dollars and for input; those of output tokens are
 * listed separately; null if a price is unknown.
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

/** The sum of replayed sessions. */
export interface ReplayedSessions {
  readonly requests: number
  readonly outputTokens: number
  readonly before: ReplaySide
  readonly after: ReplaySide
}

/** Prepares each session of a document for replays. */
export function prepareSessions(
  conversations: readonly ReadConversation[],
  policy: MaskPolicy,
  { countTokens }: Encoding,
): PreparedReplay[] {
  const counts = conversations.map((conversation) => countConversation(conversation, countTokens))
  return createSessions(conversations, counts).map((session) => {
    const conversation = conversations[session.conversations.at(-1) as number] as ReadConversation
    return prepareReplay(session, policy, {
      textOf: (index) => conversation.resultTexts[index]?.join('') ?? '',
      placeholderTokensOf: (_, placeholder) => countTokens(placeholder),
    })
  })
}

/** Replays sessions under the window of a policy and adds them up. */
export function replaySessions(
  sessions: readonly PreparedReplay[],
  policy: MaskPolicy,
  terms: CostTerms,
): ReplayedSessions {
  const window = policy.enabled ? policy : NO_WINDOW
  const replays = sessions.map((prepared) => replayPrepared(prepared, window, terms))
  return {
    requests: replays.reduce((total, { requests }) => total + requests.length, 0),
    outputTokens: replays.reduce((total, { outputTokens }) => total + outputTokens, 0),
    before: sumSides(replays.map(({ before }) => before)),
    after: sumSides(replays.map(({ after }) => after)),
  }
}

/** The sum over several files. */
export function sumReplayed(parts: readonly ReplayedSessions[]): ReplayedSessions {
  return {
    requests: parts.reduce((total, { requests }) => total + requests, 0),
    outputTokens: parts.reduce((total, { outputTokens }) => total + outputTokens, 0),
    before: sumSides(parts.map(({ before }) => before)),
    after: sumSides(parts.map(({ after }) => after)),
  }
}

/** The figures with the names under which they are printed. */
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
