/**
 * The requests a session is made of: from one conversation, or from a log that holds each of them.
 * What a request was answered with is no part of it; it is part of the next one.
 */
import type { Conversation } from '../conversation/conversation'
import type { ConversationCounts } from '../tokens/count-conversation'

/** What the agent sent to get one assistant message. */
export interface SessionRequest {
  /** It sends the messages before this index. */
  readonly end: number
  /** Tool turns among them. */
  readonly turnCount: number
  /** Index of the assistant message it was answered with; undefined for the one about to be sent. */
  readonly answer: number | undefined
}

/** `conversation`: derived from its assistant messages. `log`: as the document lists them. */
export type RequestOrigin = 'conversation' | 'log'

export interface Session {
  /** The longest list of messages; every request sends a beginning of it. */
  readonly conversation: Conversation
  readonly counts: ConversationCounts
  /** In the order they were sent, each longer than the one before. */
  readonly requests: readonly SessionRequest[]
  readonly origin: RequestOrigin
  /** Indices of the conversations of the document it was made from. */
  readonly conversations: readonly number[]
}

/** One request before each assistant message, and an open one when the conversation does not end with one. */
export function requestsOf({ messages }: Pick<Conversation, 'messages'>): SessionRequest[] {
  const ends = messages.flatMap(({ isAssistant }, index) => (isAssistant ? [index] : []))
  if (messages.at(-1)?.isAssistant === false) ends.push(messages.length)
  return requestsEndingAt(messages, ends)
}

/**
 * The requests of a log: conversations that are successive requests of one session.
 * They are, when there are at least two, none ends with an assistant message, all pay the same for tool schemas, and
 * each is longer than the one before and begins with it. Messages are told apart by their facts (role, characters,
 * tokens, ids and names of calls and results), not their texts, so this works where only counts are at hand.
 * Undefined when they are not.
 */
export function requestsFromLog(
  conversations: readonly Conversation[],
  counts: readonly ConversationCounts[],
): SessionRequest[] | undefined {
  const last = conversations.at(-1)
  if (last === undefined || conversations.length < 2) return undefined
  for (const [index, conversation] of conversations.entries()) {
    if (conversation.messages.at(-1)?.isAssistant !== false) return undefined
    if (index > 0 && !continues(conversations, counts, index)) return undefined
  }
  const ends = conversations.map(({ messages }) => messages.length)
  return requestsEndingAt(last.messages, ends)
}

/** The sessions of a document: runs of conversations that are one log, and every other conversation by itself. */
export function sessionsOf(
  conversations: readonly Conversation[],
  counts: readonly ConversationCounts[],
): Session[] {
  const sessions: Session[] = []
  let start = 0
  while (start < conversations.length) {
    let end = start + 1
    const isRequest = (at: number) => conversations[at]?.messages.at(-1)?.isAssistant === false
    while (isRequest(end - 1) && isRequest(end) && continues(conversations, counts, end)) end++
    const run = conversations.slice(start, end)
    const logged = requestsFromLog(run, counts.slice(start, end))
    const conversation = conversations[end - 1] as Conversation
    sessions.push({
      conversation,
      counts: counts[end - 1] as ConversationCounts,
      requests: logged ?? requestsOf(conversation),
      origin: logged === undefined ? 'conversation' : 'log',
      conversations: run.map((_, offset) => start + offset),
    })
    start = end
  }
  return sessions
}

/** The session of one conversation; `index` is its place in the document. */
export function sessionOf(
  conversation: Conversation,
  counts: ConversationCounts,
  index = 0,
): Session {
  const requests = requestsOf(conversation)
  return { conversation, counts, requests, origin: 'conversation', conversations: [index] }
}

function requestsEndingAt(
  messages: Conversation['messages'],
  ends: readonly number[],
): SessionRequest[] {
  const requests: SessionRequest[] = []
  let turnCount = 0
  let index = 0
  for (const end of ends) {
    for (; index < end; index++) if (messages[index]?.turn !== undefined) turnCount++
    // A conversation that begins with an assistant message: what it answered is not there.
    if (end === 0) continue
    requests.push({
      end,
      turnCount,
      answer: messages[end]?.isAssistant === true ? end : undefined,
    })
  }
  return requests
}

function continues(
  conversations: readonly Conversation[],
  counts: readonly ConversationCounts[],
  index: number,
): boolean {
  const [before, after] = [conversations[index - 1], conversations[index]]
  const [beforeCounts, afterCounts] = [counts[index - 1], counts[index]]
  if (!before || !after || !beforeCounts || !afterCounts) return false
  const length = before.messages.length
  if (length === 0 || after.messages.length <= length) return false
  if (beforeCounts.perRequest !== afterCounts.perRequest) return false
  const areSameMessages = before.messages.every((message, at) => {
    const other = after.messages[at]
    return (
      message.role === other?.role &&
      message.chars === other.chars &&
      message.nonTextParts === other.nonTextParts &&
      beforeCounts.messages[at] === afterCounts.messages[at]
    )
  })
  return (
    areSameMessages &&
    before.calls.every(
      ({ id, name, message }, at) =>
        id === after.calls[at]?.id &&
        name === after.calls[at]?.name &&
        message === after.calls[at]?.message,
    ) &&
    before.results.every(
      ({ callId, chars, message }, at) =>
        callId === after.results[at]?.callId &&
        chars === after.results[at]?.chars &&
        message === after.results[at]?.message,
    )
  )
}
