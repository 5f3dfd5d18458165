/** Malformed arguments of the open document: the worker repairs them once the document is counted. */

import type { RepairFix } from '@/lib/core/repair/parser/parser'
import type { BrokenCall, DocumentRepair } from '@/lib/core/repair/repair-document'
import { repairEdits } from '@/lib/core/repair/repair-edits'
import type { RepairSettings } from '@/lib/core/repair/repair-limits'
import { riskOf } from '@/lib/core/repair/repair-metrics'
import {
  type RepairRisk,
  STRATEGY_NAMES,
  type StrategyName,
} from '@/lib/core/repair/repair-strategies'
import { applyEdits } from '@/lib/core/text/span'
import type { RunJob } from '@/lib/worker/jobs'
import type { TriedRepair } from '@/lib/worker/text-jobs'
import { countsOf } from '../document/selectors'
import { select } from '../select'
import type { PlaygroundState, PlaygroundStore } from '../store'

export type { TriedRepair }

/** The input of the job that repairs the arguments of a counted document, with the settings in use. */
export const repairInputOf = select(
  [(state) => countsOf(state) && state.read?.source.id, ({ repairSettings }) => repairSettings],
  (document, settings) => ({ document, settings }),
)

export function createRepairActions(store: PlaygroundStore, run: RunJob) {
  return {
    setRepairSettings: (changed: Partial<RepairSettings>) =>
      store.setState(({ repairSettings }) => ({
        repairSettings: { ...repairSettings, ...changed },
      })),
    /** Repairs a text that the user typed; undefined if the worker crashed. */
    tryRepair: async (
      text: string,
      settings: RepairSettings = store.getState().repairSettings,
    ): Promise<TriedRepair | undefined> => {
      const outcome = await run('tryRepair', { text, settings })
      return outcome.state === 'done' ? outcome.output : undefined
    },
  }
}

/** The repair of the shown document, with older settings until the worker answers; undefined before its first answer. */
export function repairOf({ read, answers }: PlaygroundState): DocumentRepair | undefined {
  for (const { name, input, output } of answers) {
    if (name !== 'repair' || !('document' in input)) continue
    if (input.document === read?.source.id) return output as DocumentRepair
  }
  return undefined
}

/** The source text with repaired arguments and no other changes; undefined if there are none. */
export function repairedTextOf(state: PlaygroundState): string | undefined {
  const edits = repairEdits(repairOf(state)?.calls ?? [])
  return edits.length === 0 || state.read === undefined
    ? undefined
    : applyEdits(state.read.source.text, edits)
}

/** A piece of a text before or after its repair. */
export interface RepairPart {
  readonly text: string
  readonly isChanged: boolean
}

/** Longer arguments are cut. */
const MOST_CHARS = 20_000
const MOST_FIXES = 500

/** Splits both texts into changed and unchanged pieces; `isWhole` is false if long texts are cut. */
export function repairParts({ before, result }: Pick<BrokenCall, 'before' | 'result'>) {
  const left: RepairPart[] = []
  const right: RepairPart[] = []
  const put = (pieces: RepairPart[], text: string, isChanged: boolean) => {
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

/** The strategies used, in the order of `STRATEGY_NAMES`. */
export function strategiesOf({ fixes, strategy }: BrokenCall['result']): readonly StrategyName[] {
  const used = new Set([...fixes.map((made) => made.strategy), strategy])
  return STRATEGY_NAMES.filter((name) => used.has(name))
}

/** Outcome of a call: not repaired, or repaired at some risk. */
export type RepairOutcomeKind = 'left' | RepairRisk

export const OUTCOME_KINDS: readonly RepairOutcomeKind[] = ['left', 'loss', 'guess', 'none']

export function outcomeOf({ result }: Pick<BrokenCall, 'result'>): RepairOutcomeKind {
  return result.isObject ? riskOf(result) : 'left'
}

/** Strategies by what they do together. */
const KINDS = [
  ['trailing_commas', ['trailing_commas']],
  ['listed_values', ['listed_values']],
  ['surrounding_text', ['fences', 'surrounding_text']],
] as const satisfies readonly (readonly [string, readonly StrategyName[]])[]

const PYTHON: ReadonlySet<StrategyName> = new Set([
  'python_literals',
  'python_collections',
  'single_quotes',
])

/** What the edits of a repair do, if they do one thing. */
export function offerKindOf(fixes: readonly RepairFix[]) {
  // A Python literal has other differences too, such as escapes.
  if (fixes.some(({ strategy }) => PYTHON.has(strategy))) return 'python'
  const kind = KINDS.find(([, strategies]) =>
    fixes.every(({ strategy }) => strategies.some((name) => name === strategy)),
  )
  return kind?.[0] ?? 'other'
}
