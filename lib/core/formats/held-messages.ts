/** Conversations that traces hold as values: in the words of any format, as they stand or as JSON written in a string. */
import { isJsonObject } from '../conversation/chat-message'
import type { ReadConversation, Slot } from '../conversation/conversation'
import { ReadError } from '../problem'
import type { JsonPath } from '../text/json-pointer'
import { nodeAt } from '../text/json-tree'
import { aiSdk } from './ai-sdk'
import { anthropicMessages } from './anthropic-messages'
import type { Format, FormatReading } from './format'
import { gemini } from './gemini'
import { langchain } from './langchain'
import { openaiChat } from './openai-chat'
import { openaiResponses } from './openai-responses'
import { embeddedValue, type SourceValue, slotAt } from './source-document'

/** Formats of requests, in the order in which documents are tried. */
const REQUEST_FORMATS: readonly Format[] = [
  gemini,
  aiSdk,
  langchain,
  anthropicMessages,
  openaiResponses,
  openaiChat,
]

/** The object or list at a path, as a source of its own: a value, or the JSON that a string there holds. */
export function heldValue(
  text: string,
  source: SourceValue,
  path: JsonPath,
): SourceValue | undefined {
  const tree = nodeAt(source.tree, path)
  if (tree?.kind === 'string') return embeddedValue(text, source, path)
  if (tree === undefined || tree.kind === 'other') return undefined
  let value: unknown = source.value
  for (const step of path) value = (value as Readonly<Record<string | number, unknown>>)[step]
  return { ...source, value, tree, heldAt: [...source.heldAt, ...path] }
}

/** What a held value is read into by the first format that recognises it; undefined when none does. */
export function readHeldMessages(text: string, held: SourceValue): FormatReading | undefined {
  const document = { text, layout: 'json' as const, values: [held], problems: [] }
  const format = REQUEST_FORMATS.find(({ recognise }) => recognise(document) !== null)
  if (format === undefined) return undefined
  try {
    return format.read(document)
  } catch (error) {
    if (!(error instanceof ReadError)) throw error
    return { conversations: [], problems: [error.problem] }
  }
}

/** A shorter text is too likely to stand elsewhere for another reason. */
const MIN_REPEAT = 12

/** Which strings beside conversations repeat their results; those found are masked with them. */
export class RepeatedResults {
  readonly #text: string
  readonly #conversations: readonly ReadConversation[]
  readonly #owners = new Map<string, { conversation: number; result: number; part: number }>()
  readonly #found = new Map<string, Slot[]>()

  constructor(text: string, conversations: readonly ReadConversation[]) {
    this.#text = text
    this.#conversations = conversations
    for (const [conversation, { resultTexts }] of conversations.entries()) {
      for (const [result, texts] of resultTexts.entries()) {
        for (const [part, said] of texts.entries()) {
          // The last request that holds a result is the one that is about to be sent.
          if (said.length >= MIN_REPEAT) this.#owners.set(said, { conversation, result, part })
        }
      }
    }
  }

  /** Looks through a member of a source, into JSON that its strings hold. */
  lookThrough(source: SourceValue, path: JsonPath): void {
    if (this.#owners.size === 0) return
    const held = heldValue(this.#text, source, path)
    if (held === undefined) this.#compare(source, path, this.#stringAt(source, path))
    else this.#visit(held, held.value, [])
  }

  /** A second writing of a conversation: each of its results repeats the one at its place. */
  addCopy(conversation: number, copy: ReadConversation): void {
    for (const [result, { slots }] of copy.results.entries()) this.#add(conversation, result, slots)
  }

  /** The conversations, their results with what repeats them. */
  conversations(): ReadConversation[] {
    return this.#conversations.map((conversation, at) => ({
      ...conversation,
      results: conversation.results.map((result, index) => {
        const found = this.#found.get(`${at} ${index}`)
        if (found === undefined || result.slots.length === 0) return result
        return {
          ...result,
          slots: [...result.slots, ...found],
          twins: result.twins + found.length,
        }
      }),
    }))
  }

  #stringAt(source: SourceValue, path: JsonPath): unknown {
    const node = nodeAt(source.tree, path)
    if (node?.kind !== 'string' || source.encoded > 0) return undefined
    return JSON.parse(this.#text.slice(node.start, node.end))
  }

  #visit(source: SourceValue, value: unknown, path: JsonPath): void {
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) this.#visit(source, item, [...path, index])
    } else if (isJsonObject(value)) {
      for (const [key, member] of Object.entries(value)) this.#visit(source, member, [...path, key])
    } else if (typeof value === 'string' && !this.#compare(source, path, value)) {
      const held = embeddedValue(this.#text, source, path)
      if (held !== undefined) this.#visit(held, held.value, [])
    }
  }

  #compare(source: SourceValue, path: JsonPath, value: unknown): boolean {
    const owner = typeof value === 'string' ? this.#owners.get(value) : undefined
    if (owner === undefined) return false
    const { conversation, result, part } = owner
    const filler = part === 0 ? undefined : this.#fillerOf(owner)
    this.#add(conversation, result, [slotAt(source, path, filler)])
    return true
  }

  #fillerOf({
    conversation,
    result,
    part,
  }: {
    conversation: number
    result: number
    part: number
  }) {
    return this.#conversations[conversation]?.results[result]?.slots[part]?.filler
  }

  #add(conversation: number, result: number, slots: readonly Slot[]): void {
    const key = `${conversation} ${result}`
    const known = this.#found.get(key)
    if (known === undefined) this.#found.set(key, [...slots])
    else known.push(...slots)
  }
}
