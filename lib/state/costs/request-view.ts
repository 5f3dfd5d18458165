/** The request that the page shows: the next one, or an earlier one of the session. */
import type { Conversation, ToolResult } from '@/lib/core/conversation/conversation'
import { measureRequest, type RequestMeasure } from '@/lib/core/mask/measure-request'
import type { Decision } from '@/lib/core/policy/decide'
import type { MaskPolicy } from '@/lib/core/policy/policy'
import { decideRequest } from '@/lib/core/replay/decide-request'
import type { RequestFigures } from '@/lib/core/replay/replay-figures'
import type { Session, SessionRequest } from '@/lib/core/replay/sessions'
import type { TextSlices } from '@/lib/core/text/span'
import { type ConversationCounts, countsUntil } from '@/lib/core/tokens/count-conversation'
import {
  conversationOf,
  countsOf,
  type DocumentDecisions,
  decisionsOf,
  placeholderTokensOf,
  slicesOf,
  textOfResult,
} from '../document/selectors'
import { memoize } from '../memoize'
import type { PlaygroundState } from '../store'
import { figuresOf } from './session-replay'
import { calibratedSessionOf, calibrationOf, sessionOf } from './shown-session'

/** The earlier request; undefined if the next request is shown. */
export function requestOf(state: PlaygroundState): SessionRequest | undefined {
  if (state.request === undefined) return undefined
  return sessionOf(state)?.requests[state.request]
}

/** Number of messages in the shown request. */
export function sentMessagesOf(state: PlaygroundState): number {
  const all = conversationOf(state)?.messages.length ?? 0
  return Math.min(all, requestOf(state)?.end ?? all)
}

const asOfRequest = memoize(
  (conversation: Conversation, turnCount: number): Conversation => ({ ...conversation, turnCount }),
)

/** The shown conversation, with the turn count at the time of the request. */
export function shownConversationOf(state: PlaygroundState): Conversation | undefined {
  const conversation = conversationOf(state)
  const request = requestOf(state)
  if (conversation === undefined || request === undefined) return conversation
  return asOfRequest(conversation, request.turnCount)
}

const decideThen = memoize(
  (
    session: Session,
    at: number,
    policy: MaskPolicy,
    text: TextSlices,
    placeholderTokens: readonly number[],
  ): readonly Decision[] =>
    decideRequest(session, at, policy, {
      textOf: (index) => textOfResult(text, session.conversation.results[index] as ToolResult),
      placeholderTokensOf: (index) => placeholderTokens[index] as number,
    }),
)

const withReplaced = memoize(
  (
    decisions: DocumentDecisions,
    conversation: number,
    replaced: readonly Decision[],
  ): DocumentDecisions => decisions.map((all, at) => (at === conversation ? replaced : all)),
)

/**
 * Decisions for the shown request. For an earlier request, the shown conversation has the decisions made then, and
 * none for later results. Copy and save always use `decisionsOf`, the decisions for the next request.
 */
export function shownDecisionsOf(state: PlaygroundState): DocumentDecisions | undefined {
  const decisions = decisionsOf(state)
  const session = sessionOf(state)
  const tokens = placeholderTokensOf(state)?.[state.conversation]
  if (state.request === undefined || decisions === undefined || session === undefined)
    return decisions
  if (state.read === undefined || tokens === undefined) return decisions
  const replaced = decideThen(
    session,
    state.request,
    state.policy,
    slicesOf(state.read.source),
    tokens,
  )
  return withReplaced(decisions, state.conversation, replaced)
}

const measure = memoize(
  (
    conversation: Conversation,
    counts: ConversationCounts,
    decisions: readonly Decision[],
    placeholderTokens: readonly number[],
    end: number,
  ): RequestMeasure =>
    measureRequest(
      {
        ...conversation,
        messages: conversation.messages.slice(0, end),
        results: conversation.results.slice(0, decisions.length),
      },
      countsUntil(counts, end, decisions.length),
      decisions,
      placeholderTokens,
    ),
)

const scaled = memoize((placeholderTokens: readonly number[], slope: number) =>
  placeholderTokens.map((tokens) => Math.round(slope * tokens)),
)

/** Measures a request of the shown conversation that sends the messages before `end`, in the tokens that the replay uses. */
function measureUntil(
  state: PlaygroundState,
  end: number | undefined,
  all: DocumentDecisions | undefined,
): RequestMeasure | undefined {
  const conversation = conversationOf(state)
  const counts = countsOf(state)?.[state.conversation]
  const decisions = all?.[state.conversation]
  const tokens = placeholderTokensOf(state)?.[state.conversation]
  if (!conversation || !counts || !decisions || !tokens) return undefined
  const calibration = calibrationOf(state)
  return measure(
    conversation,
    (calibration && calibratedSessionOf(state)?.counts) ?? counts,
    decisions,
    calibration === undefined ? tokens : scaled(tokens, calibration.slope),
    end ?? conversation.messages.length,
  )
}

/** Token measures of the next request; undefined until everything is counted. */
export function measureOf(state: PlaygroundState): RequestMeasure | undefined {
  return measureUntil(state, undefined, decisionsOf(state))
}

/** Token measures of the shown request; undefined until everything is counted. */
export function shownMeasureOf(state: PlaygroundState): RequestMeasure | undefined {
  return measureUntil(state, requestOf(state)?.end, shownDecisionsOf(state))
}

/** Figures of the earlier request; undefined if the next one is shown, or until the session is replayed. */
export function requestViewOf(state: PlaygroundState): RequestFigures | undefined {
  return figuresOf(state)?.request
}

/** Index of the request whose end is nearest to a message position; undefined for the next request. */
export function requestNear(
  requests: readonly SessionRequest[],
  place: number,
  messages: number,
): number | undefined {
  if (requests.length === 0) return undefined
  let nearest = 0
  for (const [at, { end }] of requests.entries()) {
    if (Math.abs(end - place) < Math.abs((requests[nearest]?.end ?? 0) - place)) nearest = at
  }
  return Math.abs(messages - place) < Math.abs((requests[nearest]?.end ?? 0) - place)
    ? undefined
    : nearest
}

const nonTextParts = memoize((conversation: Conversation) =>
  conversation.messages.reduce((total, message) => total + message.nonTextParts, 0),
)

/** Number of parts of the shown conversation that are not text, and so are not counted. */
export function nonTextPartsOf(state: PlaygroundState): number {
  const conversation = conversationOf(state)
  return conversation === undefined ? 0 : nonTextParts(conversation)
}
