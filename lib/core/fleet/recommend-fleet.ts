/**
 * Recommends one window and batch for many sessions, and says what it does to each. Two passes over the sessions: the
 * first adds them up, the second applies the setting to each. A session that is given twice counts once.
 */
import { createRandom } from '../replay/misses/cost-band'
import type { MaskWindow } from '../replay/prepare-replay'
import type { Usd } from '../replay/prompt-cache'
import { type AdviceSettings, recommend, sessionCost } from '../replay/recommend'
import { costsOfBands, createFleetTotal, isPriced } from './fleet-total'
import { FLEET_BATCHES, FLEET_WINDOWS } from './grid'
import type { SessionSource, SessionSums } from './session-line'

/** The sum of all sessions and the setting for it. */
export type FleetSum = Readonly<ReturnType<ReturnType<typeof createFleetSum>['result']>>

/** The costs of a session with caching, answers included; `worst` with everything lost fetched again. */
export interface SessionCosts extends SessionSource {
  readonly before: Usd
  readonly after: Usd
  readonly worst: Usd
}

export type FleetComparison = Readonly<ReturnType<typeof compareSessions>>

/** The first pass. */
function createFleetSum(settings: AdviceSettings) {
  const total = createFleetTotal()
  const ids = new Set<string>()
  const own: (readonly [id: string, cost: Usd])[] = []
  return {
    add(session: SessionSums): void {
      if (ids.has(session.id)) return
      ids.add(session.id)
      if (!isPriced(session)) return
      total.add(session)
      own.push([session.id, cheapest(session, settings)])
    },
    result() {
      const swept = total.sweep()
      const { requests, uses: laterUses } = total.sum
      // Sums of dollars depend on their order.
      const ownWorstCost = own.sort(byId).reduce((sum, [, cost]) => sum + cost, 0)
      const before = sessionCost(swept.before)
      return {
        sessions: own.length,
        /** Sessions with an unknown price; they are in no sum. */
        unpriced: ids.size - own.length,
        requests,
        laterUses,
        swept,
        recommendation: recommend(swept, laterUses, settings),
        /** The cost if each session had its own cheapest setting, with everything lost fetched again. */
        ownWorstCost,
        /** The share that this saves; undefined if nothing costs anything. */
        savedByOwn: before ? (before - ownWorstCost) / before : undefined,
      }
    },
  }
}

function byId([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : 1
}

function cheapest(session: SessionSums, { smallestWindow }: AdviceSettings): Usd {
  const one = createFleetTotal()
  one.add(session)
  const { before, windows, rows } = one.sweep()
  let least = sessionCost(before) as Usd
  for (const { cached, output, refetchCached } of rows) {
    for (const [at, cost] of cached.entries()) {
      if ((windows[at] as number) < smallestWindow) continue
      least = Math.min(least, cost + (output[at] as Usd) + (refetchCached[at] as Usd))
    }
  }
  return least
}

/** The second pass: what a window and batch of the grid do to each session. */
function createFleetComparison({ windowTurns, batchTurns }: MaskWindow) {
  const point = {
    batch: (FLEET_BATCHES as readonly unknown[]).indexOf(batchTurns),
    window: FLEET_WINDOWS.indexOf(windowTurns),
  }
  const costs = new Map<string, SessionCosts>()
  return {
    add(session: SessionSums): void {
      const { id, file, conversation } = session
      const known = costs.get(id)
      if (known !== undefined) {
        // Copies of a file in several places are one session; which name is printed must not depend on the order.
        if (file < known.file) costs.set(id, { ...known, file })
        return
      }
      if (!isPriced(session)) return
      const { before, after, again } = costsOfBands(session.bands)(point)
      const cost = sessionCost({ costs: after }) as Usd
      costs.set(id, {
        id,
        file,
        conversation,
        before: sessionCost({ costs: before }) as Usd,
        after: cost,
        worst: cost + (again.cached as Usd),
      })
    },
    result: () => compareSessions([...costs].sort(byId).map(([, one]) => one)),
  }
}

/** What a setting does to sessions whose costs under it are known. */
export function compareSessions(sessions: readonly SessionCosts[]) {
  const column = (of: (one: SessionCosts) => Usd) => Float64Array.from(sessions, of)
  const [savedShare, savedAtWorst] = resampledShare(
    column(({ before }) => before),
    column(({ before, after }) => before - after),
    column(({ before, worst }) => before - worst),
  ) as [Interval, Interval]
  const growth = ({ before, worst }: SessionCosts) => worst / before - 1
  const worst = sessions.reduce<SessionCosts | undefined>(
    (found, one) => (growth(one) > (found === undefined ? 0 : growth(found)) ? one : found),
    undefined,
  )
  return {
    sessions,
    /** Sessions that cost more than without masking: if nothing is fetched again, and if everything lost is. */
    costlier: sessions.filter(({ before, after }) => after > before).length,
    costlierAtWorst: sessions.filter(({ before, worst: most }) => most > before).length,
    /** The session whose cost grows by the largest share at worst; undefined if none grows. */
    worst,
    /** Intervals of the saved share of all costs. */
    savedShare,
    savedAtWorst,
  }
}

/** Both passes over the sessions, which `sessions` gives anew each time; no comparison if masking is not recommended. */
export async function recommendFleet(
  sessions: () => AsyncIterable<SessionSums> | Iterable<SessionSums>,
  settings: AdviceSettings,
) {
  const first = createFleetSum(settings)
  for await (const session of sessions()) first.add(session)
  const sum = first.result()
  if (sum.recommendation.state !== 'mask') return { sum, comparison: undefined }
  const second = createFleetComparison(sum.recommendation.point)
  for await (const session of sessions()) second.add(session)
  return { sum, comparison: second.result() }
}

/** An interval for a share of many sessions: how it varies if other sessions of the same kind had been measured. */

export const RESAMPLES = 1000
export const RESAMPLE_SEED = 1
/** The share of the resamples that the interval contains. */
export const CONFIDENCE = 0.95

export type Interval = readonly [low: number, high: number]

/**
 * Draws as many sessions as there are, with repetition, `RESAMPLES` times, and returns the interval of
 * sum(saved) / sum(before). The generator has a fixed seed, so equal sessions in equal order have equal intervals.
 */
export function resampledShare(
  before: Float64Array,
  ...saved: readonly Float64Array[]
): Interval[] {
  const random = createRandom(RESAMPLE_SEED)
  const { length } = before
  const shares = saved.map(() => new Float64Array(RESAMPLES))
  const sums = new Float64Array(saved.length)
  for (let sample = 0; sample < RESAMPLES; sample++) {
    let all = 0
    sums.fill(0)
    for (let draw = 0; draw < length; draw++) {
      const one = Math.floor(random() * length)
      all += before[one] as number
      for (const [at, values] of saved.entries())
        sums[at] = (sums[at] as number) + (values[one] as number)
    }
    for (const [at, share] of shares.entries())
      share[sample] = all === 0 ? 0 : (sums[at] as number) / all
  }
  const outside = Math.floor((RESAMPLES * (1 - CONFIDENCE)) / 2)
  return shares.map((share) => {
    share.sort()
    return [share[outside] as number, share[RESAMPLES - 1 - outside] as number]
  })
}
