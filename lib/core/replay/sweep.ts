import type { MaskPolicy } from '../policy/policy'
import type { ReplaySources } from './decide-request'
import { fixedDecisionTotals } from './fixed-decision-totals'
import { maskingPlan } from './masking-plan'
import { maskableResults, type PreparedReplay, prepareReplay } from './prepare-replay'
import { type CostTerms, NO_WINDOW, type ReplaySide, replayTotals, sumSides } from './replay'
import type { Session } from './sessions'
import type { Usd } from './units'
import type { MaskWindow } from './walk-masked-requests'

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

/** By batch and the number of its windows: a function that gives what each window loses. */
export type LossesOfBatch = (
  batchTurns: number,
  windows: number,
) => (windowTurns: number) => PointLoss

const COSTS = ['plain', 'cached', 'output'] as const
const LOSSES = ['uses', 'results', 'refetchPlain', 'refetchCached'] as const

/** The totals of one batch, by window from 1 on; a cost that is unknown is NaN. Windows that mask nothing are left out. */
export type SweepRow = Readonly<
  Record<'tokens' | (typeof COSTS)[number] | (typeof LOSSES)[number], Float64Array>
>

export interface Sweep {
  /** Results that some request sends, and how many of them the policy masks once they are old enough. */
  readonly sentResults: number
  readonly maskableResults: number
  /** Ascending, without duplicates. */
  readonly batches: readonly number[]
  /** Tool turns in the last request. A window and a batch that together have more turns mask nothing. */
  readonly largestWindow: number
  /** The session without masking: window 0. */
  readonly before: ReplaySide
  /** By batch. */
  readonly rows: readonly SweepRow[]
}

/** The batches that tables list, besides the current and the recommended one. */
const LISTED_BATCHES: readonly number[] = [1, 2, 4, 8, 16, 32]

/** The batches of a table, ascending. */
export function listedBatches(others: readonly number[]): number[] {
  return [...new Set([...LISTED_BATCHES, ...others])].sort((a, b) => a - b)
}

/** Requests that the grid of one session may replay in a few seconds; fewer if masked results can come back. */
const MOST_REQUESTS = { fixed: 1e8, changing: 4e6 }
const FEWEST_BATCHES = 16

/**
 * The batches to sweep sessions with: every one that can mask a result. In sessions so long that this would take many
 * seconds, from about 500 turns on, larger batches are tried in growing steps.
 */
export function sweepBatches(sessions: readonly PreparedReplay[]): number[] {
  const turns = Math.max(2, ...sessions.map(turnsOf))
  const share = (prepared: PreparedReplay) =>
    turnsOf(prepared) ** 2 / 2 / MOST_REQUESTS[maskingPlan(prepared).isFixed ? 'fixed' : 'changing']
  const shareOfBatch = sessions.reduce((total, prepared) => total + share(prepared), 0)
  const most = Math.max(FEWEST_BATCHES, Math.floor(1 / shareOfBatch))
  const dense = turns <= most ? turns : Math.floor(most / 4)
  const growth = (turns / dense) ** (1 / (most - dense))
  const batches: number[] = []
  for (let batch = 1; batch < turns; ) {
    batches.push(batch)
    batch = batch < dense ? batch + 1 : Math.max(batch + 1, Math.round(batch * growth))
  }
  return batches
}

function totalsOf(prepared: PreparedReplay, terms: CostTerms): (window: MaskWindow) => ReplaySide {
  return (maskingPlan(prepared).isFixed ? fixedDecisionTotals : replayTotals)(prepared, terms)
}

function turnsOf({ session }: PreparedReplay): number {
  return session.requests.at(-1)?.turnCount ?? 0
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
  batches?: readonly number[],
): Sweep {
  return sweepPrepared(prepareReplay(session, policy, sources), terms, batches)
}

export function sweepPrepared(
  prepared: PreparedReplay,
  terms: CostTerms,
  batches?: readonly number[],
  lossesOf?: LossesOfBatch,
): Sweep {
  const steps = sweepInSteps(prepared, terms, batches, lossesOf)
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
}

/** Sweeps batch by batch; after each, yields the number of requests that were replayed for it. */
export function* sweepInSteps(
  prepared: PreparedReplay,
  terms: CostTerms,
  batches: readonly number[] = sweepBatches([prepared]),
  lossesOf: LossesOfBatch = () => () => NOTHING_LOST,
): Generator<number, Sweep> {
  const totalOf = totalsOf(prepared, terms)
  const sorted = [...new Set(batches.map((batch) => Math.max(1, batch)))].sort((a, b) => a - b)
  const largestWindow = turnsOf(prepared)
  const before = totalOf(NO_WINDOW)
  const rows: SweepRow[] = []
  for (const batchTurns of sorted) {
    const length = rowLength(largestWindow, batchTurns)
    rows.push(
      rowOf(
        length,
        (windowTurns) => totalOf({ windowTurns, batchTurns }),
        lossesOf(batchTurns, length),
      ),
    )
    yield length * prepared.session.requests.length
  }
  return {
    sentResults: maskingPlan(prepared).sentResults.at(-1) ?? 0,
    maskableResults: maskableResults(prepared).length,
    batches: sorted,
    largestWindow,
    before,
    rows,
  }
}

