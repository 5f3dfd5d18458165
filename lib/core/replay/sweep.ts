import type { MaskPolicy } from '../policy/policy'
import { resultOf, type Steps } from '../steps'
import type { ReplaySources } from './decide-request'
import type { MaskWindow, PreparedReplay } from './prepare-replay'
import { NO_WINDOW, prepareReplay, sentResults } from './prepare-replay'
import { priceTiers } from './price-sheet'
import type { Usd } from './prompt-cache'
import { type ReplaySide, sumSides, totalSide, windowSums } from './replay'
import type { CostTerms } from './request-terms'
import type { Session } from './sessions'
import {
  ascendingBatches,
  itemOf,
  leastPast,
  type SweepGrid,
  sweepGrid,
  turnsOf,
  windowsBelow,
  windowsOf,
} from './sweep-grid'

/** The total of a session under one window and batch. */
export interface SweepPoint extends MaskWindow {
  readonly total: Pick<ReplaySide, 'tokens' | 'costs'>
}

/** The later uses that a window loses, and what it costs to fetch their results again, beside the total. */
export interface PointLoss {
  readonly uses: number
  readonly results: number
  readonly plain: Usd | undefined
  readonly cached: Usd | undefined
}

/** What a row has of each window: the total and the loss; a cost that is unknown is NaN. */
const COLUMNS = [
  'tokens',
  'plain',
  'cached',
  'output',
  'uses',
  'results',
  'refetchPlain',
  'refetchCached',
] as const

type PointValues = Readonly<Record<(typeof COLUMNS)[number], number>>

/** The values of one batch, by item of `Sweep.windows`. Windows that mask nothing are left out. */
export type SweepRow = Readonly<Record<keyof PointValues, Float64Array>>

export interface Sweep {
  /** Results that some request sends, and how many of them the policy masks once they are old enough. */
  readonly sentResults: number
  readonly maskableResults: number
  /** Both ascending, without duplicates. */
  readonly batches: readonly MaskPolicy['batchTurns'][]
  readonly windows: readonly number[]
  /** Tool turns in the last request. A window and a batch that together have more turns mask nothing. */
  readonly largestWindow: number
  /** The session without masking: window 0. */
  readonly before: ReplaySide
  /** By batch. */
  readonly rows: readonly SweepRow[]
}

/**
 * Replays a session for every window and batch, as if masking were on; those of the policy are ignored. Every point
 * equals `replay`, to the last digit.
 */
export function sweep(
  session: Session,
  policy: MaskPolicy,
  sources: ReplaySources,
  terms: CostTerms,
  grid?: SweepGrid,
): Sweep {
  return sweepPrepared(prepareReplay(session, policy, sources), terms, grid)
}

export function sweepPrepared(
  prepared: PreparedReplay,
  terms: CostTerms,
  grid?: SweepGrid,
  lossOf?: (window: MaskWindow) => PointLoss,
): Sweep {
  return resultOf(sweepInSteps(prepared, terms, grid, lossOf))
}

/** Sweeps batch by batch; after each, yields the number of requests that were replayed for it. */
export function* sweepInSteps(
  prepared: PreparedReplay,
  terms: CostTerms,
  grid: SweepGrid = sweepGrid([prepared]),
  lossOf: (window: MaskWindow) => PointLoss = () => NOTHING_LOST,
): Steps<Sweep> {
  const tiers = priceTiers(terms.prices, terms.variants)
  const sumsOf = windowSums(prepared, terms)
  const totalOf = (window: MaskWindow) => totalSide(tiers, sumsOf(window))
  const largestWindow = turnsOf(prepared)
  const batches = ascendingBatches(grid.batches)
  const windows = windowsBelow(largestWindow, grid.windows)
  const before = totalOf(NO_WINDOW)
  const rows: SweepRow[] = []
  for (const batchTurns of batches) {
    const own = windowsOf({ windows, largestWindow }, batchTurns)
    rows.push(
      rowOf(own, (windowTurns) => {
        const window = { windowTurns, batchTurns }
        return valuesOf(totalOf(window), lossOf(window))
      }),
    )
    yield own.length * prepared.session.requests.length
  }
  return {
    sentResults: sentResults(prepared),
    maskableResults: prepared.maskableResults.length,
    batches,
    windows,
    largestWindow,
    before,
    rows,
  }
}

