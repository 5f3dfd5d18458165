/**
 * Which later uses a policy loses. A use is lost when every result that had its term is masked in the request of its
 * answer, and no placeholder of that request contains the term. The window and the batch only determine when a result is
 * masked, so each use is examined once for all windows.
 */
import { addToGroup } from '../conversation/add-to-group'
import type { ToolResult } from '../conversation/conversation'
import { firstKeptTurn } from '../policy/decide'
import { renderPlaceholder } from '../policy/placeholder'
import type { Masking, MaskWindow, PreparedReplay } from '../replay/prepare-replay'
import type { SessionRequest } from '../replay/sessions'
import type { LaterUse } from './find-later-uses'
import { createTermIndex } from './term-index'

/** A use that some window loses. */
export interface LosableUse {
  /** Index of the use. */
  readonly use: number
  /** The newest result that had the term: the one to fetch again. */
  readonly result: number
  readonly request: number
  /** Tool turns in the request. */
  readonly turnCount: number
  /** It is lost once the window has passed this turn, */
  readonly lostAfter: number
  /** and not once it has passed this one, whose result gets a placeholder that contains the term. */
  readonly backAfter: number
}

export interface PlaceholderFacts {
  readonly template: string
  /** By result: our count of its tokens, as `{original_tokens}` gives it. */
  readonly resultTokens: readonly number[]
}

const NEVER = Number.POSITIVE_INFINITY

/** The uses that some window loses under the rest of a policy, in the order of `uses`. */
export function losableUses(
  uses: readonly LaterUse[],
  prepared: PreparedReplay,
  placeholders: PlaceholderFacts,
): LosableUse[] {
  const maskedAfter = maskedAfterOf(prepared)
  const repeating = resultsRepeating(uses, prepared, placeholders)
  return uses.flatMap(({ term, result, holders, request }, use) => {
    if (request < prepared.firstTriggered) return []
    const lostAfter = Math.max(...holders.map((holder) => maskedAfter(holder, request)))
    const turns = (repeating.get(term) ?? []).map((other) => maskedAfter(other, request))
    const backAfter = Math.min(NEVER, ...turns)
    if (lostAfter === NEVER || backAfter <= lostAfter) return []
    const { turnCount } = prepared.session.requests[request] as SessionRequest
    return [{ use, result, request, turnCount, lostAfter, backAfter }]
  })
}

/** A function that gives the turn after which a result is masked in a request; infinite if no window masks it. */
function maskedAfterOf({ maskings }: PreparedReplay) {
  const maskingsOf = new Map<number, Masking[]>()
  for (const masking of maskings) addToGroup(maskingsOf, masking.result, masking)
  return (result: number, request: number): number =>
    maskingsOf.get(result)?.find(({ from, until }) => from <= request && request < until)?.turn ??
    NEVER
}

/** By term: the results whose placeholder contains it. */
function resultsRepeating(
  uses: readonly LaterUse[],
  prepared: PreparedReplay,
  { template, resultTokens }: PlaceholderFacts,
): ReadonlyMap<string, readonly number[]> {
  const index = createTermIndex()
  for (const { term } of uses) index.add(term)
  const repeating = new Map<string, number[]>()
  for (const result of prepared.maskableResults.toSorted((a, b) => a - b)) {
    const facts = prepared.results[result] as ToolResult
    index.scan(renderPlaceholder(template, facts, resultTokens[result]), (at) => {
      const term = index.terms[at] as string
      const known = repeating.get(term)
      if (known === undefined) repeating.set(term, [result])
      else if (known.at(-1) !== result) known.push(result)
    })
  }
  return repeating
}

/** The uses that are lost under a window. */
export function lostUsesAt(losable: readonly LosableUse[], window: MaskWindow): LosableUse[] {
  return losable.filter((use) => isLostAt(use, window))
}

export function isLostAt(
  { turnCount, lostAfter, backAfter }: LosableUse,
  window: MaskWindow,
): boolean {
  if (window.windowTurns <= 0) return false
  const firstKept = firstKeptTurn(turnCount, window)
  return firstKept > lostAfter && firstKept <= backAfter
}

/** Lost uses, and the results they were read from, of one batch; by window from 1 on. */
export interface LossCurve {
  readonly uses: Int32Array
  readonly results: Int32Array
}

/** Counts what each window loses, in one pass over the uses. */
export function lossCurve(
  losable: readonly LosableUse[],
  batchTurns: number,
  windows: number,
): LossCurve {
  const batch = Math.max(1, batchTurns)
  const changes = new Int32Array(windows + 2)
  const runsOf = new Map<number, [first: number, last: number][]>()
  /** The longest window that has passed a turn; below 1 if none has. */
  const longestPast = (turn: number, turnCount: number) =>
    Math.min(windows, turnCount - batch * (Math.floor(turn / batch) + 1))
  for (const { result, turnCount, lostAfter, backAfter } of losable) {
    const last = longestPast(lostAfter, turnCount)
    const first = Number.isFinite(backAfter)
      ? Math.max(1, longestPast(backAfter, turnCount) + 1)
      : 1
    if (last < first) continue
    add(changes, first, last)
    addToGroup(runsOf, result, [first, last])
  }
  const ofResults = new Int32Array(windows + 2)
  for (const runs of runsOf.values()) {
    let end = 0
    for (const [first, last] of runs.sort(([one], [other]) => one - other)) {
      if (last <= end) continue
      add(ofResults, Math.max(first, end + 1), last)
      end = last
    }
  }
  return { uses: totalsOf(changes, windows), results: totalsOf(ofResults, windows) }
}

function add(changes: Int32Array, first: number, last: number): void {
  changes[first] = (changes[first] as number) + 1
  changes[last + 1] = (changes[last + 1] as number) - 1
}

function totalsOf(changes: Int32Array, windows: number): Int32Array {
  let total = 0
  return Int32Array.from({ length: windows }, (_, index) => {
    total += changes[index + 1] as number
    return total
  })
}

/** The number of uses by distance in turns; the item 0 is 0, since an answer follows its results by a turn at least. */
export function usesByDistance(uses: readonly Pick<LaterUse, 'distance'>[]): number[] {
  const counts: number[] = []
  for (const { distance } of uses) counts[distance] = (counts[distance] ?? 0) + 1
  return Array.from(counts, (count) => count ?? 0)
}

/** The distance within which a share of the uses lie: a window of as many turns keeps them. 0 without uses. */
export function distanceOfShare(
  uses: readonly Pick<LaterUse, 'distance'>[],
  share: number,
): number {
  const distances = uses.map(({ distance }) => distance).sort((one, other) => one - other)
  return distances[Math.ceil(share * distances.length) - 1] ?? 0
}
