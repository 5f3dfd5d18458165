/**
 * Links the results of chat-completions messages as `linkMessages` does after `readChatMessage`, but reads only what a
 * decision asks for. Every request sends the messages of the one before it, mostly as the same objects, so what was
 * linked and found for a list is remembered for the next one.
 */

import {
  type ChatMessage,
  type ChatToolCall,
  callName,
  readChatMessage,
} from '../conversation/chat-message'
import {
  keyOfCall,
  linkByOrder,
  NO_MESSAGE,
  nameOfCall,
  nonEmptyString,
  type RawCall,
  TurnLinks,
} from '../conversation/link-messages'
import { isJsonObject, type Unchecked } from '../text/json-object'
import { ChatResult, type ResultMemory } from './chat-result'

export interface ChatResults {
  readonly turnCount: number
  /** In the order of the messages. */
  readonly results: readonly ChatResult[]
}

/** What was linked in a list of messages. Those that follow in a longer list are added to the same calls. */
interface Linked extends ChatResults {
  readonly messageCount: number
  readonly links: TurnLinks<Unchecked<ChatToolCall>>
}

/** By the last result of a list. */
const linkedOfLast = new WeakMap<object, Linked>()
/** The next list has the last result of this one among this many of its own, if it is the same conversation. */
const NEW_RESULTS = 8
/** Stands for a list that was seen once. Many are never seen again, and to remember more of them takes time. */
const SEEN_ONCE = nothingLinked()

/**
 * Links the results of messages; a value that is not a message has no calls and is no result. With `isByOrder`, messages
 * of which no call has an id are linked as `linkByOrder` links them. With `isScanned`, a list is
 * remembered when it is first seen, since its texts are scanned.
 */
export function linkChatResults(
  messages: readonly unknown[],
  { isByOrder, isScanned }: { readonly isByOrder: boolean; readonly isScanned: boolean },
): ChatResults {
  const last = lastResults(messages)
  const before = takeLinked(last)
  const isRemembered = isScanned || before !== undefined
  const linked =
    before !== undefined && isBegunBy(messages, before)
      ? linkRest(messages, before, [], isRemembered)
      : linkAll(messages, isByOrder, before?.results ?? [], isRemembered)
  if (last[0] !== undefined) linkedOfLast.set(last[0], isRemembered ? linked : SEEN_ONCE)
  return linked
}

function nothingLinked(): Linked {
  return { messageCount: 0, turnCount: 0, links: new TurnLinks(), results: [] }
}

/** Takes what was linked of an earlier list, so that one list of each conversation is remembered at most. */
function takeLinked(last: readonly object[]): Linked | undefined {
  for (const result of last) {
    const linked = linkedOfLast.get(result)
    if (linked === undefined) continue
    linkedOfLast.delete(result)
    return linked
  }
  return undefined
}

/** True if messages begin with those of an earlier list, as they were, and no later call changes what results link to. */
function isBegunBy(
  messages: readonly unknown[],
  { messageCount, links: { calls, callOfKey }, results }: Linked,
): boolean {
  if (calls.length === 0) return false
  let turnCount = 0
  let callCount = 0
  let resultCount = 0
  for (let index = 0; index < messageCount; index++) {
    const message = messages[index]
    if (!isJsonObject(message)) continue
    if (message.role === 'tool') {
      const result = results[resultCount++]
      if (result === undefined || !result.isOf(message, index)) return false
      // A later call can have its id.
      if (result.call === undefined) return false
      continue
    }
    const callsBefore = callCount
    for (const call of callsOf(message)) {
      const id = idOf(call)
      if (id === undefined) continue
      const known = calls[callCount++]
      const isSame =
        known !== undefined &&
        known.call === call &&
        known.key === id &&
        known.turn === turnCount &&
        known.name === nonEmptyString(callName(call))
      if (!isSame) return false
    }
    if (callCount > callsBefore) turnCount++
  }
  if (callCount < calls.length || resultCount < results.length) return false
  const later = messages.slice(messageCount).flatMap(callsOf)
  return !later.some((call) => callOfKey.has(idOf(call) ?? ''))
}

