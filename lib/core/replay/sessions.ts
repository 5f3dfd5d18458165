/**
 * Sessions and their requests, derived from one conversation or from a log that lists each request.
 * The answer to a request is not part of it, but part of the next request.
 */
import type { Conversation, Usage } from '../conversation/conversation'
import { CLEARED_TOKENS, type ConversationCounts } from '../tokens/count-conversation'
import type { Tokens } from './prompt-cache'

/** The request that an agent sent to get one assistant message. */
export interface SessionRequest {
  /** The request sends the messages before this index. */
  readonly end: number
  /** Tool turns among these messages. */
  readonly turnCount: number
  /** Index of the assistant message that answers it; undefined for a request that is yet to be sent. */
  readonly answer: number | undefined
  /** What the provider counted for it. */
  readonly usage?: Usage | undefined
  /** When it was sent, in milliseconds since 1970: the time of its last message, else that of its answer. */
  readonly sentAt?: number | undefined
}

/** `conversation`: derived from assistant messages. `log`: listed by the document. */
export type RequestOrigin = 'conversation' | 'log'

export interface Session {
  /** The messages of the longest request; every other request sends the first of these. */
  readonly conversation: Conversation
  readonly counts: ConversationCounts
  /** In the order in which they were sent; each is longer than the previous one. */
  readonly requests: readonly SessionRequest[]
  readonly origin: RequestOrigin
  /** Indices of the session's conversations in the document. */
  readonly conversations: readonly number[]
  /** Tokens of each answer as the provider counted them, where they replace our count. */
  readonly chargedOutputs?: readonly (Tokens | undefined)[] | undefined
  /** Leading tokens that were in the cache before the first request, as its usage shows. */
  readonly warmTokens?: Tokens
  /**
   * Leading tokens that a request reads when nothing else of it is found in the cache: no more than the first request of
   * the transcript read. Undefined if that is unknown; the head is then read, or what is before a change.
   */
  readonly readableHead?: Tokens | undefined
}

/**
 * The requests that were recorded; else one for each answer, and an open request if the conversation does not end with one.
 * Assistant messages in a row are one answer, unless each has its own usage.
 */
export function requestsOf({
  messages,
  answerUsage,
  recorded,
}: Pick<Conversation, 'messages' | 'answerUsage' | 'recorded'>): SessionRequest[] {
  if (recorded !== undefined) return requestsEndingAt(messages, recorded)
  const ends: { readonly end: number; usage: Usage | undefined }[] = []
  for (const [index, { isAssistant, usage }] of messages.entries()) {
    if (!isAssistant) continue
    const last = ends.at(-1)
    const isSameAnswer =
      messages[index - 1]?.isAssistant === true &&
      (usage === undefined || last?.usage === undefined)
    if (last !== undefined && isSameAnswer) last.usage ??= usage
    else ends.push({ end: index, usage })
  }
  if (messages.at(-1)?.isAssistant === false)
    ends.push({ end: messages.length, usage: answerUsage })
  return requestsEndingAt(messages, ends)
}

/** Index after the last message of the answer to a request. */
export function answerEnd(
  { conversation, requests }: Pick<Session, 'conversation' | 'requests'>,
  request: number,
): number {
  const { answer } = requests[request] as SessionRequest
  if (answer === undefined) return (requests[request] as SessionRequest).end
  const { messages } = conversation
  const nextAnswer = requests[request + 1]?.answer ?? messages.length
  let end = answer
  while (end < nextAnswer && messages[end]?.isAssistant === true) end++
  return end
}

/** Tokens of the answer to each request, including the overhead of its messages; those charged where they are known. */
export function outputTokens(session: Session): Tokens[] {
  const { requests, counts, chargedOutputs } = session
  return requests.map(({ answer }, index) => {
    const charged = chargedOutputs?.[index]
    if (charged !== undefined) return charged
    let tokens = 0
    const end = answer === undefined ? 0 : answerEnd(session, index)
    for (let message = answer ?? 0; message < end; message++)
      tokens += counts.messages[message] as Tokens
    return tokens
  })
}

/** By request: the messages of the longest unit that it leaves, which ends with its answer if it has one. */
export function unitEndsOf(session: Pick<Session, 'conversation' | 'requests'>): number[] {
  return session.requests.map((_, request) => answerEnd(session, request))
}

/**
 * Creates the sessions of a document: one for each log, and one for every other conversation.
 * A log is at least two conversations in a row, or one recorded request. None ends with an assistant message, all have equal tokens for tool
 * schemas, and each begins with the messages of the previous one and has more. Each is compared once with the previous
 * one, so the work grows with the messages of the document.
 */
