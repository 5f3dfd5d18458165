import { addToGroup } from '../../conversation/add-to-group'
import type { Message, ReadConversation, ResultSpan } from '../../conversation/conversation'
import type { JsonNode } from '../../text/json-node'
import { type Offset, partitionPoint, type TextSpan } from '../../text/span'
import { displayTest, findDuplicatedResult, indexResultTexts } from './find-repeats'
import {
  callDescribed,
  callNamed,
  isNamed,
  isNameKey,
  isNoOutput,
  isStyledLine,
  MIN_LENGTH,
  type OutputKind,
  outputKind,
  RESULT_KEY,
} from './output-keys'
import type { SourceDocument, SourceValue } from './source-document'
import { embeddedValue, resultSpanAt } from './source-document'

interface Owner {
  readonly conversation: number
  readonly result: number
  readonly part: number
}

/** A result in the document. */
interface PlacedResult extends Owner {
  readonly start: Offset
  /** The start of the message with its call; its own start if there is none. */
  readonly calledAt: Offset
}

/** Where a string is: its source and path, the call that is named around it, and what its keys say of it. */
interface Place {
  readonly source: SourceValue
  /** Changes while members are visited. */
  readonly path: (string | number)[]
  readonly call: string | undefined
  readonly kind: OutputKind
}

/** Results with the same text, by pointer and by every parent of the pointer; the last one wins. */
type Owners = ReadonlyMap<string, Owner>

/** What OpenHands writes before an output where calls are text. */
const HEADING = /^EXECUTION RESULT of \[[^\]\n]*\]:\n/

/**
 * Adds to results the strings that repeat them outside the messages: clients write requests, telemetry and displays beside
 * them. What a message says stays, and so does a name, such as a folder that `pwd` printed.
 */
export function withRepeatsElsewhere(
  { values }: SourceDocument,
  conversations: readonly ReadConversation[],
): readonly ReadConversation[] {
  const finder = new DuplicateFinder(conversations)
  for (const source of values) finder.search(source)
  return finder.conversations()
}

/**
 * Finds strings outside the conversations that repeat their results, so that both are masked together. When several
 * conversations have the result, the duplicate belongs to the one nearest in the document; among equally near ones to
 * the last, which is the most recent request.
 */
class DuplicateFinder {
  readonly #conversations: readonly ReadConversation[]
  readonly #owners = new Map<string, Map<string, Owner>>()
  readonly #found = new Map<string, ResultSpan[]>()
  /** Start offsets of strings that already belong to a result. */
  readonly #assigned = new Set<Offset>()
  readonly #ofCall = new Map<string, PlacedResult[]>()
  /** In the order of the document. */
  readonly #results: PlacedResult[] = []
  readonly #lengths: ReadonlySet<number>
  /** What messages say. */
  readonly #said: readonly TextSpan[]
  /** Messages and their pieces. */
  readonly #pieces: readonly TextSpan[]
  readonly #tests = new Map<PlacedResult, ReturnType<typeof displayTest>>()
  #everywhere: ReturnType<typeof indexResultTexts> | undefined

