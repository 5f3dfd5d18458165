import { useDeferredState } from '@/components/playground-context'
import type { Reason } from '@/lib/core/policy/decide'
import { isTrying } from '@/lib/state/costs/tried-mechanism'

/** Names the reason of a decision: a mechanism in place of the policy has other words for what it changes and for all else. */
export function useReasonName() {
  const isTried = useDeferredState(isTrying)
  return (reason: Reason) =>
    isTried && reason === 'masked' ? 'changed' : isTried && reason === 'disabled' ? 'kept' : reason
}
