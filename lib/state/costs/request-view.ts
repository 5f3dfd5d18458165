/** The request that the page shows: the next one, or an earlier one of the session. */
import type { Conversation, ToolResult } from '@/lib/core/conversation/conversation'
import { decideRequest } from '@/lib/core/replay/decide-request'
import type { RequestFigures } from '@/lib/core/replay/replay-figures'
import type { SessionRequest } from '@/lib/core/replay/sessions'
import { conversationOf, isCurrent, slicesOf, textOfResult } from '../document/selectors'
import type { DocumentDecisions } from '../policy/policy-view'
import { current, decisionsOf, figuresOf, placeholderTokensOf } from '../policy/policy-view'
import { ofShown, optional, type PlaygroundState, select } from '../store'
import { sessionOf, sessionsOf } from './shown-session'
import { isTrying, triedDecisionsAt } from './tried-mechanism'

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

/** The shown conversation, with the turn count at the time of the request. */
export const shownConversationOf = select(
  [conversationOf, optional((state) => requestOf(state)?.turnCount)],
  (conversation, turnCount): Conversation =>
    turnCount === undefined ? conversation : { ...conversation, turnCount },
)

/** Decisions at the time of a request. */
const decisionsAt = (requestIndexOf: (state: PlaygroundState) => number | undefined) =>
  select(
    [
      sessionOf,
      requestIndexOf,
      ({ policy }) => policy,
      ({ read }) => read,
      ofShown(placeholderTokensOf),
    ],
    (session, at, policy, { source }, placeholderTokens) =>
      decideRequest(session, at, policy, {
        textOf: (index) =>
          textOfResult(slicesOf(source), session.conversation.results[index] as ToolResult),
        placeholderTokensOf: (index) => placeholderTokens[index] as number,
      }),
  )

const ownDecisionsThenOf = decisionsAt(({ request }) => request)

const lastDecisionsOf = decisionsAt((state) => {
  const session = sessionOf(state)
  // Of an older session of the file, the last request was sent before.
  const isLast = session !== undefined && session === sessionsOf(state)?.at(-1)
  return isLast && isCurrent(state) ? session.requests.length - 1 : undefined
})

/** Results that the policy masks in the last request of the file; undefined until that is known. */
export const maskedInLastRequestOf = (state: PlaygroundState): number | undefined =>
  lastDecisionsOf(state)?.filter(({ action }) => action === 'mask').length

/**
 * Decisions for the shown request. For an earlier request, the shown conversation has the decisions made then, and
 * none for later results. Copy and save always use `decisionsOf`, the decisions for the next request.
 */
export const shownDecisionsOf = select(
  [
    decisionsOf,
    optional((state) => (isTrying(state) ? triedDecisionsAt : ownDecisionsThenOf)(state)),
    ({ conversation }) => conversation,
  ],
  (decisions, then, conversation): DocumentDecisions =>
    then === undefined ? decisions : decisions.map((all, at) => (at === conversation ? then : all)),
)

/** Token measures of the shown request; undefined until everything is counted. */
export const shownMeasureOf = current.measureOfRequest(
  shownDecisionsOf,
  (state) => requestOf(state)?.end ?? conversationOf(state)?.messages.length,
)

/** Figures of the earlier request; undefined if the next one is shown, or until the session is replayed. */
export function requestViewOf(state: PlaygroundState): RequestFigures | undefined {
  return figuresOf(state)?.request
}

/** Index of the request whose end is nearest to a message position; undefined for the next request. */
export function requestNear(requests: readonly SessionRequest[], place: number, messages: number) {
  const distances = [...requests.map(({ end }) => end), messages].map((end) =>
    Math.abs(end - place),
  )
  const nearest = distances.indexOf(Math.min(...distances))
  return nearest === requests.length ? undefined : nearest
}

/** Number of parts of the shown conversation that are not text, and so are not counted. */
export function nonTextPartsOf(state: PlaygroundState): number {
  const messages = conversationOf(state)?.messages ?? []
  return messages.reduce((total, message) => total + message.nonTextParts, 0)
}
