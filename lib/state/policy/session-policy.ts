/** The settings that a document opens with: those recommended for it, until the user or a link chooses others. */
import type { MaskPolicy } from '@/lib/core/policy/policy'
import { recommendationOf } from '../costs/session-advice'
import { currentReadOf } from '../document/selectors'
import { type PlaygroundState, type PlaygroundStore, select } from '../store'

/** The recommended settings of the shown session; undefined if nothing is recommended, or not yet. */
export const sessionSettingsOf = select(
  [recommendationOf],
  (advice): Partial<Pick<MaskPolicy, 'enabled' | 'windowTurns' | 'batchTurns'>> | undefined => {
    if (advice.state === 'mask') {
      const { windowTurns, batchTurns } = advice.point
      return { enabled: true, windowTurns, batchTurns }
    }
    // Where no window would mask anything, masking changes nothing either.
    const isDear = advice.state === 'do_not_mask' && advice.cheapest !== undefined
    return isDear ? { enabled: false } : undefined
  },
)

/** True while the settings in use are about to be replaced by the recommended ones. */
export function isSettling(state: PlaygroundState): boolean {
  if (state.policyFrom !== 'default' || state.read === undefined) return false
  return recommendationOf(state) === undefined || sessionSettingsOf(state) !== undefined
}

/** True if the recommended settings are in use. */
export function hasSessionSettings(state: PlaygroundState): boolean {
  const { enabled, windowTurns, batchTurns } = sessionSettingsOf(state) ?? {}
  const { policy } = state
  const isSameWindow = policy.windowTurns === windowTurns && policy.batchTurns === batchTurns
  return enabled === false ? !policy.enabled : enabled === policy.enabled && isSameWindow
}

/** Gives each document the recommended settings once they are known, unless a policy was chosen; not a step to undo. */
export function watchSessionPolicy(store: PlaygroundStore): void {
  store.subscribe((state) => {
    const { policy, policyFrom, reading } = state
    if (policyFrom !== 'default' || reading.state !== 'read' || !currentReadOf(state)) return
    const recommended = sessionSettingsOf(state)
    if (recommended !== undefined)
      store.setState({ policy: { ...policy, ...recommended }, policyFrom: 'session' })
  })
}