  constructor(conversations: readonly ReadConversation[]) {
    this.#conversations = conversations
    for (const [at, conversation] of conversations.entries()) this.#addResults(conversation, at)
    this.#results.sort((a, b) => a.start - b.start)
    this.#lengths = new Set([...this.#owners.keys()].map(({ length }) => length))
    const all = conversations.flatMap(({ messages }) => messages)
    this.#pieces = sorted(all.flatMap((message) => [message, ...message.otherSpans]))
    this.#said = sorted([
      ...all.flatMap(({ contents, reasoning }) => [...contents, ...reasoning]),
      ...conversations.flatMap(({ calls }) =>
        calls.flatMap(({ argumentsSpan }) => argumentsSpan ?? []),
      ),
    ])
  }

  #addResults({ messages, results, resultTexts }: ReadConversation, conversation: number): void {
    const turns = messages.filter(({ turn }) => turn !== undefined)
    for (const [result, { spans, callId, turn, nearest: near }] of results.entries()) {
      for (const { start } of spans) this.#assigned.add(start)
      const [first] = spans
      if (first === undefined) continue
      const { start } = first
      const asked: Message | undefined = turns[near?.turn ?? turn ?? -1]
      const placed = { conversation, result, part: 0, start, calledAt: asked?.start ?? start }
      this.#results.push(placed)
      if (callId !== undefined) addToGroup(this.#ofCall, callId, placed)
      for (const [part, partText] of (resultTexts[result] as readonly string[]).entries()) {
        if (partText === '') continue
        const { pointer } = spans[part] as ResultSpan
        const owners = this.#owners.get(partText) ?? new Map<string, Owner>()
        this.#owners.set(partText, owners)
        for (const parent of withParents(pointer))
          owners.set(parent, { conversation, result, part })
      }
    }
  }

  /** Searches a value, and the JSON in its strings. */
  search(source: SourceValue): void {
    if (this.#owners.size === 0) return
    this.#visit(source.value, { source, path: [], call: undefined, kind: 'other' })
  }

  /** Returns the conversations, with the duplicates added to their results. */
  conversations(): ReadConversation[] {
    return this.#conversations.map((conversation, at) => ({
      ...conversation,
      results: conversation.results.map((result, index) => {
        const found = this.#found.get(`${at} ${index}`)
        if (found === undefined) return result
        const duplicates = result.duplicates + found.length
        return { ...result, spans: [...result.spans, ...found], duplicates }
      }),
    }))
  }

  #visit(value: unknown, place: Place): void {
    if (typeof value === 'string') this.#visitText(value, place)
    else if (typeof value === 'object' && value !== null) {
      if (isStyledLine(value, place.kind) && this.#addLine(value, place)) return
      const isCall = (id: string) => this.#ofCall.has(id)
      const named = callNamed(value, isCall)
      const call = named ?? callDescribed(value, isCall) ?? place.call
      const members = Array.isArray(value) ? value.entries() : Object.entries(value)
      for (const [key, member] of members) {
        // The name of its tool stays.
        if (named !== undefined && isNameKey(key)) continue
        if (isNoOutput(key, member, place.kind)) continue
        place.path.push(key)
        this.#visit(member, { ...place, call, kind: outputKind(key, member, place.kind) })
        place.path.pop()
      }
    }
  }

  #visitText(value: string, place: Place): void {
    const { source, path, kind } = place
    const text = value.replace(HEADING, '')
    const owners = this.#lengths.has(text.length) ? this.#owners.get(text) : undefined
    if (owners === undefined && kind === 'other' && !/^\s*["[{]/.test(value)) return
    const { start } = source.tree.find(path) as JsonNode
    if (this.#assigned.has(start) || spanAround(this.#said, start) !== undefined) return
    const whole = owners && this.#wholeOwner(text, place, start, owners)
    const owner = whole ?? (kind === 'other' ? undefined : this.#partialOwner(value, place, start))
    if (owner !== undefined) {
      const result = this.#conversations[owner.conversation]?.results[owner.result]
      const filler = owner.part === 0 ? undefined : result?.spans[owner.part]?.filler
      this.#add(owner, place, path, filler)
    } else {
      const embedded = embeddedValue(source, path, /^\s*["[{]/)
      if (embedded !== undefined)
        this.#visit(embedded.value, { ...place, source: embedded, path: [] })
    }
  }

  /** The result that a string is a whole text of; a short one counts only as an output beside it. */
  #wholeOwner(text: string, place: Place, start: Offset, owners: Owners): Owner | undefined {
    const { source, path, kind } = place
    const key = path.findLast((step) => typeof step === 'string')
    const isOutput = kind !== 'other' || RESULT_KEY.test(String(key))
    for (const one of isOutput ? this.#resultsBeside(place, start) : []) {
      const part = this.#textsOf(one).indexOf(text)
      if (part !== -1) return { ...one, part }
    }
    // An output of a command belongs to the result after it.
    if (text.length < MIN_LENGTH || kind === 'command') return undefined
    return isNamed(text, key) ? undefined : nearest(owners, resultSpanAt(source, path, '').pointer)
  }

  /** The result that a string repeats in part. */
  #partialOwner(value: string, place: Place, start: Offset): Owner | undefined {
    const beside = this.#resultsBeside(place, start)
    if (beside.length > 0) return beside.find((one) => this.#testOf(one)?.(value))
    if (place.kind !== 'command' || value.trim().length < MIN_LENGTH) return undefined
    this.#everywhere ??= indexResultTexts(this.#results.map((one) => this.#textsOf(one).join('\n')))
    const index = findDuplicatedResult(value, this.#everywhere, this.#after(start))
    return index === undefined ? undefined : this.#results[index]
  }

  /** Adds a line of a terminal if it repeats a result, with all its pieces. */
  #addLine(line: readonly { readonly text: string }[], place: Place): boolean {
    const { start } = place.source.tree.find([...place.path, 0, 'text']) as JsonNode
    if (this.#assigned.has(start)) return false
    const owner = this.#partialOwner(line.map(({ text }) => text).join(''), place, start)
    if (owner === undefined) return false
    for (const at of line.keys())
      this.#add(owner, place, [...place.path, at, 'text'], at === 0 ? undefined : '')
    return true
  }

  /** The results in the same message, or on the same line; of these, or anywhere, that of the call named around a string. */
  #resultsBeside({ source, call }: Place, start: Offset): readonly PlacedResult[] {
    const piece = spanAround(this.#pieces, start)
    const inPiece = piece === undefined ? [] : this.#resultsIn(piece)
    const isOnLine = inPiece.length === 0 && source.line !== undefined
    const beside = isOnLine ? this.#resultsIn(source.tree) : inPiece
    const ofCall = call === undefined ? [] : (this.#ofCall.get(call) as PlacedResult[])
    if (ofCall.length === 0) return beside
    const own = beside.filter((one) => ofCall.includes(one))
    if (own.length > 0) return own
    // The most recent request; of results with the same id, that of the last call before the string.
    const recent = ofCall.filter(({ conversation }) => conversation === ofCall.at(-1)?.conversation)
    return [recent.findLast(({ calledAt }) => calledAt < start) ?? recent[0]] as PlacedResult[]
  }

  #resultsIn({ start, end }: TextSpan): readonly PlacedResult[] {
    return this.#results.slice(this.#after(start), this.#after(end))
  }

  /** The number of results that start before an offset. */
  #after(offset: Offset): number {
    const all = this.#results
    return partitionPoint(0, all.length, (at) => (all[at] as PlacedResult).start < offset)
  }

  #testOf(result: PlacedResult): ReturnType<typeof displayTest> {
    if (!this.#tests.has(result)) {
      // Those of a whole session take much memory.
      if (this.#tests.size === 8) this.#tests.clear()
      this.#tests.set(result, displayTest(this.#textsOf(result)))
    }
    return this.#tests.get(result)
  }

  #textsOf({ conversation, result }: Owner): readonly string[] {
    return this.#conversations[conversation]?.resultTexts[result] as readonly string[]
  }

  #add(
    { conversation, result }: Owner,
    { source }: Place,
    path: readonly (string | number)[],
    filler: string | undefined,
  ): void {
    const span = resultSpanAt(source, path, filler)
    this.#assigned.add(span.start)
    addToGroup(this.#found, `${conversation} ${result}`, span)
  }
}

function sorted(spans: readonly TextSpan[]): readonly TextSpan[] {
  return [...spans].sort((a, b) => a.start - b.start)
}

function spanAround(spans: readonly TextSpan[], offset: Offset): TextSpan | undefined {
  const at = partitionPoint(0, spans.length, (one) => (spans[one] as TextSpan).start <= offset)
  const before = spans[at - 1]
  return before !== undefined && offset < before.end ? before : undefined
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