function rowLength(largestWindow: number, batchTurns: number): number {
  return Math.max(0, largestWindow - batchTurns)
}

export const NOTHING_LOST: PointLoss = { uses: 0, results: 0, plain: 0, cached: 0 }

function rowOf(
  length: number,
  totalOf: (windowTurns: number) => SweepPoint['total'],
  lossOf: (windowTurns: number) => PointLoss,
): SweepRow {
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
  for (let index = 0; index < length; index++) {
    const { tokens, costs } = totalOf(index + 1)
    row.tokens[index] = tokens
    for (const kind of COSTS) row[kind][index] = costs[kind] ?? Number.NaN
    const { uses, results, plain, cached } = lossOf(index + 1)
    row.uses[index] = uses
    row.results[index] = results
    row.refetchPlain[index] = plain ?? Number.NaN
    row.refetchCached[index] = cached ?? Number.NaN
  }
  return row
}

/** The sum of several sweeps, point by point. All must have the same batches. */
export function sumSweeps(sweeps: readonly Sweep[]): Sweep {
  const sum = (of: (one: Sweep) => number) => sweeps.reduce((total, one) => total + of(one), 0)
  const batches = sweeps[0]?.batches ?? []
  const largestWindow = Math.max(0, ...sweeps.map((one) => one.largestWindow))
  const add = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
  const rows = batches.map((batchTurns): SweepRow => {
    const totalOf = (windowTurns: number) => {
      const totals = sweeps.flatMap(
        (one) => pointAt(one, { windowTurns, batchTurns })?.total ?? one.before,
      )
      const cost = (kind: (typeof COSTS)[number]) =>
        add(totals.map(({ costs }) => costs[kind] ?? Number.NaN))
      return {
        tokens: add(totals.map(({ tokens }) => tokens)),
        costs: { plain: cost('plain'), cached: cost('cached'), output: cost('output') },
      }
    }
    const lossOf = (windowTurns: number): PointLoss => {
      const losses = sweeps.map((one) => lossAt(one, { windowTurns, batchTurns }) ?? NOTHING_LOST)
      return {
        uses: add(losses.map(({ uses }) => uses)),
        results: add(losses.map(({ results }) => results)),
        plain: add(losses.map(({ plain }) => plain ?? Number.NaN)),
        cached: add(losses.map(({ cached }) => cached ?? Number.NaN)),
      }
    }
    return rowOf(rowLength(largestWindow, batchTurns), totalOf, lossOf)
  })
  return {
    sentResults: sum((one) => one.sentResults),
    maskableResults: sum((one) => one.maskableResults),
    batches,
    largestWindow,
    before: sumSides(sweeps.map(({ before }) => before)),
    rows,
  }
}

/** The point of a window and batch; undefined if the batch was not swept. */
export function pointAt(
  { batches, largestWindow, before, rows }: Sweep,
  { windowTurns, batchTurns }: MaskWindow,
): SweepPoint | undefined {
  const point = { windowTurns, batchTurns }
  if (windowTurns <= 0 || windowTurns + batchTurns > largestWindow)
    return { ...point, total: before }
  const row = rows[batches.indexOf(batchTurns)]
  if (row === undefined) return undefined
  const index = windowTurns - 1
  const cost = (kind: (typeof COSTS)[number]) => {
    const value = row[kind][index] as number
    return Number.isNaN(value) ? undefined : value
  }
  return {
    ...point,
    total: {
      tokens: row.tokens[index] as number,
      costs: { plain: cost('plain'), cached: cost('cached'), output: cost('output') },
    },
  }
}

/** What the point of a window and batch loses; undefined if the batch was not swept. */
export function lossAt(
  { batches, largestWindow, rows }: Sweep,
  { windowTurns, batchTurns }: MaskWindow,
): PointLoss | undefined {
  if (windowTurns <= 0 || windowTurns + batchTurns > largestWindow) return NOTHING_LOST
  const row = rows[batches.indexOf(batchTurns)]
  if (row === undefined) return undefined
  const valueIn = (kind: (typeof LOSSES)[number]) => row[kind][windowTurns - 1] as number
  const cost = (kind: 'refetchPlain' | 'refetchCached') =>
    Number.isNaN(valueIn(kind)) ? undefined : valueIn(kind)
  return {
    uses: valueIn('uses'),
    results: valueIn('results'),
    plain: cost('refetchPlain'),
    cached: cost('refetchCached'),
  }
}

/** The points of a batch that mask results, by window. */
export function pointsOfBatch(swept: Sweep, batchTurns: number): SweepPoint[] {
  const length = rowLength(swept.largestWindow, batchTurns)
  return Array.from({ length }, (_, index) =>
    pointAt(swept, { windowTurns: index + 1, batchTurns }),
  ).filter((point) => point !== undefined)
}
