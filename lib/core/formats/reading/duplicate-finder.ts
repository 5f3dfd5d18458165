import { addToGroup } from '../../conversation/add-to-group'
import type { ReadConversation, ResultSpan } from '../../conversation/conversation'
import type { JsonSpan } from '../../text/embedded-json'
import { type JsonPath, valueAtPath, visitValues } from '../../text/json-object'
import { type Offset, partitionPoint, type TextSlices } from '../../text/span'
import { NAMING_KEY } from './find-repeats'
import type { MessageList } from './message-lists'
import {
  embeddedValue,
  nestedSource,
  resultSpanAt,
  type SourceDocument,
  type SourceValue,
} from './source-document'

/** A shorter text is too likely to occur elsewhere by chance. */
const MIN_LENGTH = 12
/** What a model wrote, and telemetry and agents write again. */
const ARGUMENTS = /^(?:\w+_)?(?:arguments|args|prompt)$/i
/** Keys of the name of a tool. */
const NAME_KEY = /^(?:function|tool)$|name$/i
const RESULT_KEY = /(?:output|contents?|results?|text|error|response)$/i
const LONGEST_ID = 200

interface Owner {
  readonly conversation: number
  readonly result: number
  readonly part: number
}

/** Results with the same text, by pointer and by every parent of the pointer; the last one wins. */
type Owners = ReadonlyMap<string, Owner>

/** Adds to results of conversations the strings that repeat them elsewhere in the source, outside the messages of `lists`. */
export function withDuplicatesOutside(
  { text, values }: SourceDocument,
  lists: readonly MessageList[],
  conversations: readonly ReadConversation[],
): ReadConversation[] {
  const messages = new Set(lists.flatMap(({ items }) => items.map(({ value }) => value)))
  const finder = new DuplicateFinder(text, conversations)
  for (const source of values) finder.search(source, [], (value) => messages.has(value))
  return finder.conversations()
}

/**
 * Adds to results the strings that repeat them anywhere else: clients write requests, telemetry and displays beside their
 * messages. What a message says stays, and so does a name, which has no white space, such as a folder that `pwd` printed.
 */
export function withRepeatsElsewhere(
  { text, values }: SourceDocument,
  conversations: readonly ReadConversation[],
): readonly ReadConversation[] {
  const finder = new DuplicateFinder(text, conversations)
  for (const source of values) finder.searchAround(source)
  return finder.conversations()
}

/**
 * Finds strings outside the conversations that repeat their results, so that both are masked together. When several
 * conversations have the result, the duplicate belongs to the one nearest in the document; among equally near ones to
 * the last, which is the most recent request.
 */
export class DuplicateFinder {
  readonly #text: TextSlices
  readonly #conversations: readonly ReadConversation[]
  readonly #owners = new Map<string, Map<string, Owner>>()
  readonly #found = new Map<string, ResultSpan[]>()
  /** Start offsets of strings that already belong to a result. */
  readonly #assigned = new Set<Offset>()
  readonly #ofCall = new Map<string, Owner>()
  #lengths: ReadonlySet<number> | undefined
  #said: readonly JsonSpan[] | undefined

  constructor(text: TextSlices, conversationsWithDuplicates: readonly ReadConversation[]) {
    this.#text = text
    this.#conversations = conversationsWithDuplicates
    for (const [conversation, { resultTexts, results }] of conversationsWithDuplicates.entries()) {
      for (const [result, { spans, callId }] of results.entries()) {
        for (const { start } of spans) this.#assigned.add(start)
        if (callId !== undefined) this.#ofCall.set(callId, { conversation, result, part: 0 })
        const texts = resultTexts[result] as readonly string[]
        for (const [part, partText] of texts.entries()) {
          if (partText === '') continue
          const { pointer } = spans[part] as ResultSpan
          const owners = this.#owners.get(partText) ?? new Map<string, Owner>()
          this.#owners.set(partText, owners)
          for (const parent of withParents(pointer))
            owners.set(parent, { conversation, result, part })
        }
      }
    }
  }

