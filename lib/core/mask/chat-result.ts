import {
  type ChatMessage,
  type ChatToolCall,
  readCall,
  readContent,
} from '../conversation/chat-message'
import type { ErrorRule, ResultShape, ToolResult } from '../conversation/conversation'
import { errorRulesOf } from '../conversation/error-rules'
import {
  type CallOfKey,
  firstLineOf,
  nonEmptyString,
  previewArguments,
} from '../conversation/link-messages'
import type { PlaceholderMemory } from '../policy/placeholder'
import type { Unchecked } from '../text/json-object'
import { countCodePoints } from '../text/text-pieces'

/** What was found in the text of a result; undefined if nothing asked for it yet. */
export interface ResultMemory extends PlaceholderMemory {
  chars: number | undefined
  errorRules: readonly ErrorRule[] | undefined
}

/** A result of chat-completions messages; its members are read when they are asked for. */
export class ChatResult implements Omit<ToolResult, 'spans' | 'duplicates' | 'valueSpan'> {
  readonly message: number
  readonly callId: string | undefined
  readonly call: CallOfKey<Unchecked<ChatToolCall>> | undefined
  /** Of the message as it was when this was made; a caller can change it later. */
  readonly content: unknown
  /** Undefined if nothing is remembered, as of lists of parts: they can change inside. */
  readonly memory: ResultMemory | undefined

  constructor(
    message: number,
    content: unknown,
    callId: string | undefined,
    call: CallOfKey<Unchecked<ChatToolCall>> | undefined,
    memory: ResultMemory | undefined,
  ) {
    this.message = message
    this.callId = callId
    this.call = call
    this.content = content
    this.memory = memory
  }

  /** True if a message at this index has what this was made from. */
  isOf(message: Unchecked<ChatMessage>, index: number): boolean {
    return (
      this.message === index &&
      this.content === message.content &&
      this.callId === nonEmptyString(message.tool_call_id)
    )
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
    if (typeof content !== 'string')
      return this.texts.reduce((total, text) => total + countCodePoints(text), 0)
    if (memory === undefined) return countCodePoints(content)
    memory.chars ??= countCodePoints(content)
    return memory.chars
  }

  get errorRules(): readonly ErrorRule[] {
    const { content, memory } = this
    if (typeof content !== 'string') return [...new Set(this.texts.flatMap(errorRulesOf))]
    if (memory === undefined) return errorRulesOf(content)
    memory.errorRules ??= errorRulesOf(content)
    return memory.errorRules
  }
}
