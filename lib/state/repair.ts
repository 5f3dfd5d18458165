/** Broken arguments of the document at hand: found by the worker once it is counted, shown and saved when asked for. */

import type { BrokenCall, DocumentRepair } from '@/lib/core/repair/repair-document'
import { repairEdits } from '@/lib/core/repair/repair-edits'
import type { RepairBounds } from '@/lib/core/repair/repair-limits'
import { type RepairRisk, STRATEGY_NAMES, type StrategyName } from '@/lib/core/repair/strategies'
import { applyEdits } from '@/lib/core/text/span'
import type { Job, JobResult, TriedRepair } from '@/lib/worker/protocol'
import type { PlaygroundState, PlaygroundStore } from './store'

export type { TriedRepair }

type RunJob = (job: Job) => Promise<JobResult | undefined>

/** Looks for broken arguments whenever another text was counted, and anew when the limits change. */
export function followRepair(store: PlaygroundStore, run: RunJob): void {
  const find = async (source: number, limits: RepairBounds) => {
    const result = await run({ kind: 'repair', document: source, limits })
    const { read, repairBounds } = store.getState()
    if (result?.kind !== 'repaired' || read?.source.id !== source || repairBounds !== limits) return
    store.setState({ broken: { source, repair: result.repair } })
  }
  store.subscribe(({ counted, repairBounds }, before) => {
    const isNew = counted !== before.counted || repairBounds !== before.repairBounds
    if (counted !== undefined && isNew) void find(counted.source, repairBounds)
  })
}

export function createRepairActions(store: PlaygroundStore, run: RunJob) {
  return {
    setRepairOpen: (isRepairOpen: boolean) => store.setState({ isRepairOpen }),
    setRepairBounds: (changed: Partial<RepairBounds>) =>
      store.setState(({ repairBounds }) => ({ repairBounds: { ...repairBounds, ...changed } })),
    /** Repairs a text that was typed in; undefined when the worker failed on it. */
    tryRepair: async (text: string): Promise<TriedRepair | undefined> => {
      const result = await run({ kind: 'try_repair', text, limits: store.getState().repairBounds })
      return result?.kind === 'tried' ? result.tried : undefined
    },
  }
}

/** What was found in the text shown; undefined until it is looked through. */
export function repairOf({ read, broken }: PlaygroundState): DocumentRepair | undefined {
  return broken !== undefined && broken.source === read?.source.id ? broken.repair : undefined
}

/** The source text with the arguments repaired and nothing else changed; undefined when nothing is. */
export function repairedTextOf(state: PlaygroundState): string | undefined {
  const edits = repairEdits(repairOf(state)?.calls ?? [])
  return edits.length === 0 || state.read === undefined
    ? undefined
    : applyEdits(state.read.source.text, edits)
}

/** A stretch of a text before or after its repair. */
export interface RepairPiece {
  readonly text: string
  readonly isChanged: boolean
}

/** Longer arguments are shown up to here. */
const MOST_CHARS = 20_000
const MOST_FIXES = 500

/** Both texts in pieces, so that what differs can be marked; long ones end early, which `isWhole` says. */
export function repairPieces({ before, result }: Pick<BrokenCall, 'before' | 'result'>): {
  readonly before: readonly RepairPiece[]
  readonly after: readonly RepairPiece[]
  readonly isWhole: boolean
} {
  const left: RepairPiece[] = []
  const right: RepairPiece[] = []
  const put = (pieces: RepairPiece[], text: string, isChanged: boolean) => {
    if (text !== '') pieces.push({ text, isChanged })
  }
  const fixes = result.fixes.slice(0, MOST_FIXES)
  let at = 0
  for (const { start, end, text } of fixes) {
    if (start > MOST_CHARS) break
    const kept = before.slice(at, start)
    put(left, kept, false)
    put(right, kept, false)
    put(left, before.slice(start, Math.min(end, start + MOST_CHARS)), true)
    put(right, text.slice(0, MOST_CHARS), true)
    at = end
  }
  const isAll = fixes.length === result.fixes.length && before.length <= MOST_CHARS
  const rest = isAll ? before.slice(at) : before.slice(at, Math.max(at, MOST_CHARS))
  put(left, rest, false)
  put(right, rest, false)
  return { before: left, after: right, isWhole: isAll }
}

/** The strategies used, in the order of the list. */
export function strategiesOf({ fixes, strategy }: BrokenCall['result']): readonly StrategyName[] {
  const used = new Set([...fixes.map((made) => made.strategy), strategy])
  return STRATEGY_NAMES.filter((name) => used.has(name))
}

/** The worst that may have happened to the data. */
export function riskOf({ fixes }: BrokenCall['result']): RepairRisk {
  const risks = new Set(fixes.map(({ risk }) => risk))
  return risks.has('loss') ? 'loss' : risks.has('guess') ? 'guess' : 'none'
}

/** What became of a call: left as it is, or repaired at some risk. */
export type RepairOutcomeKind = 'left' | RepairRisk

export const OUTCOME_KINDS: readonly RepairOutcomeKind[] = ['left', 'loss', 'guess', 'none']

export function outcomeOf({ result }: Pick<BrokenCall, 'result'>): RepairOutcomeKind {
  return result.state === 'failed' ? 'left' : riskOf(result)
}

/** How many calls ended in each way; ways in which none did are absent. */
export function countOutcomes(
  calls: readonly BrokenCall[],
): ReadonlyMap<RepairOutcomeKind, number> {
  const counts = new Map<RepairOutcomeKind, number>()
  for (const call of calls) {
    const kind = outcomeOf(call)
    counts.set(kind, (counts.get(kind) ?? 0) + 1)
  }
  return counts
}
