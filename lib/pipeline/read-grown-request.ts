/** Reads the requests of sessions that grow: what a request has in common with one before is not parsed again. */
import type { Message, ReadConversation } from '../core/conversation/conversation'
import { signedMessages } from '../core/formats/reading/conversation'
import { decodeAnyUtf8 } from '../core/text/decode-utf8'
import { type Offset, partitionPoint, type TextSpan } from '../core/text/span'
import { type ReadRequest, readRequest } from './mask-request'

/** Most bytes of the requests that are kept. What was read from one takes about twice as much besides. */
const MOST_BYTES = 300_000_000
/** Each request is compared with all that are kept, so that short ones count as many. */
const LEAST_BYTES = MOST_BYTES / 1000
/** Memory of a request that is kept, as a share of its length: the next one is written over it. */
const ROOM = 1.25

interface Known {
  /** The request, and room for what is added. */
  readonly memory: Buffer
  readonly length: number
  readonly read: ReadRequest
}

/**
 * Returns `readBytes` with a memory of the last request of each session; what it returns is the same, but that the body is
 * without the items that were read before.
 */
export function createRequestReader(mostBytes = MOST_BYTES) {
  // In the order of their last use.
  const known = new Set<Known>()
  let held = 0
  const sizeOf = ({ memory }: Known) => Math.max(memory.length, LEAST_BYTES)
  const forget = (one: Known) => {
    if (known.delete(one)) held -= sizeOf(one)
  }
  return (body: Uint8Array): ReadRequest | undefined => {
    const bytes = Buffer.from(body.buffer, body.byteOffset, body.length)
    const { before, common } = nearestOf(known, bytes)
    const read = (before && tryGrown(bytes, before.read, common)) ?? readBytes(bytes)
    if (read === undefined) return undefined
    // The one before can begin another session as well, if this one leaves much of it.
    const isNext = before !== undefined && common * 2 > before.length
    if (isNext) forget(before)
    const isRoom = isNext && before.memory.length >= bytes.length
    const memory = isRoom ? before.memory : Buffer.allocUnsafeSlow(bytes.length * ROOM)
    const same = isRoom ? common : 0
    memory.set(bytes.subarray(same), same)
    const now = { memory, length: bytes.length, read }
    known.add(now)
    held += sizeOf(now)
    for (const oldest of known) {
      if (held <= mostBytes) break
      forget(oldest)
    }
    return read
  }
}

/** The request that has the most bytes in common with another at its start, the last used one of several. */
function nearestOf(known: ReadonlySet<Known>, bytes: Buffer) {
  let before: Known | undefined
  let common = 0
  for (const one of [...known].reverse()) {
    const other = one.memory.subarray(0, one.length)
    const isSame = (start: Offset, end: Offset) =>
      bytes.subarray(start, end).equals(other.subarray(start, end))
    // Most that have no more in common differ there.
    if (before && !isSame(Math.max(0, common - COMPARED_FIRST), common + 1)) continue
    const most = Math.min(bytes.length, other.length)
    let at = 0
    while (at + COMPARED_AT_ONCE <= most && isSame(at, at + COMPARED_AT_ONCE))
      at += COMPARED_AT_ONCE
    while (at < most && bytes[at] === other[at]) at++
    if (at > common) [before, common] = [one, at]
  }
  return { before, common }
}

const COMPARED_FIRST = 64
const COMPARED_AT_ONCE = 4096

/** Reads a body in UTF-8 as `readRequest` does its text. All places are in bytes. */
export function readBytes(...pieces: readonly Uint8Array[]): ReadRequest | undefined {
  const text = pieces.map(decodeAnyUtf8).join('')
  const read = readRequest(text)
  // In ASCII, each character is a byte.
  if (read === undefined || pieces.reduce((sum, { length }) => sum + length, 0) === text.length)
    return read
  const places = new Set<Offset>()
  withPlaces(read, (place) => {
    places.add(place)
    return place
  })
  const inBytes = new Map<Offset, Offset>()
  let [done, bytes] = [0, 0]
  for (const place of [...places].sort((a, b) => a - b)) {
    bytes += Buffer.byteLength(text.slice(done, place))
    done = place
    inBytes.set(place, bytes)
  }
  return withPlaces(read, (place) => inBytes.get(place) as Offset)
}

/** What is wrong in a text has its place in the whole of it. */
function tryGrown(...request: Parameters<typeof readGrown>): ReadRequest | undefined {
  try {
    return readGrown(...request)
  } catch {
    return undefined
  }
}

/** Where a request is read from: the message and the item before which all is known, and the place where that item starts. */
interface Cut {
  readonly message: number
  readonly item: number
  readonly cut: Offset
}

/**
 * Reads a body whose first `common` bytes are those of a request that was read. Parses what is new, or else it and the last
 * turn that begins in them; undefined if what follows could change how something before is read.
 */
function readGrown(bytes: Buffer, before: ReadRequest, common: number): ReadRequest | undefined {
  const lead = leadOf(before)
  const added = addedTo(bytes, before, common)
  const read = added && readFrom(bytes, before, lead, added)
  if (read !== undefined) return read
  const last = lastTurnOf(before, lead, common)
  return last && readFrom(bytes, before, lead, last)
}

/** The first item that is added to a list whose last message is not the model's. */
function addedTo(bytes: Buffer, before: ReadRequest, common: number): Cut | undefined {
  const { conversation, starts, end } = before
  const { messages } = conversation
  // In place of the end of the list.
  const isAdded = common === end - 1 && bytes[common] === COMMA
  if (!isAdded || messages.at(-1)?.isAssistant !== false) return undefined
  return { message: messages.length, item: starts.length, cut: common + 1 }
}

