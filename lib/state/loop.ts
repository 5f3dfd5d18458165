/** Where the conversation shown ran in circles: asked of the worker once it is counted, and whenever a limit changes. */
import { ALL_GUARDS, type Guard } from '@/lib/core/loop/limits'
import type { LoopReport } from '@/lib/core/loop/loop-report'
import type { EncodingId } from '@/lib/core/tokens/encoding'
import type { Job, JobResult } from '@/lib/worker/protocol'
import {
  DEFAULT_LOOP_SETTINGS,
  type LoopField,
  type LoopSettings,
  withLoopField,
} from './loop-settings'
import { familyOf } from './models'
import { remembered } from './remembered'
import { countsOf } from './selectors'
import type { PlaygroundState, PlaygroundStore } from './store'

type RunJob = (job: Job) => Promise<JobResult | undefined>

const question = remembered(
  (document: number, conversation: number, options: LoopSettings, encoding: EncodingId) => {
    const job = { kind: 'loops', document, conversation, options } as const satisfies Job
    return { key: JSON.stringify([document, conversation, options, encoding]), job }
  },
)

/** What the worker is to be asked; undefined until the document is counted. */
function questionOf(state: PlaygroundState) {
  const { read, conversation, loop } = state
  if (read?.model.conversations[conversation] === undefined) return undefined
  if (countsOf(state) === undefined) return undefined
  return question(read.source.id, conversation, loop.settings, familyOf(state).encoding)
}

/** What was found in the conversation shown; undefined while the worker has it. */
export function loopReportOf(state: PlaygroundState): LoopReport | undefined {
  const { report } = state.loop
  return report !== undefined && report.key === questionOf(state)?.key ? report.answer : undefined
}

/** Asks the worker whenever the store holds no answer to what is asked now; what changes meanwhile is asked afterwards. */
export function followLoops(store: PlaygroundStore, run: RunJob): () => void {
  let isAsking = false
  /** Asked and not answered: not asked again until something else is, or another count is there. */
  let refused: { readonly key: string; readonly counted: PlaygroundState['counted'] } | undefined
  const ask = async () => {
    if (isAsking) return
    isAsking = true
    try {
      for (;;) {
        const state = store.getState()
        const { counted } = state
        const asked = questionOf(state)
        if (asked === undefined || asked.key === state.loop.report?.key) return
        if (asked.key === refused?.key && counted === refused.counted) return
        const result = await run(asked.job)
        refused = result?.kind === 'loops' ? undefined : { key: asked.key, counted }
        if (result?.kind !== 'loops') continue
        const report = { key: asked.key, answer: result.report }
        store.setState(({ loop }) => ({ loop: { ...loop, report } }))
      }
    } finally {
      isAsking = false
    }
  }
  return store.subscribe(() => void ask())
}

export function createLoopActions({ setState: set }: PlaygroundStore) {
  const change = (next: (settings: LoopSettings) => LoopSettings) =>
    set(({ loop }) => ({ loop: { ...loop, settings: next(loop.settings) } }))
  return {
    setGuard: (guard: Guard, isOn: boolean) =>
      change((settings) => ({ ...settings, guards: { ...settings.guards, [guard]: isOn } })),
    /** Sets a limit in the unit of its field; out of bounds it is held at them. */
    setLoopField: (field: LoopField, value: number) =>
      change((settings) => withLoopField(settings, field, value)),
    resetLoop: () => change(() => ({ ...DEFAULT_LOOP_SETTINGS, guards: ALL_GUARDS })),
  }
}
