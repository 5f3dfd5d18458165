/** A session as the mechanisms of other agents see it: the messages of chat completions, with one message for each result. */
import { indexByMessage, type ReadConversation, type ToolCall } from '../conversation/conversation'
import { memoizeFor } from '../memoize-for'
import type { Tokens } from '../replay/prompt-cache'
import type { Session } from '../replay/sessions'
import { countCodePoints, partitionPoint } from '../text/span'
import { TOKENS_PER_CALL } from '../tokens/count-conversation'
import type { LaterUse } from '../uses/find-later-uses'

export interface HistoryCall {
  /** That of its result, made up where the format has none. */
  readonly id: string | undefined
  readonly name: string
  /** As the model wrote them. */
  readonly arguments: string
  /** All of the call, and its arguments alone. */
  readonly tokens: Tokens
  readonly argumentTokens: Tokens
}

export interface HistoryMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool'
  /** Index of the message of the conversation that it is, or is part of. */
  readonly message: number
  readonly content: string
  readonly calls: readonly HistoryCall[]
  /** Index of the result; undefined for other messages. */
  readonly result?: number
  /** Of a result: the id and the tool of its call. */
  readonly callId?: string | undefined
  readonly toolName?: string | undefined
  /** All of the message, and its content alone. */
  readonly tokens: Tokens
  readonly contentTokens: Tokens
}

export interface SessionHistory {
  readonly session: Session
  /** The same with our counts, where those of `session` are calibrated to the provider's. */
  readonly counted: Session
  readonly messages: readonly HistoryMessage[]
  /** By request: it has the messages before this index. */
  readonly ends: readonly number[]
  /** By message, and for the end: the tokens of a request that has all messages before it. */
  readonly prefixTokens: readonly Tokens[]
  readonly countTokens: (text: string) => Tokens
  /** In the order of the requests; a mechanism may know those of earlier requests. */
  readonly uses: readonly LaterUse[]
}

const HEAD_ROLES = ['system', 'developer']

/**
 * Reads a session, which is `counted` or calibrated from it; `conversation` is its longest one. `ourTokens` counts as `counted`
 * does; one of its tokens is `slope` of `session`.
 */
export function readHistory(
  { session, counted }: Pick<SessionHistory, 'session' | 'counted'>,
  conversation: Pick<ReadConversation, 'messageTexts' | 'resultTexts' | 'callArguments'>,
  ourTokens: (text: string) => Tokens,
  uses: readonly LaterUse[],
  slope = 1,
): SessionHistory {
  const countTokens = (text: string) => Math.round(slope * ourTokens(text))
  const { counts, requests } = session
  const { messages: facts, calls, results } = session.conversation
  const callsOf = indexByMessage(calls)
  const resultsOf = indexByMessage(results)
  /** By the id of a call so far: its tool. The conversation has that of the last call with an id that is used again. */
  const tools = new Map<string | undefined, string | undefined>()
  const messages = facts.flatMap(({ role, isAssistant }, message): HistoryMessage[] => {
    const answers = resultsOf.get(message) ?? []
    const contents = conversation.messageTexts[message]?.contents ?? []
    // Those of the results are the last ones.
    const given = answers.flatMap((result) => conversation.resultTexts[result] ?? [])
    const texts = contents.slice(0, contents.length - given.length)
    const asked = (callsOf.get(message) ?? []).map((call): HistoryCall => {
      const { id: ownId, link, name } = calls[call] as ToolCall
      const id = ownId ?? idOfLink(link)
      tools.set(id, name)
      const written = conversation.callArguments[call] ?? ''
      const argumentTokens = countTokens(written)
      const tokens = countTokens(name ?? '') + argumentTokens + TOKENS_PER_CALL
      return { id, name: name ?? '', arguments: written, tokens, argumentTokens }
    })
    const all = counts.messages[message] as Tokens
    const ofResults = answers.reduce((sum, result) => sum + (counts.results[result] as Tokens), 0)
    const hasOwn = answers.length === 0 || texts.length > 0 || asked.length > 0
    const own: HistoryMessage = {
      role: isAssistant ? 'assistant' : HEAD_ROLES.includes(role) ? 'system' : 'user',
      message,
      content: texts.join('\n'),
      calls: asked,
      tokens: all - ofResults,
      contentTokens: texts.reduce((sum, text) => sum + countTokens(text), 0),
    }
    const answered = answers.map((result, at): HistoryMessage => {
      const { callId: ownId, link } = results[result] as (typeof results)[number]
      const callId = ownId ?? idOfLink(link)
      const contentTokens = counts.results[result] as Tokens
      return {
        role: 'tool',
        message,
        content: (conversation.resultTexts[result] ?? []).join(''),
        calls: [],
        result,
        callId,
        toolName: callId === undefined ? undefined : tools.get(callId),
        // What surrounds the results of a message without other parts belongs to the first of them.
        tokens: contentTokens + (hasOwn || at > 0 ? 0 : all - ofResults),
        contentTokens,
      }
    })
    if (!hasOwn) return answered
    return isAssistant ? [own, ...answered] : [...answered, own]
  })
  const prefixTokens = [counts.perRequest]
  for (const { tokens } of messages) prefixTokens.push((prefixTokens.at(-1) as Tokens) + tokens)
  const ends = requests.map(({ end }) =>
    partitionPoint(0, messages.length, (at) => (messages[at] as HistoryMessage).message < end),
  )
  return { session, counted, messages, ends, prefixTokens, countTokens, uses }
}

/** The id of a call and its result where neither has one. */
function idOfLink(link: number | undefined): string | undefined {
  return link === undefined ? undefined : `call_${link}`
}

/** By message, and for the end: the sum of a measure of all messages before it. `measure` looks at one message only. */
export function sumsOf(
  history: SessionHistory,
  measure: (message: HistoryMessage) => number,
): Float64Array {
  return memoizeFor(history, measure, () => {
    const sums = new Float64Array(history.messages.length + 1)
    for (const [at, message] of history.messages.entries())
      sums[at + 1] = (sums[at] as number) + measured(message, measure)
    return sums
  })
}

/** A measure of one message. It is taken once. */
export function measured(message: HistoryMessage, measure: (message: HistoryMessage) => number) {
  return memoizeFor(message, measure, () => measure(message))
}

const countContent = ({ content }: HistoryMessage) => countCodePoints(content)

/** The characters of its content. */
export const charsOf = (message: HistoryMessage) => measured(message, countContent)

/** Positions of the messages of a role, ascending. */
export function positionsOf(
  history: SessionHistory,
  role: HistoryMessage['role'],
): readonly number[] {
  return memoizeFor(history, `role ${role}`, () =>
    history.messages.flatMap((message, at) => (message.role === role ? [at] : [])),
  )
}

/** By result: its position in a history. */
export function positionsOfResults(history: SessionHistory): readonly number[] {
  return memoizeFor(history, positionsOfResults, () => {
    const positions: number[] = []
    for (const [at, { result }] of history.messages.entries())
      if (result !== undefined) positions[result] = at
    return positions
  })
}