const COMMA = 44

function lastTurnOf(before: ReadRequest, lead: number, common: number): Cut | undefined {
  const { conversation, starts } = before
  const { messages } = conversation
  const message = messages.findLastIndex(
    ({ turn, start, end, otherSpans }, at) =>
      turn !== undefined &&
      [end, ...otherSpans.map((other) => other.end)].every((one) => one <= common) &&
      at > lead &&
      (messages[at - 1] as TextSpan).start < (starts[itemAt(starts, start)] as Offset),
  )
  if (message === -1) return undefined
  const item = itemAt(starts, (messages[message] as TextSpan).start)
  return { message, item, cut: starts[item] as Offset }
}

function readFrom(
  bytes: Buffer,
  before: ReadRequest,
  lead: number,
  { message, item, cut }: Cut,
): ReadRequest | undefined {
  const { conversation: old, starts } = before
  const first = starts[0] as Offset
  const apart = readBytes(bytes.subarray(0, first), bytes.subarray(cut))
  if (apart?.format !== before.format || leadOf(apart) !== lead) return undefined
  const read = withPlaces(apart, (place) => (place < first ? place : place + cut - first))
  const { conversation: rest } = read
  const kept = old.messages.slice(lead, message)
  const keptCalls = old.calls.filter((call) => call.message < message)
  const keptResults = old.results.filter((result) => result.message < message)
  const turns = kept.filter(({ turn }) => turn !== undefined).length
  const ids = new Set<unknown>(rest.calls.map(({ id }) => id))
  const isApart =
    rest.model === old.model &&
    kept.some(({ role }) => role === 'user') &&
    [...keptCalls, ...rest.calls].every(({ id }) => id !== undefined) &&
    keptCalls.every(({ id }) => !ids.has(id)) &&
    // What is nowhere has the place of the whole body.
    [...kept.flatMap(placesOf), ...keptCalls.map(({ argumentsSpan }) => argumentsSpan)].every(
      (place) => place === undefined || (place.start >= first && place.end <= cut),
    ) &&
    keptResults.every(({ callId, turn = -1 }) => !ids.has(callId) && turn < turns) &&
    rest.results.every(({ turn, nearest }) => turn !== undefined && nearest === undefined)
  if (!isApart) return undefined

  const later = (turn: number | undefined) => (turn === undefined ? undefined : turn + turns)
  const added = message - lead
  const signedAt = (signed: { readonly message: number; readonly turns: number }) => ({
    message: signed.message + added,
    turns: signed.turns + turns,
  })
  const [nextSigned] = signedMessages(rest.messages, rest.model).map(signedAt)
  const messages = rest.messages.map((one) => ({ ...one, turn: later(one.turn) }))
  const calls = rest.calls.map((call) => ({
    ...call,
    message: call.message + added,
    turn: later(call.turn),
  }))
  const pointed = (pointer: string) =>
    pointer.replace(/^(\/[^/]*\/)(\d+)/, (_, list, at) => `${list}${Number(at) + item}`)
  const results = rest.results.map(({ signed, ...result }) => ({
    ...result,
    ...(signed && { signed: signedAt(signed) }),
    message: result.message + added,
    turn: later(result.turn),
    spans: result.spans.map((span) => ({ ...span, pointer: pointed(span.pointer) })),
  }))
  const bound = keptResults.map(({ signed, ...result }) => {
    const next = signed !== undefined && signed.message < message ? signed : nextSigned
    return { ...result, ...(next && { signed: next }) }
  })
  const conversation: ReadConversation = {
    ...rest,
    opening: old.opening,
    messages: [...messages.slice(0, lead), ...kept, ...messages.slice(lead)],
    calls: [...keptCalls, ...calls],
    results: [...bound, ...results],
    turnCount: turns + rest.turnCount,
    messageTexts: [
      ...rest.messageTexts.slice(0, lead),
      ...old.messageTexts.slice(lead, message),
      ...rest.messageTexts.slice(lead),
    ],
    callArguments: [...old.callArguments.slice(0, keptCalls.length), ...rest.callArguments],
    resultTexts: [...old.resultTexts.slice(0, keptResults.length), ...rest.resultTexts],
  }
  return {
    ...read,
    conversation,
    starts: [...starts.slice(0, item), ...read.starts],
  }
}

/** A request with other places. */
function withPlaces(read: ReadRequest, placed: (place: Offset) => Offset): ReadRequest {
  const moved = <Value>(value: Value): Value => {
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return value.map(moved) as Value
    const { start, end } = value as Partial<TextSpan>
    const isSpan = start !== undefined && end !== undefined
    const members = Object.entries(value).map(([name, member]) => [name, moved(member)])
    const span = isSpan && { start: placed(start), end: placed(end) }
    return { ...Object.fromEntries(members), ...span }
  }
  const { messages, calls, results } = read.conversation
  const conversation = { ...read.conversation, ...moved({ messages, calls, results }) }
  return { ...read, conversation, starts: read.starts.map(placed), end: placed(read.end) }
}

const placesOf = ({ contents, reasoning }: Message) => [...contents, ...reasoning]

/** The item of the list in which a place is. */
function itemAt(starts: readonly Offset[], place: Offset): number {
  return partitionPoint(0, starts.length, (at) => (starts[at] as Offset) <= place) - 1
}

/** How many messages come before those of the list: the system prompt of another member. */
function leadOf({ conversation, starts, end }: ReadRequest): number {
  const { messages } = conversation
  const first = starts[0] ?? end
  const lead = messages.findIndex(({ start }) => start >= first && start < end)
  return lead === -1 ? messages.length : lead
}
