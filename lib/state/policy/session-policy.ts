/** The settings that a document opens with: those recommended for it, until the user or a link chooses others. */
import { isSamePolicy, type MaskPolicy } from '@/lib/core/policy/policy'
import { LINK_DEFAULTS } from '@/lib/core/share/link/settings-link'
import { recommendationOf } from '../costs/session-advice'
import { currentReadOf } from '../document/selectors'
import { select } from '../select'
import type { PlaygroundState, PlaygroundStore } from '../store'
import { FIRST_VISIT_POLICY } from './policy-slice'

/** The default policy with the recommended window and step, or turned off; undefined if nothing is recommended yet. */
export const sessionPolicyOf = select([recommendationOf], (advice): MaskPolicy | undefined => {
  if (advice.state === 'mask') {
    const { windowTurns, batchTurns } = advice.point
    return { ...LINK_DEFAULTS, windowTurns, batchTurns }
  }
  // Where no window would mask anything, the default changes nothing either.
  const isDear = advice.state === 'do_not_mask' && advice.cheapest !== undefined
  return isDear ? { ...LINK_DEFAULTS, enabled: false } : undefined
})

/** True if the policy is the one recommended for the shown session. */
export function isSetForSession(state: PlaygroundState): boolean {
  const recommended = sessionPolicyOf(state)
  return recommended !== undefined && isSamePolicy(recommended, state.policy)
}

/** True until the user or a link chooses a policy. A chosen default is another object than that of a fresh page. */
export function isPolicyUnchosen(state: PlaygroundState): boolean {
  const { policy, policyFrom } = state
  if (policy === LINK_DEFAULTS || policy === FIRST_VISIT_POLICY) return true
  return policyFrom === undefined && isSetForSession(state)
}

/** Sets the recommended policy for each document that is opened before a policy was chosen; not a step to undo. */
export function watchSessionPolicy(store: PlaygroundStore): void {
  store.subscribe((state) => {
    const { policy, reading } = state
    if (policy !== LINK_DEFAULTS || reading.state !== 'read' || !currentReadOf(state)) return
    const recommended = sessionPolicyOf(state)
    if (recommended !== undefined) store.setState({ policy: recommended })
  })
}
