/**
 * Links the results of chat-completions messages as `linkMessages` does after `readChatMessage`, but reads only what a
 * decision asks for: an agent masks its whole history before every request.
 */
import type { ChatMessage, ChatToolCall } from '../conversation/chat-message'
import { callName, readCall, readChatMessage, readContent } from '../conversation/chat-message'
import type { ErrorRule, ResultShape } from '../conversation/conversation'
import { errorRulesOf } from '../conversation/error-rules'
import type { CallOfKey, RawMessage } from '../conversation/link-messages'
import {
  firstLineOf,
  linkByOrder,
  linkMessages,
  NO_MESSAGE,
  nonEmptyString,
  previewArguments,
  sizeOf,
  TurnLinks,
} from '../conversation/link-messages'
import type { SizedMessage } from '../policy/break-even'
import type { MaskPolicy } from '../policy/policy'
import type { DecidableResult } from '../policy/window-steps'
import { isJsonObject, membersOf, type Unchecked } from '../text/json'
import { countCodePoints } from '../text/span'

export interface ChatResults {
  readonly turnCount: number
  /** In the order of the messages. */
  readonly results: readonly (DecidableResult & { readonly texts: readonly string[] })[]
  /** For a window that moves at break-even. */
  readonly messages: readonly SizedMessage[]
}

/**
 * Links the results of messages as a policy asks for it; a value that is not a message has no calls and is no result.
 * With `linkByOrder`, messages of which no call has an id are linked by order.
 */
export function linkChatResults(
  messages: readonly unknown[],
  policy: Pick<MaskPolicy, 'linkByOrder' | 'nearestCall' | 'batchTurns'>,
): ChatResults {
  const isAuto = policy.batchTurns === 'auto'
  const links = new TurnLinks<Unchecked<ChatToolCall>>()
  const nearest: (CallOfKey<Unchecked<ChatToolCall>> | undefined)[] = []
  const turns: (number | undefined)[] = []
  for (const message of messages) {
    const calls = callsOf(message)
    turns.push(
      calls.length > 0
        ? links.addCalls(calls, (one) => nonEmptyString(membersOf(one).id), callName)
        : undefined,
    )
    if (policy.nearestCall || isAuto)
      nearest.push(isJsonObject(message) ? links.callOfKey.get(idOfResult(message)) : undefined)
  }
  if (policy.linkByOrder && links.turnCount === 0) {
    return linkMessages(linkByOrder(messages.map(readAny)))
  }
  const results: ChatResult[] = []
  for (let index = 0; index < messages.length; index++) {
    const message = messages[index]
    if (!isJsonObject(message) || message.role !== 'tool') continue
    const { content }: Unchecked<ChatMessage> = message
    const id = idOfResult(message)
    const call = policy.nearestCall ? nearest[index] : links.callOfKey.get(id)
    const result = new ChatResult(index, message, content, id === '' ? undefined : id, call)
    const near = nearest[index]
    if (isAuto && id !== '' && near !== call)
      result.nearest = { turn: near?.turn, toolName: near?.name, toolArguments: argumentsOf(near) }
    results.push(result)
  }
  const sizes = isAuto ? messages.map((one, index) => sizeOf(readAny(one), turns[index])) : []
  return { turnCount: links.turnCount, results, messages: sizes }
}

function readAny(message: unknown): RawMessage {
  return readChatMessage(message) ?? NO_MESSAGE
}

function argumentsOf(call: CallOfKey<Unchecked<ChatToolCall>> | undefined): string {
  return call === undefined ? '' : previewArguments(readCall(call.call, []).arguments)
}

const NO_CALLS: readonly Unchecked<ChatToolCall>[] = []

function callsOf(message: unknown): readonly Unchecked<ChatToolCall>[] {
  if (!isJsonObject(message) || message.role !== 'assistant') return NO_CALLS
  return Array.isArray(message.tool_calls) ? message.tool_calls : NO_CALLS
}

function idOfResult({ tool_call_id: id }: Unchecked<ChatMessage>): string {
  return nonEmptyString(id) ?? ''
}

/** What a scan of a text found, by its message: an agent sends the same objects with every request. */
const scanned = new WeakMap<
  object,
  { readonly content: string; readonly rules: readonly ErrorRule[] }
>()

/** A result of chat-completions messages; its members are read when they are asked for. */
class ChatResult implements DecidableResult {
  declare nearest?: NonNullable<DecidableResult['nearest']>

  constructor(
    readonly message: number,
    readonly source: object,
    readonly content: unknown,
    readonly callId: string | undefined,
    readonly call: CallOfKey<Unchecked<ChatToolCall>> | undefined,
  ) {}

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
    return argumentsOf(this.call)
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
