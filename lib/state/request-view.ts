/** What the page shows of one request: the one about to be sent, or one of the session's that is looked back at. */
import type { Conversation, ToolResult } from '@/lib/core/conversation/conversation'
import { measureRequest, type RequestMeasure } from '@/lib/core/mask/measure-request'
import type { Decision } from '@/lib/core/policy/decide'
import type { MaskPolicy } from '@/lib/core/policy/policy'
import { decideRequest } from '@/lib/core/replay/decide-request'
import type { ReplayedRequest } from '@/lib/core/replay/replay'
import type { Session, SessionRequest } from '@/lib/core/replay/requests'
import { remembered } from './remembered'
import { replayOf, sessionOf } from './savings'
import {
  conversationOf,
  type DocumentDecisions,
  decisionsOf,
  measureOf,
  placeholderTokensOf,
  textOfResult,
} from './selectors'
import type { PlaygroundState } from './store'

/** The request looked back at; undefined when it is the one about to be sent. */
export function requestOf(state: PlaygroundState): SessionRequest | undefined {
  if (state.request === undefined) return undefined
  return sessionOf(state)?.requests[state.request]
}

/** Messages of the conversation shown that the request sends: all of them when none is looked back at. */
export function sentMessagesOf(state: PlaygroundState): number {
  const all = conversationOf(state)?.messages.length ?? 0
  return Math.min(all, requestOf(state)?.end ?? all)
}

const asOfRequest = remembered(
  (conversation: Conversation, turnCount: number): Conversation => ({ ...conversation, turnCount }),
)

/** The conversation shown, with the turns there were when the request was sent. */
export function shownConversationOf(state: PlaygroundState): Conversation | undefined {
  const conversation = conversationOf(state)
  const request = requestOf(state)
  if (conversation === undefined || request === undefined) return conversation
  return asOfRequest(conversation, request.turnCount)
}

const decideThen = remembered(
  (
    session: Session,
    at: number,
    policy: MaskPolicy,
    text: string,
    placeholderTokens: readonly number[],
  ): readonly Decision[] =>
    decideRequest(session, at, policy, {
      textOf: (index) => textOfResult(text, session.conversation.results[index] as ToolResult),
      placeholderTokensOf: (index) => placeholderTokens[index] as number,
    }),
)

const withOwn = remembered(
  (
    decisions: DocumentDecisions,
    conversation: number,
    own: readonly Decision[],
  ): DocumentDecisions => decisions.map((all, at) => (at === conversation ? own : all)),
)

/**
 * Decisions as what is shown has them. Looking back, those of the conversation shown are the ones made then, and results
 * that were not there yet have none. What is copied and saved is always `decisionsOf`: the request about to be sent.
 */
export function shownDecisionsOf(state: PlaygroundState): DocumentDecisions | undefined {
  const decisions = decisionsOf(state)
  const session = sessionOf(state)
  const tokens = placeholderTokensOf(state)?.[state.conversation]
  if (state.request === undefined || decisions === undefined || session === undefined)
    return decisions
  if (state.read === undefined || tokens === undefined) return decisions
  const own = decideThen(session, state.request, state.policy, state.read.source.text, tokens)
  return withOwn(decisions, state.conversation, own)
}

const measureThen = remembered(
  (
    { conversation, counts }: Session,
    request: SessionRequest,
    decisions: readonly Decision[],
    placeholderTokens: readonly number[],
  ): RequestMeasure => {
    const results = conversation.results.slice(0, decisions.length)
    const messages = conversation.messages.slice(0, request.end)
    return measureRequest(
      { ...conversation, messages, results },
      {
        ...counts,
        messages: counts.messages.slice(0, request.end),
        results: counts.results.slice(0, decisions.length),
      },
      decisions,
      placeholderTokens,
    )
  },
)

/** Meters of the request shown; undefined until everything they need is counted. */
export function shownMeasureOf(state: PlaygroundState): RequestMeasure | undefined {
  const request = requestOf(state)
  const session = sessionOf(state)
  if (request === undefined || session === undefined) return measureOf(state)
  const decisions = shownDecisionsOf(state)?.[state.conversation]
  const tokens = placeholderTokensOf(state)?.[state.conversation]
  if (decisions === undefined || tokens === undefined) return undefined
  return measureThen(session, request, decisions, tokens)
}

/** Figures of a request, for the one looked back at. */
export interface RequestView {
  /** From 0. */
  readonly index: number
  readonly count: number
  readonly replayed: ReplayedRequest
  /** Messages of the request before it that it no longer begins with; undefined where it begins with all of them. */
  readonly firstChanged: number | undefined
}

const viewOf = remembered(
  (index: number, replay: NonNullable<ReturnType<typeof replayOf>>): RequestView | undefined => {
    const replayed = replay.requests[index]
    if (replayed === undefined) return undefined
    const endBefore = replay.requests[index - 1]?.request.end ?? 0
    const { firstChanged } = replayed
    const isChanged = firstChanged !== undefined && firstChanged < endBefore
    return {
      index,
      count: replay.requests.length,
      replayed,
      firstChanged: isChanged ? firstChanged : undefined,
    }
  },
)

/** The request looked back at, replayed; undefined when none is, or while it is worked out. */
export function requestViewOf(state: PlaygroundState): RequestView | undefined {
  const replay = replayOf(state)
  return state.request === undefined || replay === undefined
    ? undefined
    : viewOf(state.request, replay)
}

/** The request whose end is nearest to a place among the messages; undefined for one about to be sent. */
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
