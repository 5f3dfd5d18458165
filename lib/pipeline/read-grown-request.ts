/** Reads the requests of sessions that grow: what a request has in common with one before is not parsed again. */
import type { Message, ReadConversation } from '../core/conversation/conversation'
import { signedMessages } from '../core/formats/reading/conversation'
import type { JsonSpan } from '../core/text/embedded-json'
import { commonLength, type Offset, partitionPoint, type TextSpan } from '../core/text/span'
import { type ReadRequest, readRequest } from './mask-request'

/** Most characters of the requests that are kept; each takes about three times as many bytes with what was read from it. */
const MOST_CHARS = 200_000_000

interface Known {
  readonly text: string
  readonly read: ReadRequest
}

/** Returns `readRequest` with a memory of the last request of each session; what it returns is the same. */
export function createRequestReader(mostChars = MOST_CHARS) {
  // In the order of their last use.
  const known = new Set<Known>()
  let chars = 0
  const forget = (one: Known) => {
    if (known.delete(one)) chars -= one.text.length
  }
  return (text: string): ReadRequest | undefined => {
    let before: Known | undefined
    let common = 0
    for (const one of known) {
      const length = commonLength(text, one.text)
      if (length >= common) [before, common] = [one, length]
    }
    const grown = before && tryGrown(text, before.read, common)
    const read = grown ?? readRequest(text)
    if (read === undefined) return undefined
    // The one before can begin another session as well, if this one leaves much of it.
    if (before && grown && common * 2 > before.text.length) forget(before)
    known.add({ text, read })
    chars += text.length
    for (const oldest of known) {
      if (chars <= mostChars) break
      forget(oldest)
    }
    return read
  }
}

/** What is wrong in a text has its place in the whole of it. */
function tryGrown(...request: Parameters<typeof readGrown>): ReadRequest | undefined {
  try {
    return readGrown(...request)
  } catch {
    return undefined
  }
}

/**
 * Reads a text whose first `common` characters are those of a request that was read. Parses it from the last turn that
 * begins in them; undefined if what follows could change how something before is read.
 */
function readGrown(text: string, before: ReadRequest, common: number): ReadRequest | undefined {
  const { conversation: old, starts } = before
  const lead = leadOf(before)
  const message = old.messages.findLastIndex(
    ({ turn, start, end, otherSpans }, at) =>
      turn !== undefined &&
      [end, ...otherSpans.map((other) => other.end)].every((one) => one <= common) &&
      at > lead &&
      (old.messages[at - 1] as TextSpan).start < (starts[itemAt(starts, start)] as Offset),
  )
  if (message === -1) return undefined
  const item = itemAt(starts, (old.messages[message] as TextSpan).start)
  const [first, cut] = [starts[0] as Offset, starts[item] as Offset]
  const read = readRequest(text.slice(0, first) + text.slice(cut))
  if (read?.format !== before.format || leadOf(read) !== lead) return undefined
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
      (place) => place === undefined || place.start >= first,
    ) &&
    keptResults.every(({ callId, turn = -1 }) => !ids.has(callId) && turn < turns) &&
    rest.results.every(({ turn, nearest }) => turn !== undefined && nearest === undefined)
  if (!isApart) return undefined

  const later = (turn: number | undefined) => (turn === undefined ? undefined : turn + turns)
  const movedTo = (place: Offset) => (place < first ? place : place + cut - first)
  const moved = <Span extends TextSpan>(span: Span): Span => {
    return { ...span, start: movedTo(span.start), end: movedTo(span.end) }
  }
  const movedIf = (span: JsonSpan | undefined) => span && moved(span)
  const added = message - lead
  const signedAt = (signed: { readonly message: number; readonly turns: number }) => ({
    message: signed.message + added,
    turns: signed.turns + turns,
  })
  const [nextSigned] = signedMessages(rest.messages, rest.model).map(signedAt)
  const messages = rest.messages.map((one) => ({
    ...moved(one),
    turn: later(one.turn),
    contents: one.contents.map(moved),
    reasoning: one.reasoning.map(moved),
    otherSpans: one.otherSpans.map(moved),
  }))
  const calls = rest.calls.map((call) => ({
    ...call,
    message: call.message + added,
    turn: later(call.turn),
    argumentsSpan: movedIf(call.argumentsSpan),
  }))
  const pointed = (pointer: string) =>
    pointer.replace(/^(\/[^/]*\/)(\d+)/, (_, list, at) => `${list}${Number(at) + item}`)
  const results = rest.results.map(({ signed, ...result }) => ({
    ...result,
    ...(signed && { signed: signedAt(signed) }),
    message: result.message + added,
    turn: later(result.turn),
    spans: result.spans.map((span) => ({ ...moved(span), pointer: pointed(span.pointer) })),
    valueSpan: movedIf(result.valueSpan),
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
    starts: [...starts.slice(0, item), ...read.starts.map(movedTo)],
    end: movedTo(read.end),
  }
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