  /** Searches the value at a path, including JSON inside its strings; skips values for which `isRead` is true. */
  search(
    source: SourceValue,
    path: JsonPath,
    isRead: (value: unknown) => boolean = () => false,
  ): void {
    if (this.#owners.size === 0) return
    const nested = nestedSource(this.#text, source, path)
    if (nested === undefined) this.#visitText(source, path, valueAtPath(source.value, path))
    else this.#visit(nested, isRead)
  }

  /**
   * Searches a value for complete texts of results outside what messages say and calls pass. A text without white space, or
   * a short one, counts only as the output of an object that names its call.
   */
  searchAround(source: SourceValue): void {
    if (this.#owners.size === 0) return
    this.#lengths ??= new Set([...this.#owners.keys()].map(({ length }) => length))
    const path: (string | number)[] = []
    const visit = (value: unknown, call: Owner | undefined): void => {
      if (typeof value === 'string') {
        if (!this.#lengths?.has(value.length) || !this.#owners.has(value)) return
        if (NAME_KEY.test(String(path.at(-1)))) return
        const span = source.tree.find(path)
        if (span === undefined || this.#isSaid(span)) return
        const key = path.findLast((step) => typeof step === 'string')
        if (call !== undefined && RESULT_KEY.test(String(key)))
          this.#compare(source, [...path], value, call)
        else if (/\s/.test(value)) this.#compare(source, [...path], value)
      } else if (typeof value === 'object' && value !== null) {
        const inner = this.#callOf(Object.values(value)) ?? call
        const members = Array.isArray(value) ? value.entries() : Object.entries(value)
        for (const [key, member] of members) {
          if (NAMING_KEY.test(String(key)) || ARGUMENTS.test(String(key))) continue
          path.push(key)
          visit(member, inner)
          path.pop()
        }
      }
    }
    visit(source.value, undefined)
  }

  /** The result whose call one of these members names. */
  #callOf(members: readonly unknown[]): Owner | undefined {
    for (const member of members) {
      if (typeof member !== 'string' || member.length > LONGEST_ID) continue
      const owner = this.#ofCall.get(member)
      if (owner !== undefined) return owner
    }
    return undefined
  }

  /** True within a text, the reasoning or the arguments of a message. */
  #isSaid({ start }: Pick<JsonSpan, 'start'>): boolean {
    this.#said ??= this.#conversations
      .flatMap(({ messages, calls }) => [
        ...messages.flatMap(({ contents, reasoning }) => [...contents, ...reasoning]),
        ...calls.flatMap(({ argumentsSpan }) => argumentsSpan ?? []),
      ])
      .sort((a, b) => a.start - b.start)
    const said = this.#said
    const before =
      said[partitionPoint(0, said.length, (at) => (said[at] as JsonSpan).start <= start) - 1]
    return before !== undefined && start < before.end
  }

  /** Adds a copy of a conversation: each of its results is a duplicate of the result with the same index. */
  addCopiedConversation(conversation: number, copy: ReadConversation): void {
    for (const [result, { spans }] of copy.results.entries()) this.#add(conversation, result, spans)
  }

  /** Returns the conversations, with the duplicates added to their results. */
  conversations(): ReadConversation[] {
    return this.#conversations.map((conversation, at) => ({
      ...conversation,
      results: conversation.results.map((result, index) => {
        const found = this.#found.get(`${at} ${index}`)
        if (found === undefined || result.spans.length === 0) return result
        return {
          ...result,
          spans: [...result.spans, ...found],
          duplicates: result.duplicates + found.length,
        }
      }),
    }))
  }

  #visit(source: SourceValue, isRead: (value: unknown) => boolean): void {
    visitValues(source.value, [], (value, path) => {
      if (isRead(value)) return true
      this.#visitText(source, path, value)
      return false
    })
  }

  /** Compares a string, then the JSON in it: some tracers write a result as a quoted string. */
  #visitText(source: SourceValue, path: JsonPath, value: unknown): void {
    if (typeof value !== 'string' || this.#compare(source, path, value)) return
    const embedded = embeddedValue(this.#text, source, path, /^\s*["[{]/)
    if (embedded !== undefined) this.#visit(embedded, () => false)
  }

  /** Adds a string that is a text of a result; of the result of a call, if that has the text. */
  #compare(source: SourceValue, path: JsonPath, value: string, call?: Owner): boolean {
    const owners = this.#owners.get(value)
    const own = call && this.#conversations[call.conversation]?.resultTexts[call.result]
    const part = own?.indexOf(value) ?? -1
    if (owners === undefined || (part === -1 && value.length < MIN_LENGTH)) return false
    const span = resultSpanAt(source, path, undefined)
    if (this.#assigned.has(span.start)) return true
    this.#assigned.add(span.start)
    const owner = call && part !== -1 ? { ...call, part } : nearest(owners, span.pointer)
    const result = this.#conversations[owner.conversation]?.results[owner.result]
    const filler = owner.part === 0 ? undefined : result?.spans[owner.part]?.filler
    this.#add(owner.conversation, owner.result, [{ ...span, filler }])
    return true
  }

  #add(conversation: number, result: number, spans: readonly ResultSpan[]): void {
    for (const span of spans) addToGroup(this.#found, `${conversation} ${result}`, span)
  }
}

/** Returns the owner that shares the deepest parent with this pointer; among several the last. */
function nearest(owners: Owners, pointer: string): Owner {
  const shared = withParents(pointer).find((parent) => owners.has(parent))
  // All share the empty pointer.
  return owners.get(shared as string) as Owner
}

/** Returns a pointer and all its parents, from the longest to the empty one. */
function withParents(pointer: string): string[] {
  const pointers = [pointer]
  for (let end = pointer.lastIndexOf('/'); end >= 0; end = pointer.lastIndexOf('/', end - 1)) {
    pointers.push(pointer.slice(0, end))
    if (end === 0) break
  }
  return pointers
}
