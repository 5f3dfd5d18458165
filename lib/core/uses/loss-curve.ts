import type { LaterUse } from './find-later-uses'
import type { LosableUse } from './lost-uses'

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
    const runs = runsOf.get(result)
    if (runs === undefined) runsOf.set(result, [[first, last]])
    else runs.push([first, last])
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
