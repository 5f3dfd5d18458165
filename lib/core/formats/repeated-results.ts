/** Strings beside conversations that repeat their results, wherever they stand in a document. */
import { isJsonObject } from '../conversation/chat-message'
import type { ReadConversation, Slot } from '../conversation/conversation'
import type { JsonPath } from '../text/json-pointer'
import type { Offset } from '../text/span'
import { heldValue } from './held-value'
import { embeddedValue, type SourceValue, slotAt } from './source-document'

/** A shorter text is too likely to stand elsewhere for another reason. */
const MIN_REPEAT = 12

interface Owner {
  readonly conversation: number
  readonly result: number
  readonly part: number
}

/** The results of one text: by pointer, and by every beginning of one, the last that stands there. */
type Owners = ReadonlyMap<string, Owner>

/**
 * Which strings beside conversations repeat their results; those found are masked with them. Of several conversations
 * that hold a result, the one that stands nearest has the repeat, and of equally near ones the last: it is the request
 * that is about to be sent.
 */
export class RepeatedResults {
  readonly #text: string
  readonly #conversations: readonly ReadConversation[]
  readonly #owners = new Map<string, Map<string, Owner>>()
  readonly #found = new Map<string, Slot[]>()
  /** Where strings begin that belong to a result already. */
  readonly #taken = new Set<Offset>()

  constructor(text: string, conversations: readonly ReadConversation[]) {
    this.#text = text
    this.#conversations = conversations
    for (const [conversation, { resultTexts, results }] of conversations.entries()) {
      for (const [result, texts] of resultTexts.entries()) {
        for (const { start } of results[result]?.slots ?? []) this.#taken.add(start)
        for (const [part, said] of texts.entries()) {
          if (said.length < MIN_REPEAT) continue
          const owners = this.#owners.get(said) ?? new Map<string, Owner>()
          this.#owners.set(said, owners)
          const pointer = results[result]?.slots[part]?.pointer ?? ''
          for (const beginning of beginningsOf(pointer))
            owners.set(beginning, { conversation, result, part })
        }
      }
    }
  }

  /** Looks through a member of a source, into JSON that its strings hold; what `isRead` tells of is passed over. */
  lookThrough(
    source: SourceValue,
    path: JsonPath,
    isRead: (value: unknown) => boolean = () => false,
  ): void {
    if (this.#owners.size === 0) return
    const held = heldValue(this.#text, source, path)
    if (held === undefined) this.#visitText(source, path, this.#stringAt(source, path))
    else this.#visit(held, held.value, [], isRead)
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
    let value = source.value
    for (const step of path) {
      if (typeof value !== 'object' || value === null) return undefined
      value = (value as Readonly<Record<string | number, unknown>>)[step]
    }
    return value
  }

  #visit(
    source: SourceValue,
    value: unknown,
    path: JsonPath,
    isRead: (value: unknown) => boolean,
  ): void {
    if (isRead(value)) return
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries())
        this.#visit(source, item, [...path, index], isRead)
    } else if (isJsonObject(value)) {
      for (const [key, member] of Object.entries(value))
        this.#visit(source, member, [...path, key], isRead)
    } else this.#visitText(source, path, value)
  }

  /** A string as it stands, else the JSON it holds: a text in quotes is how some tracers write what a tool gave. */
  #visitText(source: SourceValue, path: JsonPath, value: unknown): void {
    if (typeof value !== 'string' || this.#compare(source, path, value)) return
    const held = embeddedValue(this.#text, source, path, /^\s*["[{]/)
    if (held !== undefined) this.#visit(held, held.value, [], () => false)
  }

  #compare(source: SourceValue, path: JsonPath, value: string): boolean {
    const owners = this.#owners.get(value)
    if (owners === undefined) return false
    const slot = slotAt(source, path, undefined)
    if (this.#taken.has(slot.start)) return true
    this.#taken.add(slot.start)
    const owner = nearest(owners, slot.pointer)
    if (owner === undefined) return false
    const { conversation, result, part } = owner
    const filler =
      part === 0
        ? undefined
        : this.#conversations[conversation]?.results[result]?.slots[part]?.filler
    this.#add(conversation, result, [{ ...slot, filler }])
    return true
  }

  #add(conversation: number, result: number, slots: readonly Slot[]): void {
    const key = `${conversation} ${result}`
    const known = this.#found.get(key)
    if (known === undefined) this.#found.set(key, [...slots])
    else known.push(...slots)
  }
}

/** The owner whose pointer has most in common with this one; of several the last. */
function nearest(owners: Owners, pointer: string): Owner | undefined {
  const beginning = beginningsOf(pointer).find((start) => owners.has(start))
  return beginning === undefined ? undefined : owners.get(beginning)
}

/** A pointer and all above it, the longest first; the empty one is the last. */
function beginningsOf(pointer: string): string[] {
  const beginnings = [pointer]
  for (let end = pointer.lastIndexOf('/'); end >= 0; end = pointer.lastIndexOf('/', end - 1)) {
    beginnings.push(pointer.slice(0, end))
    if (end === 0) break
  }
  return beginnings
}
