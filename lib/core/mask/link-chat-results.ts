/**
 * Links the results of chat-completions messages as `linkMessages` does after `readChatMessage`, but reads only what a
 * decision asks for: an agent masks its whole history before every request.
 */
import {
  type ChatMessage,
  type ChatToolCall,
  callName,
  readCall,
  readChatMessage,
  readContent,
} from '../conversation/chat-message'
import type { ErrorRule, ResultShape } from '../conversation/conversation'
import { errorRulesOf } from '../conversation/error-rules'
import {
  type CallOfKey,
  firstLineOf,
  linkByOrder,
  linkMessages,
  NO_MESSAGE,
  nonEmptyString,
  previewArguments,
  TurnLinks,
} from '../conversation/link-messages'
import type { DecidableResult } from '../policy/decide'
import type { MaskPolicy } from '../policy/policy'
import { isJsonObject, type Unchecked } from '../text/json-object'
import { countCodePoints } from '../text/text-pieces'

export interface ChatResults {
  readonly turnCount: number
  /** In the order of the messages. */
  readonly results: readonly (DecidableResult & { readonly texts: readonly string[] })[]
}

/**
 * Links the results of messages as a policy asks for it; a value that is not a message has no calls and is no result.
 * With `linkByOrder`, messages of which no call has an id are linked by order.
 */
export function linkChatResults(
  messages: readonly unknown[],
  policy: Pick<MaskPolicy, 'linkByOrder' | 'nearestCall'>,
): ChatResults {
  const links = new TurnLinks<Unchecked<ChatToolCall>>()
  const nearest: (CallOfKey<Unchecked<ChatToolCall>> | undefined)[] = []
  for (const message of messages) {
    const calls = callsOf(message)
    if (calls.length > 0) links.addCalls(calls, idOf, callName)
    if (policy.nearestCall)
      nearest.push(isJsonObject(message) ? links.callOfKey.get(idOfResult(message)) : undefined)
  }
  if (policy.linkByOrder && links.turnCount === 0)
    return linkMessages(
      linkByOrder(messages.map((message) => readChatMessage(message) ?? NO_MESSAGE)),
    )
  const results: ChatResult[] = []
  for (let index = 0; index < messages.length; index++) {
    const message = messages[index]
    if (!isJsonObject(message) || message.role !== 'tool') continue
    const { content }: Unchecked<ChatMessage> = message
    const id = idOfResult(message)
    const call = policy.nearestCall ? nearest[index] : links.callOfKey.get(id)
    results.push(new ChatResult(index, message, content, id === '' ? undefined : id, call))
  }
  return { turnCount: links.turnCount, results }
}

const NO_CALLS: readonly Unchecked<ChatToolCall>[] = []

function callsOf(message: unknown): readonly Unchecked<ChatToolCall>[] {
  if (!isJsonObject(message) || message.role !== 'assistant') return NO_CALLS
  return Array.isArray(message.tool_calls) ? message.tool_calls : NO_CALLS
}

function idOfResult({ tool_call_id: id }: Unchecked<ChatMessage>): string {
  return nonEmptyString(id) ?? ''
}

function idOf(call: unknown): string | undefined {
  return isJsonObject(call) ? nonEmptyString(call.id) : undefined
}

/** What a scan of a text found, by its message: an agent sends the same objects with every request. */
const scanned = new WeakMap<
  object,
  { readonly content: string; readonly rules: readonly ErrorRule[] }
>()

/** A result of chat-completions messages; its members are read when they are asked for. */
class ChatResult implements DecidableResult {
  readonly message: number
  readonly source: object
  readonly callId: string | undefined
  readonly content: unknown
  readonly call: CallOfKey<Unchecked<ChatToolCall>> | undefined

  constructor(
    message: number,
    source: object,
    content: unknown,
    callId: string | undefined,
    call: CallOfKey<Unchecked<ChatToolCall>> | undefined,
  ) {
    this.message = message
    this.source = source
    this.content = content
    this.callId = callId
    this.call = call
  }

  get turn(): number | undefined {
    return this.call?.turn
  }

  get toolName(): string | undefined {
    return this.call?.name
  }

  get shape(): ResultShape {
    return typeof this.content === 'string' ? 'text' : readContent(this.content).shape
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
    const { content } = this
    if (typeof content === 'string') return countCodePoints(content)
    return this.texts.reduce((total, text) => total + countCodePoints(text), 0)
  }

  get errorRules(): readonly ErrorRule[] {
    const { source, content } = this
    if (typeof content !== 'string')
      return [...new Set(this.texts.flatMap((text) => errorRulesOf(text, true)))]
    const known = scanned.get(source)
    if (known?.content === content) return known.rules
    const rules = errorRulesOf(content)
    scanned.set(source, { content, rules })
    return rules
  }
}
