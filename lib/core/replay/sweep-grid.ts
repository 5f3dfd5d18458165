/** Which settings a sweep tries. */
import { batchNumber, type MaskPolicy } from '../policy/policy'
import { partitionPoint } from '../text/span'
import type { PreparedReplay } from './prepare-replay'

type BatchTurns = MaskPolicy['batchTurns']

/** The settings to sweep: every batch with every window, both ascending and without duplicates. */
export interface SweepGrid {
  readonly batches: readonly BatchTurns[]
  /** Undefined for every window that masks something. */
  readonly windows?: readonly number[] | undefined
}

/** The batches that tables list, besides the current and the recommended one. */
const LISTED_BATCHES: readonly number[] = [1, 2, 4, 8, 16, 32]

/** The batches of a table, ascending; break-even comes last. */
export function listedBatches(others: readonly BatchTurns[]): BatchTurns[] {
  return ascendingBatches([...LISTED_BATCHES, ...others])
}

export function ascendingBatches(batches: readonly BatchTurns[]): BatchTurns[] {
  const numbers = batches.filter((batch) => batch !== 'auto')
  return [...ascending(numbers), ...(numbers.length < batches.length ? ['auto' as const] : [])]
}

/** Requests that a sweep may replay in a few seconds; fewer if masked results can come back. */
const MOST_REQUESTS = { fixed: 1e8, changing: 4e6 }
/** What a grid has at least, however long the session. */
const FEWEST = { batches: 16, windows: 64 }

/**
 * The batches and windows to sweep sessions with: all that can mask a result, and break-even. In sessions so long that this would take
 * many seconds, from about 500 turns on, the larger ones are tried in growing steps: first batches, then windows too.
 */
export function sweepGrid(sessions: readonly PreparedReplay[]) {
  const turns = Math.max(2, ...sessions.map(turnsOf))
  /** The part of all requests allowed that one window and batch takes. */
  const share = sessions.reduce(
    (total, prepared) =>
      total + turnsOf(prepared) / MOST_REQUESTS[prepared.fixedFrom === 1 ? 'fixed' : 'changing'],
    0,
  )
  const points = 1 / share
  // Half the points of a full grid mask nothing.
  const mostBatches = Math.max(2 * FEWEST.batches, Math.floor((2 * points) / turns))
  const batches = growingSteps(turns, mostBatches)
  const windows = Math.max(FEWEST.windows, Math.floor(points / batches.length))
  return {
    batches: [...batches, 'auto'] satisfies readonly BatchTurns[],
    windows: growingSteps(turns, 2 * windows >= turns ? turns : windows),
  }
}

/** About `most` numbers from 1 to below `end`: all of them if they are as few, else the first quarter, then growing steps. */
function growingSteps(end: number, most: number): number[] {
  const dense = end <= most ? end : Math.floor(most / 4)
  const growth = (end / dense) ** (1 / (most - dense))
  const steps: number[] = []
  for (let step = 1; step < end; ) {
    steps.push(step)
    step = step < dense ? step + 1 : Math.max(step + 1, Math.round(step * growth))
  }
  return steps
}

/** Tool turns in the last request. */
export function turnsOf({ session }: PreparedReplay): number {
  return session.requests.at(-1)?.turnCount ?? 0
}

export function ascending(numbers: readonly number[]): number[] {
  return [...new Set(numbers.map((number) => Math.max(1, number)))].sort((a, b) => a - b)
}

/** The windows that mask something with a batch of one turn. */
export function windowsBelow(largestWindow: number, windows?: readonly number[]): number[] {
  if (windows !== undefined) return ascending(windows).filter((window) => window < largestWindow)
  return Array.from({ length: Math.max(0, largestWindow - 1) }, (_, index) => index + 1)
}

/** The windows that mask something with a batch. */
export function windowsOf(
  { windows, largestWindow }: { windows: readonly number[]; largestWindow: number },
  batchTurns: BatchTurns,
) {
  const most = largestWindow - leastPast(batchTurns)
  const end = partitionPoint(0, windows.length, (index) => (windows[index] as number) <= most)
  return windows.slice(0, end)
}

/** The turns beyond the window from which on it can mask something. */
export function leastPast(batchTurns: BatchTurns): number {
  return Math.max(1, batchNumber({ batchTurns }))
}

/** The item of a window in `windows`; undefined if it was not swept. */
export function itemOf(windows: readonly number[], windowTurns: number): number | undefined {
  const item = partitionPoint(0, windows.length, (at) => (windows[at] as number) < windowTurns)
  return windows[item] === windowTurns ? item : undefined
}
