import { isSameSetting, type MaskPolicy } from '@/lib/core/policy/policy'
import type { MaskWindow } from '@/lib/core/replay/prepare-replay'
import { LINK_DEFAULTS } from '@/lib/core/share/link/settings-link'
import { rememberSource } from '../document/remembered-source'
import { endGesture, remember } from '../history'
import type { PlaygroundState, PlaygroundStore } from '../store'
import type { Snapshot } from './policy-slice'
import { sessionSettingsOf } from './session-policy'

/** The state as an undo step that does not change the text. */
export function snapshotOf({ policy, policyFrom, mechanism, source }: PlaygroundState): Snapshot {
  return { policy, policyFrom, mechanism, source: rememberSource(source, source.text, []) }
}

/** Actions on the policy, and on the one it is compared with. */
export function createPolicyActions({ getState: get, setState: set }: PlaygroundStore) {
  const actions = {
    /** Changes settings; steps of one gesture are one undo. */
    changePolicy: (given: Partial<MaskPolicy>, gesture?: string) => {
      const before = get()
      const isMove = given.windowTurns !== undefined || given.batchTurns !== undefined
      // Who moves the window of a session that opened without masking wants to see what it does.
      const isTurnedOn = isMove && before.policyFrom === 'session' && !before.policy.enabled
      const change = isTurnedOn ? { enabled: true, ...given } : given
      const keys = Object.keys(change) as (keyof MaskPolicy)[]
      const changed = keys.filter(
        (key) => !isSameSetting(before.policy[key], change[key] as MaskPolicy[typeof key]),
      )
      if (changed.length === 0) return
      const history = remember(before.history, snapshotOf(before), changed[0] as string, gesture)
      set({ policy: { ...before.policy, ...change }, policyFrom: 'user', history })
    },
    /** Lets more results be masked. Without chosen settings, those recommended for these results follow. */
    allowMasking: (change: Partial<MaskPolicy>) => {
      const { policyFrom } = get()
      actions.changePolicy(change)
      const isChosen = policyFrom !== 'default' && policyFrom !== 'session'
      if (!isChosen && change.windowTurns === undefined && change.batchTurns === undefined)
        set({ policyFrom: 'default' })
    },
    /** Ends a drag or a burst of typing, so that the next one is a separate undo step. */
    endGesture: (gesture?: string) =>
      set(({ history }) => ({ history: endGesture(history, gesture) })),
    /** Takes back what was set since `before` was the state, with its undo steps, unless the text changed. */
    takeBack: ({ source, policy, policyFrom, mechanism, history }: PlaygroundState) => {
      if (get().source === source) set({ policy, policyFrom, mechanism, history })
    },
    /** Sets a window and batch and turns masking on, as an undo step of its own. */
    applyWindow: ({ windowTurns, batchTurns }: MaskWindow) => {
      actions.endGesture()
      actions.changePolicy({ windowTurns, batchTurns, enabled: true })
    },
    /** Uses what is recommended for the shown session. */
    setForSession: () => {
      const recommended = sessionSettingsOf(get())
      if (recommended === undefined) return
      actions.endGesture()
      actions.changePolicy(recommended)
      set({ policyFrom: 'session' })
    },
    resetPolicy: () => actions.changePolicy(LINK_DEFAULTS),
    /** Pins a policy as A, to compare the current policy with it; undefined ends the comparison. */
    pin: (pinned: MaskPolicy | undefined) => set({ pinned }),
    /** Swaps the pinned policy and the current policy. */
    swapPinned: () => {
      const { pinned, policy } = get()
      if (pinned === undefined) return
      actions.changePolicy(pinned)
      actions.endGesture()
      set({ pinned: policy })
    },
  }
  return actions
}
