import type { MaskPolicy } from '../policy/policy'
import type { ReplaySources } from './decide-request'
import { type MaskWindow, maskingPlan, NO_WINDOW } from './masking-plan'
import { maskableResults, type PreparedReplay, prepareReplay } from './prepare-replay'
import { priceTiers } from './price-sheet'
import { type ReplaySide, sumSides, totalSide, windowSums } from './replay'
import type { CostTerms } from './request-terms'
import type { Session } from './sessions'
import {
  ascending,
  itemOf,
  type SweepGrid,
  sweepGrid,
  turnsOf,
  windowsBelow,
  windowsOf,
} from './sweep-grid'
import type { Usd } from './units'

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

/** By batch and its largest window: a function that gives what each window loses. */
export type LossesOfBatch = (
  batchTurns: number,
  largestWindow: number,
) => (windowTurns: number) => PointLoss

const COSTS = ['plain', 'cached', 'output'] as const
const LOSSES = ['uses', 'results', 'refetchPlain', 'refetchCached'] as const

/** The totals of one batch, by item of `Sweep.windows`; a cost that is unknown is NaN. Windows that mask nothing are left out. */
export type SweepRow = Readonly<
  Record<'tokens' | (typeof COSTS)[number] | (typeof LOSSES)[number], Float64Array>
>

export interface Sweep {
  /** Results that some request sends, and how many of them the policy masks once they are old enough. */
  readonly sentResults: number
  readonly maskableResults: number
  /** Both ascending, without duplicates. */
  readonly batches: readonly number[]
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
  lossesOf?: LossesOfBatch,
): Sweep {
  const steps = sweepInSteps(prepared, terms, grid, lossesOf)
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
}

/** Sweeps batch by batch; after each, yields the number of requests that were replayed for it. */
export function* sweepInSteps(
  prepared: PreparedReplay,
  terms: CostTerms,
  grid: SweepGrid = sweepGrid([prepared]),
  lossesOf: LossesOfBatch = () => () => NOTHING_LOST,
): Generator<number, Sweep> {
  const tiers = priceTiers(terms.prices, terms.variants)
  const sumsOf = windowSums(prepared, terms)
  const totalOf = (window: MaskWindow) => totalSide(tiers, sumsOf(window))
  const largestWindow = turnsOf(prepared)
  const batches = ascending(grid.batches)
  const windows = windowsBelow(largestWindow, grid.windows)
  const before = totalOf(NO_WINDOW)
  const rows: SweepRow[] = []
  for (const batchTurns of batches) {
    const own = windowsOf({ windows, largestWindow }, batchTurns)
    const lossOf = lossesOf(batchTurns, own.at(-1) ?? 0)
    rows.push(rowOf(own, (windowTurns) => totalOf({ windowTurns, batchTurns }), lossOf))
    yield own.length * prepared.session.requests.length
  }
  return {
    sentResults: maskingPlan(prepared).sentResults.at(-1) ?? 0,
    maskableResults: maskableResults(prepared).length,
    batches,
    windows,
    largestWindow,
    before,
    rows,
  }
}

export const NOTHING_LOST: PointLoss = { uses: 0, results: 0, plain: 0, cached: 0 }

function rowOf(
  windows: readonly number[],
  totalOf: (windowTurns: number) => SweepPoint['total'],
  lossOf: (windowTurns: number) => PointLoss,
): SweepRow {
  const { length } = windows
  const row: SweepRow = {
    tokens: new Float64Array(length),
    plain: new Float64Array(length),
    cached: new Float64Array(length),
    output: new Float64Array(length),
    uses: new Float64Array(length),
    results: new Float64Array(length),
    refetchPlain: new Float64Array(length),
    refetchCached: new Float64Array(length),
  }
  for (const [index, windowTurns] of windows.entries()) {
    const { tokens, costs } = totalOf(windowTurns)
    row.tokens[index] = tokens
    for (const kind of COSTS) row[kind][index] = costs[kind] ?? Number.NaN
    const { uses, results, plain, cached } = lossOf(windowTurns)
    row.uses[index] = uses
    row.results[index] = results
    row.refetchPlain[index] = plain ?? Number.NaN
    row.refetchCached[index] = cached ?? Number.NaN
  }
  return row
}

