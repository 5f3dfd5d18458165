import { partitionPoint } from '../text/span'
import { findKeptGroups } from './last-results'
import { countResultsBefore } from './prefix-sums'
import type { Masking, PreparedReplay, ResultGroup } from './prepare-replay'
import type { SessionRequest } from './sessions'
import type { Tokens } from './units'

/**
 * When results can be masked, for all windows: a list of spans, each of one group of results and of the requests in which
 * it is masked once the window has passed its turn. A group has several spans if its call id is used again, or if it is
 * among the last results of its tool in between.
 */
export interface MaskingPlan {
  /** Sorted by turn, and the one that ends last is first; those of turn n begin at `startOfTurn[n]`. */
  readonly spans: readonly MaskedSpan[]
  readonly startOfTurn: Int32Array
  /** In windows of at least so many turns, a masked result stays masked; 1 if it does in all of them. */
  readonly fixedFrom: number
  /** By result: its group, and its position in that; -1 for a result that is never masked. */
  readonly groupOf: Int32Array
  readonly positionOf: Int32Array
  /** By request: the number of results that it sends. */
  readonly sentResults: Int32Array
  /** By bit: its result. Requests that differ in a result differ first in one of these. */
  readonly resultOfBit: Int32Array
  /** By request: the number of bits of the results that it sends. */
  readonly bitsSent: Int32Array
}

/** The group is masked in the requests from `from` on and before `until`. */
export interface MaskedSpan {
  readonly group: ResultGroup
  readonly groupIndex: number
  readonly masking: PlannedMasking
  readonly turn: number
  readonly from: number
  readonly until: number
}

export interface PlannedMasking extends Masking {
  /** By number of results: how many of the first ones are masked, and what that saves. */
  readonly maskedUpTo: readonly number[]
  readonly savedUpTo: readonly Tokens[]
  /** The bits of a request that it sets. */
  readonly bits: number[]
}

const plans = new WeakMap<PreparedReplay, MaskingPlan>()

/** Every window of a session uses the same plan, so it is computed once. */
export function maskingPlan(prepared: PreparedReplay): MaskingPlan {
  const known = plans.get(prepared)
  if (known !== undefined) return known
  const plan = computePlan(prepared)
  plans.set(prepared, plan)
  return plan
}

/** The tokens that a span saves in a request; 0 if it does not contain the request. */
export function savedAt(
  { sentResults }: MaskingPlan,
  { group, masking, from, until }: MaskedSpan,
  request: number,
): Tokens {
  if (from > request || request >= until) return 0
  const isSent = (at: number) => (group.results[at] as number) < (sentResults[request] as number)
  return masking.savedUpTo[partitionPoint(0, group.results.length, isSent)] as Tokens
}

function computePlan(prepared: PreparedReplay): MaskingPlan {
  const { conversation, requests } = prepared.session
  const resultsBefore = countResultsBefore(conversation)
  const sentResults = Int32Array.from(requests, ({ end }) => resultsBefore[end] as number)
  const spans = maskedSpans(prepared, sentResults)
  const startOfTurn = new Int32Array(conversation.turnCount + 1)
  for (const { turn } of spans) startOfTurn[turn + 1] = (startOfTurn[turn + 1] as number) + 1
  for (let turn = 1; turn < startOfTurn.length; turn++) {
    startOfTurn[turn] = (startOfTurn[turn] as number) + (startOfTurn[turn - 1] as number)
  }
  const groupOf = new Int32Array(conversation.results.length).fill(-1)
  const positionOf = new Int32Array(conversation.results.length)
  for (const { group, groupIndex } of spans) {
    for (const [position, result] of group.results.entries()) {
      groupOf[result] = groupIndex
      positionOf[result] = position
    }
  }
  const resultOfBit = assignBits(spans)
  return {
    spans,
    startOfTurn,
    fixedFrom: fixedFrom(spans, requests),
    groupOf,
    positionOf,
    sentResults,
    resultOfBit,
    bitsSent: sentResults.map((sent) =>
      partitionPoint(0, resultOfBit.length, (bit) => (resultOfBit[bit] as number) < sent),
    ),
  }
}

