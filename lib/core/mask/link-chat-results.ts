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
import { countCodePoints, findBeyondLatin1 } from '../conversation/count-code-points'
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

/** The results of chat-completions messages; a value that is not a message has no calls and is no result. */
export class ChatResults {
  readonly turnCount: number
  readonly #messages: readonly unknown[]
  readonly #callOfId = new Map<string, CallOfId>()
  readonly #memory: TextMemory

  readonly #byOrder: ReadonlyMap<number, ChatResult> | undefined

  /** With `isByOrder`, messages of which no call has an id are linked as `linkByOrder` links them. */
  constructor(messages: readonly unknown[], isByOrder: boolean) {
    this.#messages = messages
    this.#memory = new TextMemory(messages)
    let turnCount = 0
    for (let index = 0; index < messages.length; index++) {
      const message = messages[index]
      if (!isJsonObject(message) || message.role !== 'assistant') continue
      if (addCalls(message, turnCount, this.#callOfId)) turnCount++
    }
    if (isByOrder && this.#callOfId.size === 0) {
      const linked = linkChatByOrder(messages, this.#memory)
      this.#byOrder = new Map(linked.results.map((result) => [result.message, result]))
      turnCount = linked.turnCount
    }
    this.turnCount = turnCount
  }

  /** The result that is the message at an index; undefined if the message is no result. */
  at(index: number): ChatResult | undefined {
    if (this.#byOrder !== undefined) return this.#byOrder.get(index)
    const message = this.#messages[index]
    if (!isJsonObject(message) || message.role !== 'tool') return undefined
    const callId = nonEmptyString(message.tool_call_id)
    const call = callId === undefined ? undefined : this.#callOfId.get(callId)
    return new ChatResult(index, message, callId, call, this.#memory)
  }

  /** All results, in the order of the messages. */
  all(): ChatResult[] {
    return this.#messages.flatMap((_, index) => this.at(index) ?? [])
  }
}

function linkChatByOrder(
  messages: readonly unknown[],
  memory: TextMemory,
): { readonly results: readonly ChatResult[]; readonly turnCount: number } {
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
      results.push(new ChatResult(index, message, nonEmptyString(callId), call, memory, link))
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

/**
 * A result of chat-completions messages; its members are read when they are asked for. Fields named with `#` would be
 * slower to set, and every request makes all of them anew.
 */
export class ChatResult implements Omit<ToolResult, 'slots' | 'duplicates' | 'valueLocation'> {
  readonly message: number
  readonly callId: string | undefined
  readonly link: number | undefined
  private readonly source: Unchecked<ChatMessage>
  private readonly call: CallOfId | undefined
  private readonly memory: TextMemory

  constructor(
    message: number,
    source: Unchecked<ChatMessage>,
    callId: string | undefined,
    call: CallOfId | undefined,
    memory: TextMemory,
    link?: number,
  ) {
    this.message = message
    this.callId = callId
    this.link = link
    this.source = source
    this.call = call
    this.memory = memory
  }

  get turn(): number | undefined {
    return this.call?.turn
  }

  get toolName(): string | undefined {
    return this.call?.name
  }

  get shape(): ResultShape {
    const { content } = this.source
    return typeof content === 'string' ? 'text' : readContent(content).shape
  }

  get texts(): readonly string[] {
    const { content } = this.source
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
    const { content } = this.source
    if (typeof content === 'string') return content.length
    return this.texts.reduce((total, text) => total + text.length, 0)
  }

  get chars(): number {
    const { content } = this.source
    if (typeof content !== 'string') return sumChars(this.texts)
    const known = this.memory.knownFacts(this.source, content)?.chars
    if (known !== undefined) return known
    const from = findBeyondLatin1(content)
    if (from === -1) return content.length
    const chars = countCodePoints(content, from)
    if (content.length >= LONG_TEXT) this.memory.factsOf(this.source, content).chars = chars
    return chars
  }

  get errorRules(): readonly ErrorRule[] {
    const { content } = this.source
    if (typeof content !== 'string') return [...new Set(this.texts.flatMap(errorRulesOf))]
    if (content.length < LONG_TEXT) return errorRulesOf(content)
    const facts = this.memory.factsOf(this.source, content)
    facts.errorRules ??= errorRulesOf(content)
    return facts.errorRules
  }
}

function sumChars(texts: readonly string[]): number {
  return texts.reduce((total, text) => total + countCodePoints(text), 0)
}

/** Shorter texts are read faster again than looked up. */
const LONG_TEXT = 64

/** What was found in the text of a message; undefined if nothing asked for it yet. */
interface TextFacts {
  readonly text: string
  chars: number | undefined
  errorRules: readonly ErrorRule[] | undefined
}

type FactsOfMessage = WeakMap<object, TextFacts>

/** By the last result of a list of messages. One map for all messages would be slower to write: it is large and never young. */
const factsOfLast = new WeakMap<object, FactsOfMessage>()
/** The next list has the last result of this one among this many of its own, if it is the same conversation. */
const NEW_RESULTS = 8

/** What was found in the texts of a list, or in those of an earlier list that has its messages. */
class TextMemory {
  readonly #messages: readonly unknown[]
  #facts: FactsOfMessage | undefined
  #isSearched = false

  constructor(messages: readonly unknown[]) {
    this.#messages = messages
  }

  knownFacts(message: object, text: string): TextFacts | undefined {
    if (!this.#isSearched) {
      this.#isSearched = true
      const last = lastResults(this.#messages)
      const known = last.find((result) => factsOfLast.has(result))
      this.#facts = known && factsOfLast.get(known)
      if (this.#facts !== undefined) factsOfLast.set(last[0] as object, this.#facts)
    }
    const facts = this.#facts?.get(message)
    return facts?.text === text ? facts : undefined
  }

  factsOf(message: object, text: string): TextFacts {
    const known = this.knownFacts(message, text)
    if (known !== undefined) return known
    if (this.#facts === undefined) {
      this.#facts = new WeakMap()
      factsOfLast.set(lastResults(this.#messages)[0] as object, this.#facts)
    }
    const facts = { text, chars: undefined, errorRules: undefined }
    this.#facts.set(message, facts)
    return facts
  }
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
