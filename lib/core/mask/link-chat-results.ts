/**
 * Links the results of chat-completions messages as `linkMessages` does after `readChatMessage`, but reads only what a
 * decision asks for. Every request sends the messages of the one before it, mostly as the same objects, so what was found
 * in the text of a message is remembered for the next one.
 */
import {
  type ChatMessage,
  type ChatToolCall,
  callName,
  readCall,
  readChatMessage,
  readContent,
} from '../conversation/chat-message'
import type { ErrorRule, ResultShape, ToolResult } from '../conversation/conversation'
import { errorRulesOf } from '../conversation/error-rules'
import {
  type CallOfKey,
  firstLineOf,
  keyOfCall,
  linkByOrder,
  NO_MESSAGE,
  nameOfCall,
  nonEmptyString,
  previewArguments,
  type RawCall,
  TurnLinks,
} from '../conversation/link-messages'
import type { PlaceholderMemory } from '../policy/placeholder'
import { isJsonObject, type Unchecked } from '../text/json-object'
import { countCodePoints } from '../text/text-pieces'

export interface ChatResults {
  readonly turnCount: number
  /** In the order of the messages. */
  readonly results: readonly ChatResult[]
}

/** What was found in the text of a result; undefined if nothing asked for it yet. */
interface ResultMemory extends PlaceholderMemory {
  chars: number | undefined
  errorRules: readonly ErrorRule[] | undefined
}

type Call = CallOfKey<Unchecked<ChatToolCall>>

/** A result of chat-completions messages; its members are read when they are asked for. */
export class ChatResult implements Omit<ToolResult, 'slots' | 'duplicates' | 'valueLocation'> {
  readonly message: number
  readonly callId: string | undefined
  readonly call: Call | undefined
  /** Of the message as it was when this was made; a caller can change it later. */
  readonly content: unknown
  /** Undefined if nothing is remembered, as of lists of parts: they can change inside. */
  readonly memory: ResultMemory | undefined

  constructor(
    message: number,
    content: unknown,
    callId: string | undefined,
    call: Call | undefined,
    memory: ResultMemory | undefined,
  ) {
    this.message = message
    this.callId = callId
    this.call = call
    this.content = content
    this.memory = memory
  }

  get link(): number | undefined {
    const key = this.call?.key
    return typeof key === 'number' ? key : undefined
  }

  get turn(): number | undefined {
    return this.call?.turn
  }

  get toolName(): string | undefined {
    return this.call?.name
  }

  get shape(): ResultShape {
    const { content } = this
    return typeof content === 'string' ? 'text' : readContent(content).shape
  }

  get texts(): readonly string[] {
    const { content } = this
    if (typeof content === 'string') return [content]
    const { shape, texts } = readContent(content)
    return shape === 'other' ? [] : texts.map(({ text }) => text)
  }

  get toolArguments(): string {
    return this.call === undefined ? '' : previewArguments(readCall(this.call.call, []).arguments)
  }

  get firstLine(): string {
    return firstLineOf(this.texts)
  }

  get length(): number {
    const { content } = this
    if (typeof content === 'string') return content.length
    return this.texts.reduce((total, text) => total + text.length, 0)
  }

  get chars(): number {
    const { content, memory } = this
    if (memory === undefined || typeof content !== 'string')
      return this.texts.reduce((total, text) => total + countCodePoints(text), 0)
    memory.chars ??= countCodePoints(content)
    return memory.chars
  }

  get errorRules(): readonly ErrorRule[] {
    const { content, memory } = this
    if (memory === undefined || typeof content !== 'string')
      return [...new Set(this.texts.flatMap(errorRulesOf))]
    memory.errorRules ??= errorRulesOf(content)
    return memory.errorRules
  }
}

/** What was linked in a list. Calls that follow in a longer list are added to the same links. */
interface Linked extends ChatResults {
  readonly links: TurnLinks<Unchecked<ChatToolCall>>
}

/** By the last result of a list. Many lists are never seen again, so of one that was seen once nothing is kept. */
const linkedOfLast = new WeakMap<object, Linked>()
const SEEN_ONCE: Linked = { turnCount: 0, results: [], links: new TurnLinks() }
/** The next list has the last result of this one among this many of its own, if it is the same conversation. */
const NEW_RESULTS = 8

/**
 * Links the results of messages; a value that is not a message has no calls and is no result. With `isByOrder`, messages
 * of which no call has an id are linked as `linkByOrder` links them. With `isScanned`, what is found in a list is
 * remembered when it is first seen, since its texts are scanned.
 */
export function linkChatResults(
  messages: readonly unknown[],
  { isByOrder, isScanned }: { readonly isByOrder: boolean; readonly isScanned: boolean },
): ChatResults {
  const [last, before] = takeLinked(messages)
  const memoryOf = createMemory(before?.results ?? (isScanned ? [] : undefined))
  const links =
    (before && linkCalls(messages, before.links)) ??
    (linkCalls(messages, new TurnLinks()) as Linked['links'])
  const linked =
    isByOrder && links.turnCount === 0
      ? linkChatByOrder(messages, memoryOf)
      : { turnCount: links.turnCount, results: linkById(messages, links, memoryOf) }
  if (last !== undefined)
    linkedOfLast.set(last, isScanned || before !== undefined ? { ...linked, links } : SEEN_ONCE)
  return linked
}