function linkAll(
  messages: readonly unknown[],
  isByOrder: boolean,
  known: readonly ChatResult[],
  isRemembered: boolean,
): Linked {
  const linked = linkRest(messages, nothingLinked(), known, isRemembered)
  if (!isByOrder || linked.turnCount > 0) return linked
  return { ...linked, ...linkChatByOrder(messages, known) }
}

/** Links the messages that follow those of an earlier list. Texts of results in `known` are not read again. */
function linkRest(
  messages: readonly unknown[],
  { messageCount: from, links, results: resultsBefore }: Linked,
  known: readonly ChatResult[],
  isRemembered: boolean,
): Linked {
  for (let index = from; index < messages.length; index++) {
    const written = callsOf(messages[index])
    if (written.length > 0) links.addCalls(written, idOf, callName)
  }
  const results = resultsBefore.map(renewed)
  const knownOfId = new Map(known.map((result) => [result.callId, result]))
  for (let index = from; index < messages.length; index++) {
    const message = messages[index]
    if (!isJsonObject(message) || message.role !== 'tool') continue
    const { content }: Unchecked<ChatMessage> = message
    const callId = nonEmptyString(message.tool_call_id)
    const call = links.callOfKey.get(callId ?? '')
    const memory = isRemembered ? remember(content, knownOfId.get(callId)) : undefined
    results.push(new ChatResult(index, content, callId, call, memory))
  }
  return { messageCount: messages.length, turnCount: links.turnCount, links, results }
}

/** A memory for the text of a message, with what an earlier result found in the same text. */
function remember(content: unknown, known: ChatResult | undefined): ResultMemory | undefined {
  if (typeof content !== 'string') return undefined
  const found = known?.content === content ? known.memory : undefined
  const { chars, errorRules } = found ?? {}
  return { chars, errorRules, template: undefined, placeholder: '' }
}

/** A list of parts can have changed inside, so its result is made again. */
function renewed(result: ChatResult): ChatResult {
  const { message, callId, call, content } = result
  return typeof content === 'string'
    ? result
    : new ChatResult(message, content, callId, call, undefined)
}

const NO_CALLS: readonly Unchecked<ChatToolCall>[] = []

function callsOf(message: unknown): readonly Unchecked<ChatToolCall>[] {
  if (!isJsonObject(message) || message.role !== 'assistant') return NO_CALLS
  return Array.isArray(message.tool_calls) ? message.tool_calls : NO_CALLS
}

function idOf(call: unknown): string | undefined {
  return isJsonObject(call) ? nonEmptyString(call.id) : undefined
}

function linkChatByOrder(messages: readonly unknown[], known: readonly ChatResult[]): ChatResults {
  const linked = linkByOrder(messages.map((message) => readChatMessage(message) ?? NO_MESSAGE))
  const links = new TurnLinks<RawCall>()
  const results: ChatResult[] = []
  for (const [index, { isAssistant, calls, results: own }] of linked.entries()) {
    if (isAssistant) links.addCalls(calls, keyOfCall, nameOfCall)
    for (const { callId, link } of own) {
      const { content } = messages[index] as Unchecked<ChatMessage>
      const call = links.callOfKey.get(link ?? '')
      const memory = remember(content, known[results.length])
      results.push(new ChatResult(index, content, nonEmptyString(callId), call, memory))
    }
  }
  return { results, turnCount: links.turnCount }
}

/** The last results of a list, the very last first. */
function lastResults(messages: readonly unknown[]): object[] {
  const last: object[] = []
  for (let index = messages.length - 1; index >= 0 && last.length < NEW_RESULTS; index--) {
    const message = messages[index]
    if (isJsonObject(message) && (message.role === 'tool' || message.role === 'function'))
      last.push(message)
  }
  return last
}
