/**
 * Links the results of chat-completions messages as `linkMessages` does after `readChatMessage`, but reads only what a
 * decision asks for. What is found in a long text is kept with its message, since every request sends it again.
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
import { countCodePoints } from '../conversation/count-code-points'
import { errorRulesOf } from '../conversation/error-rules'
import { linkByOrder } from '../conversation/link-by-order'
import {
  firstLineOf,
  NO_MESSAGE,
  nonEmptyString,
  previewArguments,
} from '../conversation/link-messages'
import { isJsonObject, itemsOf, type Unchecked } from '../text/json-object'

interface CallOfId {
  readonly turn: number
  readonly name: string | undefined
  readonly call: Unchecked<ChatToolCall>
}

export interface LinkedChat {
  /** In the order of the messages. */
  readonly results: readonly ChatResult[]
  readonly turnCount: number
}

/**
 * Links messages; a value that is not a message has no calls and is no result. With `isByOrder`, messages of which no
 * call has an id are linked as `linkByOrder` links them.
 */
export function linkChatResults(messages: readonly unknown[], isByOrder = false): LinkedChat {
  const callOfId = new Map<string, CallOfId>()
  let turnCount = 0
  for (const message of messages) {
    if (!isJsonObject(message) || message.role !== 'assistant') continue
    if (addCalls(message, turnCount, callOfId)) turnCount++
  }
  if (isByOrder && callOfId.size === 0) return linkChatByOrder(messages)
  const results: ChatResult[] = []
  for (let index = 0; index < messages.length; index++) {
    const message = messages[index]
    if (!isJsonObject(message) || message.role !== 'tool') continue
    const callId = nonEmptyString(message.tool_call_id)
    results.push(
      new ChatResult(
        index,
        message,
        callId,
        callId === undefined ? undefined : callOfId.get(callId),
      ),
    )
  }
  return { results, turnCount }
}

function linkChatByOrder(messages: readonly unknown[]): LinkedChat {
  const linked = linkByOrder(messages.map((message) => readChatMessage(message) ?? NO_MESSAGE))
  const callOfLink = new Map<number, CallOfId>()
  const results: ChatResult[] = []
  let turnCount = 0
  for (const [index, { calls, results: own }] of linked.entries()) {
    const message = messages[index] as Unchecked<ChatMessage>
    if (calls.some(({ link }) => link !== undefined)) {
      const written = [...itemsOf(message.tool_calls), { function: message.function_call }]
      for (const [at, call] of written.filter(isJsonObject).entries()) {
        const { link, name } = calls[at] ?? {}
        if (link !== undefined)
          callOfLink.set(link, { turn: turnCount, name: nonEmptyString(name), call })
      }
      turnCount++
    }
    for (const { callId, link } of own) {
      const call = link === undefined ? undefined : callOfLink.get(link)
      results.push(new ChatResult(index, message, nonEmptyString(callId), call, link))
    }
  }
  return { results, turnCount }
}

/** Adds the calls of a message; false if none has an id, so that it opens no turn. */
function addCalls(
  { tool_calls: calls }: Unchecked<ChatMessage>,
  turn: number,
  callOfId: Map<string, CallOfId>,
): boolean {
  if (!Array.isArray(calls)) return false
  let isTurn = false
  for (const call of calls) {
    const id = isJsonObject(call) ? nonEmptyString(call.id) : undefined
    if (id === undefined) continue
    isTurn = true
    // A call without a name leaves the name that an earlier call gave the id.
    const name = nonEmptyString(callName(call)) ?? callOfId.get(id)?.name
    callOfId.set(id, { turn, name, call })
  }
  return isTurn
}

/** A result of chat-completions messages; its members are read when they are asked for. */
export class ChatResult implements Omit<ToolResult, 'slots' | 'duplicates' | 'valueLocation'> {
  readonly message: number
  readonly callId: string | undefined
  readonly link: number | undefined
  readonly turn: number | undefined
  readonly toolName: string | undefined
  readonly #source: Unchecked<ChatMessage>
  readonly #call: Unchecked<ChatToolCall> | undefined
  #facts: TextFacts | undefined

  constructor(
    message: number,
    source: Unchecked<ChatMessage>,
    callId: string | undefined,
    call: CallOfId | undefined,
    link?: number,
  ) {
    this.message = message
    this.callId = callId
    this.link = link
    this.turn = call?.turn
    this.toolName = call?.name
    this.#source = source
    this.#call = call?.call
  }

  get shape(): ResultShape {
    const { content } = this.#source
    return typeof content === 'string' ? 'text' : readContent(content).shape
  }

  get texts(): readonly string[] {
    const { content } = this.#source
    if (typeof content === 'string') return [content]
    const { shape, texts } = readContent(content)
    return shape === 'other' ? [] : texts.map(({ text }) => text)
  }

  get toolArguments(): string {
    return this.#call === undefined ? '' : previewArguments(readCall(this.#call, []).arguments)
  }

  get firstLine(): string {
    return firstLineOf(this.texts)
  }

  get length(): number {
    const { content } = this.#source
    if (typeof content === 'string') return content.length
    return this.texts.reduce((total, text) => total + text.length, 0)
  }

  get chars(): number {
    const facts = factsOf(this.#source)
    if (facts === undefined) return sumChars(this.texts)
    facts.chars ??= countCodePoints(facts.text)
    return facts.chars
  }

  get errorRules(): readonly ErrorRule[] {
    const facts = factsOf(this.#source)
    if (facts === undefined) return [...new Set(this.texts.flatMap(errorRulesOf))]
    facts.errorRules ??= errorRulesOf(facts.text)
    return facts.errorRules
  }

  /** The placeholder that `setPlaceholder` got for the same template, text, id and name. */
  placeholderOf(template: string): string | undefined {
    this.#facts = factsOf(this.#source)
    const known = this.#facts?.masked
    const isSame =
      known?.template === template &&
      known.callId === this.callId &&
      known.toolName === this.toolName
    return isSame ? known.placeholder : undefined
  }

  setPlaceholder(template: string, placeholder: string): void {
    const facts = this.#facts
    if (facts === undefined || facts.masked?.placeholder === placeholder) return
    const { callId, toolName } = this
    facts.masked = { template, callId, toolName, placeholder }
  }
}

function sumChars(texts: readonly string[]): number {
  return texts.reduce((total, text) => total + countCodePoints(text), 0)
}

/** What was found in the text of a message; undefined if nothing asked for it yet. */
interface TextFacts {
  readonly text: string
  chars: number | undefined
  errorRules: readonly ErrorRule[] | undefined
  masked:
    | {
        readonly template: string
        readonly callId: string | undefined
        readonly toolName: string | undefined
        readonly placeholder: string
      }
    | undefined
}

const LONG_TEXT = 64
const factsOfMessage = new WeakMap<object, TextFacts>()

/** Undefined for lists of parts, which a client can change, and for short texts, which are read faster again. */
function factsOf(message: Unchecked<ChatMessage>): TextFacts | undefined {
  const { content } = message
  if (typeof content !== 'string' || content.length < LONG_TEXT) return undefined
  const known = factsOfMessage.get(message)
  if (known?.text === content) return known
  const facts = { text: content, chars: undefined, errorRules: undefined, masked: undefined }
  factsOfMessage.set(message, facts)
  return facts
}