/** The last result of messages, and what was linked in the list that was seen before with one of their last ones. */
function takeLinked(
  messages: readonly unknown[],
): [last: object | undefined, before: Linked | undefined] {
  let last: object | undefined
  let count = 0
  for (let index = messages.length - 1; index >= 0 && count < NEW_RESULTS; index--) {
    const message = messages[index]
    if (!isJsonObject(message) || (message.role !== 'tool' && message.role !== 'function')) continue
    count++
    last ??= message
    const before = linkedOfLast.get(message)
    if (before === undefined) continue
    // One list of each conversation is remembered at most.
    linkedOfLast.delete(message)
    return [last, before === SEEN_ONCE ? { ...SEEN_ONCE, links: new TurnLinks() } : before]
  }
  return [last, undefined]
}

/** Adds the calls of messages to those linked before; undefined if these are not the first calls of the messages. */
function linkCalls(
  messages: readonly unknown[],
  links: Linked['links'],
): Linked['links'] | undefined {
  const { calls: known } = links
  const knownCount = known.length
  let [at, turn] = [0, 0]
  for (let index = 0; index < messages.length; index++) {
    const calls = callsOf(messages[index])
    if (calls.length === 0) continue
    if (at === knownCount) {
      links.addCalls(calls, idOf, callName)
      continue
    }
    const first = at
    for (const call of calls) {
      const id = idOf(call)
      if (id === undefined) continue
      const one = known[at++]
      const isSame =
        one !== undefined &&
        one.call === call &&
        one.key === id &&
        one.turn === turn &&
        one.name === nonEmptyString(callName(call))
      if (!isSame) return undefined
    }
    if (at > first) turn++
  }
  return at === knownCount ? links : undefined
}

type MemoryOf = (
  at: number,
  content: unknown,
  callId: string | undefined,
  toolName: string | undefined,
) => ResultMemory | undefined

/** Gives the memory of each result: that of an earlier one with the same id, tool and text, else a new one. */
function createMemory(before: readonly ChatResult[] | undefined): MemoryOf {
  if (before === undefined) return () => undefined
  let byId: Map<string | undefined, ChatResult> | undefined
  return (at, content, callId, toolName) => {
    if (typeof content !== 'string') return undefined
    let known = before[at]
    if (known !== undefined && known.callId !== callId) {
      byId ??= new Map(before.map((result) => [result.callId, result]))
      known = byId.get(callId)
    }
    if (known?.content === content && known.callId === callId && known.toolName === toolName)
      return known.memory
    return { chars: undefined, errorRules: undefined, template: undefined, placeholder: '' }
  }
}

function linkById(
  messages: readonly unknown[],
  links: TurnLinks<Unchecked<ChatToolCall>>,
  memoryOf: MemoryOf,
): ChatResult[] {
  const results: ChatResult[] = []
  for (let index = 0; index < messages.length; index++) {
    const message = messages[index]
    if (!isJsonObject(message) || message.role !== 'tool') continue
    const { content }: Unchecked<ChatMessage> = message
    const callId = nonEmptyString(message.tool_call_id)
    const call = links.callOfKey.get(callId ?? '')
    const memory = memoryOf(results.length, content, callId, call?.name)
    results.push(new ChatResult(index, content, callId, call, memory))
  }
  return results
}

const NO_CALLS: readonly Unchecked<ChatToolCall>[] = []

function callsOf(message: unknown): readonly Unchecked<ChatToolCall>[] {
  if (!isJsonObject(message) || message.role !== 'assistant') return NO_CALLS
  return Array.isArray(message.tool_calls) ? message.tool_calls : NO_CALLS
}

function idOf(call: unknown): string | undefined {
  return isJsonObject(call) ? nonEmptyString(call.id) : undefined
}

function linkChatByOrder(messages: readonly unknown[], memoryOf: MemoryOf): ChatResults {
  const linked = linkByOrder(messages.map((message) => readChatMessage(message) ?? NO_MESSAGE))
  const links = new TurnLinks<RawCall>()
  const results: ChatResult[] = []
  for (const [index, { isAssistant, calls, results: own }] of linked.entries()) {
    if (isAssistant) links.addCalls(calls, keyOfCall, nameOfCall)
    for (const { callId: id, link } of own) {
      const { content } = messages[index] as Unchecked<ChatMessage>
      const callId = nonEmptyString(id)
      const call = links.callOfKey.get(link ?? '')
      const memory = memoryOf(results.length, content, callId, call?.name)
      results.push(new ChatResult(index, content, callId, call, memory))
    }
  }
  return { results, turnCount: links.turnCount }
}