export function createSessions(
  conversations: readonly Conversation[],
  counts: readonly ConversationCounts[],
): Session[] {
  const isRequest = (index: number) => {
    const { messages, recorded } = conversations[index] ?? {}
    return messages?.at(-1)?.isAssistant === false && (recorded?.length ?? 1) === 1
  }
  const sessions: Session[] = []
  let start = 0
  while (start < conversations.length) {
    let end = start + 1
    while (isRequest(end - 1) && isRequest(end) && continues(conversations, counts, end)) end++
    const run = conversations.slice(start, end)
    const conversation = conversations[end - 1] as Conversation
    const isLog = run.length > 1 || conversation.recorded?.length === 1
    const ends = run.map((one) => ({ end: one.messages.length, usage: one.answerUsage }))
    sessions.push({
      conversation,
      counts: counts[end - 1] as ConversationCounts,
      requests: isLog ? requestsEndingAt(conversation.messages, ends) : requestsOf(conversation),
      origin: isLog ? 'log' : 'conversation',
      conversations: run.map((_, offset) => start + offset),
    })
    start = end
  }
  return sessions
}

/** Creates the session of one conversation; `index` is that of the conversation in the document. */
export function createSession(
  conversation: Conversation,
  counts: ConversationCounts,
  index = 0,
): Session {
  const requests = requestsOf(conversation)
  return { conversation, counts, requests, origin: 'conversation', conversations: [index] }
}

/** The number of leading system messages: with the tool schemas, they are the part of a request that never changes. */
export function headMessages({ messages }: Pick<Conversation, 'messages'>): number {
  const first = messages.findIndex(({ role }) => role !== 'system' && role !== 'developer')
  return first === -1 ? messages.length : first
}

/** For each message and for the end: tokens of all messages before it and of what every request contains. */
export function prefixTokensOf(messages: readonly number[], perRequest: number): number[] {
  const prefix = [perRequest]
  for (const tokens of messages) prefix.push((prefix.at(-1) as number) + tokens)
  return prefix
}

/** A result that the client itself cleared, from one request on. */
export interface Clearing {
  readonly result: number
  readonly from: number
  readonly savedTokens: Tokens
}

export function clearingsOf({ conversation, counts, requests }: Session): Clearing[] {
  return conversation.results.flatMap(({ clearedAt }, result) => {
    const from = clearedAt === undefined ? -1 : requests.findIndex(({ end }) => clearedAt <= end)
    const savedTokens = (counts.results[result] as Tokens) - CLEARED_TOKENS
    return from === -1 || savedTokens <= 0 ? [] : [{ result, from, savedTokens }]
  })
}

/** Tokens of each request as the client sent it. */
export function sentTokensOf(
  requests: readonly SessionRequest[],
  prefixTokens: readonly Tokens[],
  clearings: readonly Clearing[],
): Tokens[] {
  return requests.map(({ end }, index) =>
    clearings.reduce(
      (tokens, { from, savedTokens }) => (from <= index ? tokens - savedTokens : tokens),
      prefixTokens[end] as Tokens,
    ),
  )
}

function requestsEndingAt(
  messages: Conversation['messages'],
  ends: readonly { readonly end: number; readonly usage: Usage | undefined }[],
): SessionRequest[] {
  const requests: SessionRequest[] = []
  let turnCount = 0
  let index = 0
  for (const { end, usage } of ends) {
    for (; index < end; index++) if (messages[index]?.turn !== undefined) turnCount++
    const answer = messages[end]?.isAssistant === true ? end : undefined
    // If a conversation begins with an assistant message, its usage is all that is known of the request for it.
    if (end === 0 && usage === undefined) continue
    const sentAt = messages[end - 1]?.writtenAt ?? messages[end]?.writtenAt ?? usage?.at
    requests.push({ end, turnCount, answer, usage, sentAt })
  }
  return requests
}

/**
 * True if a conversation begins with the messages of the previous one and has more. Messages are compared by role,
 * characters, tokens and the ids and names of calls and results, not by text, so this works without texts.
 */
function continues(
  conversations: readonly Conversation[],
  counts: readonly ConversationCounts[],
  index: number,
): boolean {
  const pairOf = <One>(list: readonly One[]) => list.slice(index - 1, index + 1) as [One, One]
  const [before, after] = pairOf(conversations)
  const [beforeCounts, afterCounts] = pairOf(counts)
  const length = before.messages.length
  if (after.messages.length <= length) return false
  if (beforeCounts.perRequest !== afterCounts.perRequest) return false
  const haveSameTokens = beforeCounts.messages.every(
    (tokens, position) => tokens === afterCounts.messages[position],
  )
  return (
    haveSameTokens &&
    beginsWith(after.messages, before.messages, ['role', 'chars', 'nonTextParts']) &&
    beginsWith(after.calls, before.calls, ['id', 'name', 'message']) &&
    beginsWith(after.results, before.results, ['callId', 'chars', 'message'])
  )
}

function beginsWith<Item>(
  list: readonly Item[],
  start: readonly Item[],
  keys: readonly (keyof Item)[],
): boolean {
  return (
    start.length <= list.length &&
    start.every((item, at) => keys.every((key) => item[key] === (list[at] as Item)[key]))
  )
}
