import { firstKeptTurn } from '../policy/decide'
import type { MaskPolicy } from '../policy/policy'
import { partitionPoint } from '../text/partition-point'
import type { MaskableResult, PreparedReplay } from './prepare-replay'
import type { Tokens } from './units'

/** The part of a policy that says when a result is masked; a window of 0 masks nothing. */
export type MaskWindow = Pick<MaskPolicy, 'windowTurns' | 'batchTurns'>

/** The results of one request after masking; valid until the next step. */
export interface MaskedState {
  /** Results that differ from the request before, newly sent ones included, in no order. */
  readonly changed: readonly number[]
  /** By result: 0 unmasked, else the number of its placeholder. */
  readonly placeholders: Uint32Array
  /** By result: tokens that masking removes. */
  readonly savedTokens: Float64Array
  readonly sentResults: number
  readonly maskedResults: number
  readonly totalSaved: Tokens
}

/**
 * Steps through the requests of a session and masks each with what was known when it was sent.
 * All steps together take time proportional to the results and the changes of their decisions.
 */
export function walkMaskedRequests(
  prepared: PreparedReplay,
  window: MaskWindow,
): (request: number) => MaskedState {
  const { session, links, keepLastKPerTool, firstTriggered } = prepared
  const resultCount = links.length
  const current: (MaskableResult | undefined)[] = new Array(resultCount).fill(undefined)
  const placeholders = new Uint32Array(resultCount)
  const savedTokens = new Float64Array(resultCount)
  const { byRequest, byTurn } = planOf(prepared)
  const lastIds = keepLastKPerTool > 0 ? trackLastIds(links, keepLastKPerTool) : undefined
  const state = { sentResults: 0, maskedResults: 0, totalSaved: 0 }
  let firstKept = 0

  const placeholderOf = (link: MaskableResult): number => {
    const isOld = link.turn !== undefined && link.turn < firstKept
    return isOld && lastIds?.has(link.callId) !== true ? link.placeholder : 0
  }

  const update = (result: number, isNew: boolean, changed: number[]): void => {
    const link = current[result] as MaskableResult
    const value = placeholderOf(link)
    const before = placeholders[result] as number
    if (value === before && !isNew) return
    const saved = value === 0 ? 0 : link.savedTokens
    state.totalSaved += saved - (savedTokens[result] as Tokens)
    state.maskedResults += Number(value > 0) - Number(before > 0)
    placeholders[result] = value
    savedTokens[result] = saved
    changed.push(result)
  }

  return (request) => {
    const changed: number[] = []
    const touched: number[] = []
    const events = byRequest[request] ?? []
    for (const { result, link } of events) {
      const before = current[result]
      current[result] = link
      lastIds?.move(result, before?.toolName, link, touched)
      if (before === undefined) state.sentResults++
      else touched.push(result)
    }
    const isOff = window.windowTurns <= 0 || request < firstTriggered
    const turnCount = session.requests[request]?.turnCount ?? 0
    const nextKept = isOff ? 0 : firstKeptTurn(turnCount, window)
    for (; firstKept < nextKept; firstKept++) {
      for (const { result, link } of byTurn[firstKept] ?? []) {
        if (current[result] === link) touched.push(result)
      }
    }
    for (const { result, link } of events) {
      if (links[result]?.[0] === link) update(result, true, changed)
    }
    for (const result of touched) if (current[result] !== undefined) update(result, false, changed)
    return { ...state, changed, placeholders, savedTokens }
  }
}

interface LinkOfResult {
  readonly result: number
  readonly link: MaskableResult
}

interface Plan {
  /** By request: the links that hold from it on. */
  readonly byRequest: readonly LinkOfResult[][]
  /** By turn: the links to its calls that can be masked. */
  readonly byTurn: readonly LinkOfResult[][]
}

const plans = new WeakMap<PreparedReplay, Plan>()

/** Every window of a session uses the same plan, so it is computed once. */
function planOf(prepared: PreparedReplay): Plan {
  const known = plans.get(prepared)
  if (known !== undefined) return known
  const { session, links } = prepared
  const byRequest: LinkOfResult[][] = session.requests.map(() => [])
  const byTurn: LinkOfResult[][] = Array.from({ length: session.conversation.turnCount }, () => [])
  for (const [result, ofResult] of links.entries()) {
    for (const link of ofResult) {
      const entry = { result, link }
      byRequest[link.from]?.push(entry)
      if (link.turn !== undefined && link.placeholder > 0) byTurn[link.turn]?.push(entry)
    }
  }
  const plan = { byRequest, byTurn }
  plans.set(prepared, plan)
  return plan
}

/** The ids of the last K results of each tool among those sent; a result with such an id is kept. */
function trackLastIds(links: PreparedReplay['links'], k: number) {
  /** By tool: its results, ascending. */
  const byTool = new Map<string, number[]>()
  const counts = new Map<string, number>()
  const resultsOfId = new Map<string, number[]>()
  const idOf = (result: number) => links[result]?.[0]?.callId
  for (const result of links.keys()) {
    const id = idOf(result)
    if (id === undefined) continue
    const known = resultsOfId.get(id)
    if (known === undefined) resultsOfId.set(id, [result])
    else known.push(result)
  }
  const add = (result: number | undefined, amount: 1 | -1, touched: number[]): void => {
    const id = result === undefined ? undefined : idOf(result)
    if (id === undefined) return
    const before = counts.get(id) ?? 0
    counts.set(id, before + amount)
    if (before + amount === 0 || before === 0) touched.push(...(resultsOfId.get(id) ?? []))
  }
  const place = (results: readonly number[], result: number) =>
    partitionPoint(0, results.length, (at) => (results[at] as number) < result)
  return {
    has: (id: string | undefined) => id !== undefined && (counts.get(id) ?? 0) > 0,
    /** Takes a result from the tool of its former call to that of `link`. */
    move: (
      result: number,
      from: string | undefined,
      { toolName }: MaskableResult,
      touched: number[],
    ): void => {
      if (from === toolName) return
      const old = from === undefined ? undefined : byTool.get(from)
      if (old !== undefined) {
        const at = place(old, result)
        if (old.length - at <= k) {
          add(result, -1, touched)
          add(old[old.length - k - 1], 1, touched)
        }
        old.splice(at, 1)
      }
      if (toolName === undefined) return
      const results = byTool.get(toolName) ?? []
      byTool.set(toolName, results)
      const at = place(results, result)
      results.splice(at, 0, result)
      if (results.length - at <= k) {
        add(result, 1, touched)
        add(results[results.length - k - 1], -1, touched)
      }
    },
  }
}