export const NOTHING_LOST: PointLoss = { uses: 0, results: 0, plain: 0, cached: 0 }

function valuesOf({ tokens, costs }: SweepPoint['total'], loss: PointLoss): PointValues {
  const { plain = Number.NaN, cached = Number.NaN, output = Number.NaN } = costs
  const {
    uses,
    results,
    plain: refetchPlain = Number.NaN,
    cached: refetchCached = Number.NaN,
  } = loss
  return { tokens, plain, cached, output, uses, results, refetchPlain, refetchCached }
}

/** A row of windows whose values are given. */
export function rowOf(
  windows: readonly number[],
  valuesOfWindow: (windowTurns: number, index: number) => PointValues,
): SweepRow {
  const values = windows.map(valuesOfWindow)
  return ofColumns((column) => Float64Array.from(values, (one) => one[column]))
}

function ofColumns<Value>(of: (column: keyof PointValues) => Value) {
  return Object.fromEntries(COLUMNS.map((column) => [column, of(column)])) as Readonly<
    Record<keyof PointValues, Value>
  >
}

/** The sum of several sweeps, point by point. All must have the same batches, and the same windows up to their largest. */
export function sumSweeps(sweeps: readonly Sweep[]): Sweep {
  const sum = (of: (one: Sweep) => number) => sweeps.reduce((total, one) => total + of(one), 0)
  const batches = sweeps[0]?.batches ?? []
  const largestWindow = Math.max(0, ...sweeps.map((one) => one.largestWindow))
  const longest = sweeps.find((one) => one.largestWindow === largestWindow)
  const windows = longest?.windows ?? []
  return {
    sentResults: sum((one) => one.sentResults),
    maskableResults: sum((one) => one.maskableResults),
    batches,
    windows,
    largestWindow,
    before: sumSides(sweeps.map(({ before }) => before)),
    rows: batches.map((batchTurns) =>
      rowOf(windowsOf({ windows, largestWindow }, batchTurns), (windowTurns) => {
        const values = sweeps.map(
          (one) => valuesAt(one, { windowTurns, batchTurns }) as PointValues,
        )
        return ofColumns((column) => values.reduce((total, one) => total + one[column], 0))
      }),
    ),
  }
}

/** The point of a window and batch; undefined if it was not swept. */
export function pointAt(
  swept: Sweep,
  { windowTurns, batchTurns }: MaskWindow,
): SweepPoint | undefined {
  const values = valuesAt(swept, { windowTurns, batchTurns })
  if (values === undefined) return undefined
  const { tokens, plain, cached, output } = values
  const costs = { plain: known(plain), cached: known(cached), output: known(output) }
  return { windowTurns, batchTurns, total: { tokens, costs } }
}

/** What the point of a window and batch loses; undefined if it was not swept. */
export function lossAt(swept: Sweep, window: MaskWindow): PointLoss | undefined {
  const values = valuesAt(swept, window)
  if (values === undefined) return undefined
  const { uses, results, refetchPlain, refetchCached } = values
  return { uses, results, plain: known(refetchPlain), cached: known(refetchCached) }
}

/** The values of a point, which are those before masking if it masks nothing; undefined if it was not swept. */
function valuesAt(swept: Sweep, { windowTurns, batchTurns }: MaskWindow): PointValues | undefined {
  const { largestWindow, before, rows, batches, windows } = swept
  if (windowTurns <= 0 || windowTurns + leastPast(batchTurns) > largestWindow)
    return valuesOf(before, NOTHING_LOST)
  const row = rows[batches.indexOf(batchTurns)]
  const item = itemOf(windows, windowTurns)
  if (row === undefined || item === undefined) return undefined
  return ofColumns((column) => row[column][item] as number)
}

function known(value: number): number | undefined {
  return Number.isNaN(value) ? undefined : value
}
