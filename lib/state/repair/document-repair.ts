/** Malformed arguments of the open document: the worker repairs them once the document is counted. */

import type { RepairFix } from '@/lib/core/repair/parser/parser'
import type { DocumentRepair } from '@/lib/core/repair/repair-document'
import type { RepairSettings } from '@/lib/core/repair/repair-limits'
import type { StrategyName } from '@/lib/core/repair/repair-strategies'
import type { TriedRepair } from '@/lib/worker/build-request'
import type { RunJob } from '@/lib/worker/jobs'
import { countsOf } from '../document/selectors'
import { type PlaygroundState, type PlaygroundStore, select } from '../store'

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
    tryRepair: async (text: string, settings: RepairSettings = store.getState().repairSettings) => {
      const outcome = await run('tryRepair', { text, settings })
      return outcome.state === 'done' ? outcome.output : undefined
    },
  }
}

/** The repair of the shown document, with older settings until the worker answers; undefined before its first answer. */
export function repairOf({ read, answers }: PlaygroundState): DocumentRepair | undefined {
  const isOwn = (input: object) => 'document' in input && input.document === read?.source.id
  const found = answers.find(({ name, input }) => name === 'repair' && isOwn(input))
  return found?.output as DocumentRepair | undefined
}

/** Strategies by what they do together. */
const KINDS = [
  ['trailing_commas', ['trailing_commas']],
  ['listed_values', ['listed_values']],
  ['surrounding_text', ['fences', 'surrounding_text']],
] as const satisfies readonly (readonly [string, readonly StrategyName[]])[]

const PYTHON = new Set<StrategyName>(['python_literals', 'python_collections', 'single_quotes'])

/** What the edits of a repair do, if they do one thing. */
export function offerKindOf(fixes: readonly RepairFix[]) {
  // A Python literal has other differences too, such as escapes.
  if (fixes.some(({ strategy }) => PYTHON.has(strategy))) return 'python'
  const kind = KINDS.find(([, strategies]) =>
    fixes.every(({ strategy }) => strategies.some((name) => name === strategy)),
  )
  return kind?.[0] ?? 'other'
}
