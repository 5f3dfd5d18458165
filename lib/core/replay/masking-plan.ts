import { countResultsBefore } from './prefix-sums'
import type { MaskableResult, PreparedReplay } from './prepare-replay'
import type { SessionRequest } from './sessions'
import type { Tokens } from './units'
import { walkMaskedRequests } from './walk-masked-requests'

/**
 * When results can be masked, for all windows: a list of spans, each of one result and of the requests in which it is
 * masked once the window has passed its turn. A result has several spans if its call id is used again, or if it is
 * among the last results of its tool in between.
 */
export interface MaskingPlan {
  /** Spans are sorted by turn, and the one that ends last is first; those of turn n begin at `startOfTurn[n]`. */
  readonly startOfTurn: Int32Array
  /** By span. It ends before the request `until`. */
  readonly result: Int32Array
  readonly from: Int32Array
  readonly until: Int32Array
  readonly savedTokens: Float64Array
  /** By span: one bit for each placeholder of a result, ascending by result. */
  readonly bit: Int32Array
  /** By bit: its result. */
  readonly resultOfBit: Int32Array
  /** By request: the number of bits of the results that it sends. */
  readonly bitsSent: Int32Array
}

interface MaskableSpan {
  readonly result: number
  readonly from: number
  until: number
  readonly turn: number
  readonly savedTokens: Tokens
  readonly placeholder: number
}

/** A window that has passed every turn of a request. */
const NO_TURNS = { windowTurns: Number.MIN_VALUE, batchTurns: 1 }

export function maskingPlan(prepared: PreparedReplay): MaskingPlan {
  const { session, links } = prepared
  const spans = maskableSpans(prepared).sort((a, b) => a.turn - b.turn || b.until - a.until)
  const startOfTurn = new Int32Array(session.conversation.turnCount + 1)
  for (const { turn } of spans) startOfTurn[turn + 1] = (startOfTurn[turn + 1] as number) + 1
  for (let turn = 1; turn < startOfTurn.length; turn++) {
    startOfTurn[turn] = (startOfTurn[turn] as number) + (startOfTurn[turn - 1] as number)
  }
  const placeholdersOf: number[][] = links.map(() => [])
  for (const { result, placeholder } of spans) {
    const known = placeholdersOf[result] as number[]
    if (!known.includes(placeholder)) known.push(placeholder)
  }
  const firstBit = new Int32Array(links.length + 1)
  for (const [result, { length }] of placeholdersOf.entries()) {
    firstBit[result + 1] = (firstBit[result] as number) + length
  }
  const resultsBefore = countResultsBefore(session.conversation)
  return {
    startOfTurn,
    result: Int32Array.from(spans, ({ result }) => result),
    from: Int32Array.from(spans, ({ from }) => from),
    until: Int32Array.from(spans, ({ until }) => until),
    savedTokens: Float64Array.from(spans, ({ savedTokens }) => savedTokens),
    bit: Int32Array.from(
      spans,
      ({ result, placeholder }) =>
        (firstBit[result] as number) + (placeholdersOf[result]?.indexOf(placeholder) as number),
    ),
    resultOfBit: Int32Array.from(placeholdersOf.flatMap((own, result) => own.map(() => result))),
    bitsSent: Int32Array.from(
      session.requests,
      ({ end }) => firstBit[resultsBefore[end] as number] as number,
    ),
  }
}

function maskableSpans(prepared: PreparedReplay): MaskableSpan[] {
  const { session, links } = prepared
  const linksFrom: (readonly [result: number, link: MaskableResult])[][] = session.requests.map(
    () => [],
  )
  for (const [result, ofResult] of links.entries()) {
    for (const link of ofResult) linksFrom[link.from]?.push([result, link])
  }
  const linkOf: (MaskableResult | undefined)[] = links.map(() => undefined)
  const spanOf: (MaskableSpan | undefined)[] = links.map(() => undefined)
  const spans: MaskableSpan[] = []
  const end = (result: number, request: number): void => {
    const span = spanOf[result]
    spanOf[result] = undefined
    if (span === undefined) return
    span.until = request
    // No window passes the last turn of a request.
    const { turnCount } = session.requests[request - 1] as SessionRequest
    if (span.turn < turnCount - 1) spans.push(span)
  }
  const step = walkMaskedRequests(prepared, NO_TURNS)
  for (const [request, relinked] of linksFrom.entries()) {
    const { changed, placeholders } = step(request)
    const results = new Set(changed)
    for (const [result, link] of relinked) {
      linkOf[result] = link
      results.add(result)
    }
    for (const result of results) {
      end(result, request)
      const { turn, savedTokens } = linkOf[result] as MaskableResult
      const placeholder = placeholders[result] as number
      if (placeholder === 0 || turn === undefined) continue
      spanOf[result] = { result, from: request, until: 0, turn, savedTokens, placeholder }
    }
  }
  for (const result of links.keys()) end(result, session.requests.length)
  return spans
}
