import type { ModelOverrides } from '@/lib/core/replay/model-overrides'
import type { AdviceSettings } from '@/lib/core/replay/recommend'
import { remember } from '../history'
import { snapshotOf } from '../policy/policy-actions'
import type { PlaygroundState, PlaygroundStore } from '../store'
import type { CalibrationSetting } from './costs-slice'
import { sessionOf } from './shown-session'

/** Actions on the costs slice. */
export function createCostsActions({ getState: get, setState: set }: PlaygroundStore) {
  return {
    /** Changes the overrides of a model; undefined removes them. */
    changeModelOverrides: (key: string, terms: ModelOverrides | undefined) =>
      set(({ modelOverrides }) => {
        const { [key]: before, ...others } = modelOverrides
        if (terms === undefined) return { modelOverrides: others }
        const known = Object.entries({ ...before, ...terms }).filter(
          ([, value]) => value !== undefined,
        )
        if (known.length === 0) return { modelOverrides: others }
        return { modelOverrides: { ...others, [key]: Object.fromEntries(known) as ModelOverrides } }
      }),
    changeAdvice: (change: Partial<AdviceSettings>) =>
      set(({ advice }) => ({ advice: { ...advice, ...change } })),
    /** Changes what is set of the calibration of the open document. */
    changeCalibration: (change: Omit<Partial<CalibrationSetting>, 'document'>) =>
      set(({ calibration, read }) => {
        if (read === undefined) return {}
        const { id: document } = read.source
        const before = calibration?.document === document ? calibration : undefined
        return { calibration: { ...before, ...change, document } }
      }),
    /** Asks what each of these mechanisms does to the session. */
    compareMechanisms: (compared: readonly string[]) => set({ compared }),
    /** Puts a mechanism with settings in place of the policy; undefined ends it. Steps of one gesture are one undo. */
    tryMechanism: (mechanism: PlaygroundState['mechanism'], gesture?: string) => {
      const before = get()
      if (JSON.stringify(mechanism) === JSON.stringify(before.mechanism)) return
      const history = remember(before.history, snapshotOf(before), 'mechanism', gesture)
      set({ mechanism, history })
    },
    /** Shows an earlier request, by index, and selects its last message; undefined shows the next request. */
    chooseRequest: (request: number | undefined) => {
      const session = sessionOf(get())
      const requests = session?.requests ?? []
      if (request === undefined || requests.length === 0) return set({ request: undefined })
      const index = Math.min(requests.length - 1, Math.max(0, request))
      const last = (requests[index]?.end ?? 1) - 1
      // In a log, each request is a separate conversation.
      const shown =
        session?.origin === 'log'
          ? { request: undefined, conversation: session.conversations[index] ?? 0 }
          : { request: index }
      set(({ selection }) => ({
        ...shown,
        selection: {
          message: last,
          result: undefined,
          by: 'timeline',
          count: (selection?.count ?? 0) + 1,
        },
      }))
    },
  }
}