function maskedSpans(prepared: PreparedReplay, sentResults: Int32Array): MaskedSpan[] {
  const { session, groups, firstTriggered, keepLastKPerTool } = prepared
  const { requests } = session
  const spans: MaskedSpan[] = []
  const kept = keepLastKPerTool > 0 ? findKeptGroups(prepared, sentResults) : []
  for (const [groupIndex, group] of groups.entries()) {
    const maskings = group.maskings.map(planMasking)
    const changes = kept[groupIndex] ?? []
    let passed = 0
    for (const [at, { from, turn, masking: index }] of group.links.entries()) {
      const masking = maskings[index ?? -1]
      if (masking === undefined || turn === undefined) continue
      const end = group.links[at + 1]?.from ?? requests.length
      let until = end
      for (let start = Math.max(from, firstTriggered); start < end; start = until) {
        while ((changes[passed] ?? end) <= start) passed++
        until = Math.min(changes[passed] ?? end, end)
        // No window passes the last turn of a request.
        const { turnCount } = requests[until - 1] as SessionRequest
        if (passed % 2 === 0 && turn < turnCount - 1)
          spans.push({ group, groupIndex, masking, turn, from: start, until })
      }
    }
  }
  return spans.sort((a, b) => a.turn - b.turn || b.until - a.until)
}

/** A span masks nothing in a window that passes its turn only after it has ended. */
function fixedFrom(spans: readonly MaskedSpan[], requests: readonly SessionRequest[]): number {
  let first = 1
  for (const { turn, until } of spans) {
    if (until === requests.length) continue
    first = Math.max(first, (requests[until - 1] as SessionRequest).turnCount - turn)
  }
  return first
}

/** Undefined if nothing is masked. */
function planMasking(masking: Masking): PlannedMasking | undefined {
  const { placeholders, savedTokens } = masking
  // Lists of their final length: an engine makes room for 16 more in one that grows.
  const maskedUpTo = new Array<number>(placeholders.length + 1).fill(0)
  const savedUpTo = new Array<Tokens>(placeholders.length + 1).fill(0)
  let [masked, saved] = [0, 0]
  for (const [position, placeholder] of placeholders.entries()) {
    if (placeholder > 0) masked++
    saved += savedTokens[position] as Tokens
    maskedUpTo[position + 1] = masked
    savedUpTo[position + 1] = saved
  }
  return masked === 0 ? undefined : { ...masking, maskedUpTo, savedUpTo, bits: [] }
}

/** Gives each masking the bits by which it can be told from the others of its group; returns the results of all bits. */
function assignBits(spans: readonly MaskedSpan[]): Int32Array {
  const maskingsOf = new Map<ResultGroup, Set<PlannedMasking>>()
  for (const { group, masking } of spans) {
    const known = maskingsOf.get(group)
    if (known === undefined) maskingsOf.set(group, new Set([masking]))
    else known.add(masking)
  }
  const bits: { readonly result: number; readonly maskings: readonly PlannedMasking[] }[] = []
  for (const [{ results }, maskings] of maskingsOf) {
    /** Sets of maskings that are equal so far; `undefined` masks nothing. */
    let equal: (readonly (PlannedMasking | undefined)[])[] = [[undefined, ...maskings]]
    for (let position = 0; equal.length > 0 && position < results.length; position++) {
      equal = equal.flatMap((own) => {
        const byPlaceholder = new Map<number, (PlannedMasking | undefined)[]>()
        for (const masking of own) {
          const placeholder = masking?.placeholders[position] ?? 0
          const others = byPlaceholder.get(placeholder)
          if (others === undefined) byPlaceholder.set(placeholder, [masking])
          else others.push(masking)
        }
        const parts = [...byPlaceholder]
        if (parts.length === 1) return [own]
        for (const [placeholder, part] of parts) {
          if (placeholder > 0)
            bits.push({ result: results[position] as number, maskings: part as PlannedMasking[] })
        }
        return parts.map(([, part]) => part).filter(({ length }) => length > 1)
      })
    }
  }
  bits.sort((a, b) => a.result - b.result)
  for (const [bit, { maskings }] of bits.entries()) {
    for (const masking of maskings) masking.bits.push(bit)
  }
  return Int32Array.from(bits, ({ result }) => result)
}
