import type { ToolResult } from '../conversation/conversation'
import { firstKeptTurn } from '../policy/decide'
import type { MaskPolicy } from '../policy/policy'
import { partitionPoint } from '../text/span'
import type { Masking, PreparedReplay, ResultGroup } from './prepare-replay'
import type { SessionRequest } from './sessions'
import type { Tokens } from './units'

/** The part of a policy that says when a result is masked; a window of 0 masks nothing. */
export type MaskWindow = Pick<MaskPolicy, 'windowTurns' | 'batchTurns'>

/** A window that masks nothing. */
export const NO_WINDOW: MaskWindow = { windowTurns: 0, batchTurns: 1 }

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
  /** By number of results: what the first ones save. */
  readonly savedUpTo: readonly Tokens[]
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

/** The results that the last request masks under a window, ascending. */
export function maskedAtLast(prepared: PreparedReplay, window: MaskWindow): number[] {
  const { requests } = prepared.session
  const { spans, sentResults } = maskingPlan(prepared)
  const last = requests.at(-1)
  if (window.windowTurns <= 0 || last === undefined) return []
  const firstKept = firstKeptTurn(last.turnCount, window)
  return spans
    .filter(({ turn, until }) => turn < firstKept && until === requests.length)
    .flatMap(({ group, masking }) =>
      group.results.filter(
        (result, at) =>
          result < (sentResults.at(-1) as number) && (masking.placeholders[at] as number) > 0,
      ),
    )
    .sort((one, other) => one - other)
}

function computePlan(prepared: PreparedReplay): MaskingPlan {
  const { conversation, requests } = prepared.session
  const { results } = conversation
  const sentResults = Int32Array.from(requests, ({ end }) =>
    partitionPoint(0, results.length, (index) => (results[index] as ToolResult).message < end),
  )
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
  return {
    spans,
    startOfTurn,
    fixedFrom: fixedFrom(spans, requests),
    groupOf,
    positionOf,
    sentResults,
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
  // A list of its final length: an engine makes room for 16 more in one that grows.
  const savedUpTo = new Array<Tokens>(placeholders.length + 1).fill(0)
  let saved = 0
  for (const [position, tokens] of savedTokens.entries()) {
    saved += tokens
    savedUpTo[position + 1] = saved
  }
  return placeholders.some((number) => number > 0) ? { ...masking, savedUpTo } : undefined
}

/**
 * By group: the requests from which on it is kept, or no longer kept, in turns, because one of its results is among the
 * last ones of its tool.
 */
function findKeptGroups(
  { session, groups, keepLastKPerTool: k }: PreparedReplay,
  sentResults: Int32Array,
): (readonly number[])[] {
  const changes: number[][] = groups.map(() => [])
  const groupOf = new Int32Array(session.conversation.results.length).fill(-1)
  /** By request: the groups whose results then get another call, and that call's tool. */
  const relinked: (readonly [group: number, toolName: string])[][] = session.requests.map(() => [])
  for (const [group, { results, links }] of groups.entries()) {
    for (const result of results) groupOf[result] = group
    for (const { from, toolName } of links) {
      // Once a group has a tool, its later calls have one too.
      if (toolName !== undefined) relinked[from]?.push([group, toolName])
    }
  }
  const toolOf: (string | undefined)[] = groups.map(() => undefined)
  /** By tool: the groups of its results, in the order of the results. */
  const groupsOf = new Map<string, number[]>()
  /** By group: how many of its results are last ones. */
  const lastOnes = new Int32Array(groups.length)
  let touched = new Set<number>()
  const count = (group: number | undefined, amount: 1 | -1): void => {
    if (group === undefined) return
    lastOnes[group] = (lastOnes[group] as number) + amount
    touched.add(group)
  }
  let next = 0
  for (const [request, links] of relinked.entries()) {
    // A tool that gets results from before its last ones is counted anew, and with it all others.
    const isMoved = links.some(
      ([group, toolName]) =>
        toolOf[group] !== toolName && (groups[group]?.results[0] as number) < next,
    )
    for (const [group, toolName] of links) toolOf[group] = toolName
    if (isMoved) {
      next = 0
      groupsOf.clear()
      lastOnes.fill(0)
      touched = new Set(groups.keys())
    }
    for (; next < (sentResults[request] as number); next++) {
      const group = groupOf[next] as number
      const toolName = toolOf[group]
      if (toolName === undefined) continue
      const list = groupsOf.get(toolName) ?? []
      groupsOf.set(toolName, list)
      list.push(group)
      count(group, 1)
      count(list[list.length - k - 1], -1)
    }
    for (const group of touched) {
      const own = changes[group] as number[]
      const isKept = (lastOnes[group] as number) > 0
      if (isKept !== (own.length % 2 === 1)) own.push(request)
    }
    touched.clear()
  }
  return changes
}