/** The sum of several sweeps, point by point. All must have the same batches, and the same windows up to their largest. */
export function sumSweeps(sweeps: readonly Sweep[]): Sweep {
  const sum = (of: (one: Sweep) => number) => sweeps.reduce((total, one) => total + of(one), 0)
  const batches = sweeps[0]?.batches ?? []
  const largestWindow = Math.max(0, ...sweeps.map((one) => one.largestWindow))
  const longest = sweeps.find((one) => one.largestWindow === largestWindow)
  const windows = longest?.windows ?? []
  const add = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
  const rows = batches.map((batchTurns): SweepRow => {
    const totalOf = (windowTurns: number) => {
      const totals = sweeps.map(
        (one) => (pointAt(one, { windowTurns, batchTurns }) as SweepPoint).total,
      )
      const cost = (kind: (typeof COSTS)[number]) =>
        add(totals.map(({ costs }) => costs[kind] ?? Number.NaN))
      return {
        tokens: add(totals.map(({ tokens }) => tokens)),
        costs: { plain: cost('plain'), cached: cost('cached'), output: cost('output') },
      }
    }
    const lossOf = (windowTurns: number): PointLoss => {
      const losses = sweeps.map((one) => lossAt(one, { windowTurns, batchTurns }) as PointLoss)
      return {
        uses: add(losses.map(({ uses }) => uses)),
        results: add(losses.map(({ results }) => results)),
        plain: add(losses.map(({ plain }) => plain ?? Number.NaN)),
        cached: add(losses.map(({ cached }) => cached ?? Number.NaN)),
      }
    }
    return rowOf(windowsOf({ windows, largestWindow }, batchTurns), totalOf, lossOf)
  })
  return {
    sentResults: sum((one) => one.sentResults),
    maskableResults: sum((one) => one.maskableResults),
    batches,
    windows,
    largestWindow,
    before: sumSides(sweeps.map(({ before }) => before)),
    rows,
  }
}

/** The point of a window and batch; undefined if it was not swept. */
export function pointAt(
  swept: Sweep,
  { windowTurns, batchTurns }: MaskWindow,
): SweepPoint | undefined {
  const point = { windowTurns, batchTurns }
  if (masksNothing(swept, point)) return { ...point, total: swept.before }
  const valueIn = valuesAt(swept, point)
  if (valueIn === undefined) return undefined
  return {
    ...point,
    total: {
      tokens: valueIn('tokens'),
      costs: {
        plain: known(valueIn('plain')),
        cached: known(valueIn('cached')),
        output: known(valueIn('output')),
      },
    },
  }
}

/** What the point of a window and batch loses; undefined if it was not swept. */
export function lossAt(swept: Sweep, window: MaskWindow): PointLoss | undefined {
  if (masksNothing(swept, window)) return NOTHING_LOST
  const valueIn = valuesAt(swept, window)
  return (
    valueIn && {
      uses: valueIn('uses'),
      results: valueIn('results'),
      plain: known(valueIn('refetchPlain')),
      cached: known(valueIn('refetchCached')),
    }
  )
}

function masksNothing({ largestWindow }: Sweep, { windowTurns, batchTurns }: MaskWindow): boolean {
  return windowTurns <= 0 || windowTurns + batchTurns > largestWindow
}

/** A function that gives the values of a point; undefined if it was not swept. */
function valuesAt(swept: Sweep, { windowTurns, batchTurns }: MaskWindow) {
  const row = swept.rows[swept.batches.indexOf(batchTurns)]
  const item = itemOf(swept.windows, windowTurns)
  if (row === undefined || item === undefined) return undefined
  return (kind: keyof SweepRow) => row[kind][item] as number
}

function known(value: number): number | undefined {
  return Number.isNaN(value) ? undefined : value
}

/** The points of a batch that mask results, by window. */
export function pointsOfBatch(swept: Sweep, batchTurns: number): SweepPoint[] {
  return windowsOf(swept, batchTurns)
    .map((windowTurns) => pointAt(swept, { windowTurns, batchTurns }))
    .filter((point) => point !== undefined)
}
