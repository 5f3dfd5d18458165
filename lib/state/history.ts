/** Undo and redo. Steps of one gesture, such as a slider drag or a burst of typing, become one step. */

/** A setting's name, or the kind of text change. */
export interface HistoryStep<Snapshot> {
  readonly label: string
  /** The state before the step in `past`, after it in `future`. */
  readonly snapshot: Snapshot
  /** Consecutive steps with the same gesture are one step; undefined is never merged. */
  readonly gesture: string | undefined
}

export interface History<Snapshot> {
  readonly past: readonly HistoryStep<Snapshot>[]
  readonly future: readonly HistoryStep<Snapshot>[]
}

export const EMPTY_HISTORY: History<never> = { past: [], future: [] }

const MAX_STEPS = 200

/**
 * Adds a step with the state before it, and drops what was undone. `merge` changes the snapshot of a step that goes on.
 */
export function remember<Snapshot>(
  history: History<Snapshot>,
  before: Snapshot,
  label: string,
  gesture?: string,
  merge = (snapshot: Snapshot) => snapshot,
): History<Snapshot> {
  const last = history.past.at(-1)
  if (gesture !== undefined && last?.gesture === gesture) {
    const merged = { ...last, snapshot: merge(last.snapshot) }
    return { past: [...history.past.slice(0, -1), merged], future: [] }
  }
  const past = [...history.past, { label, snapshot: before, gesture }]
  return { past: past.slice(-MAX_STEPS), future: [] }
}

/** Drops the oldest steps if their size exceeds `limit`, but never the last one. */
export function limitHistory<Snapshot>(
  history: History<Snapshot>,
  sizeOf: (snapshot: Snapshot) => number,
  limit: number,
): History<Snapshot> {
  let total = 0
  let first = history.past.length
  while (first > 0) {
    total += sizeOf((history.past[first - 1] as HistoryStep<Snapshot>).snapshot)
    if (total > limit && first < history.past.length) break
    first--
  }
  return first === 0 ? history : { ...history, past: history.past.slice(first) }
}

/**
 * Ends the given gesture, or any: the next step is a separate one even if it has the same gesture. A slider's drag
 * ends here.
 */
export function endGesture<Snapshot>(history: History<Snapshot>, gesture?: string) {
  const last = history.past.at(-1)
  if (last?.gesture === undefined) return history
  if (gesture !== undefined && last.gesture !== gesture) return history
  return { ...history, past: [...history.past.slice(0, -1), { ...last, gesture: undefined }] }
}

/**
 * Takes one step from `past` (undo) or `future` (redo), and puts the state `now` on the other side; undefined if there is
 * no step.
 */
export function takeStep<Snapshot>(
  history: History<Snapshot>,
  from: keyof History<Snapshot>,
  now: (restored: Snapshot) => Snapshot,
): { readonly history: History<Snapshot>; readonly snapshot: Snapshot } | undefined {
  const step = history[from].at(-1)
  if (step === undefined) return undefined
  const { label, snapshot } = step
  const left = history[from].slice(0, -1)
  const to = from === 'past' ? 'future' : 'past'
  const put = [...history[to], { label, snapshot: now(snapshot), gesture: undefined }]
  const moved = from === 'past' ? { past: left, future: put } : { past: put, future: left }
  return { history: moved, snapshot }
}
