import { type CallResult, failureOf } from './call-result'
import type { Guard } from './limits'
import type { Execution, Refusal } from './tool-call-manager'

/** Which guard stopped a call, and by what. */
export type Stop =
  | { readonly guard: Extract<Guard, 'batch_limit'>; readonly limit: number }
  /** The id of the call of the batch that it repeats. */
  | { readonly guard: Extract<Guard, 'duplicate'>; readonly first: string }
  | { readonly guard: Refusal; readonly by: Execution; readonly now: number }

/** The result that is sent in place of one a guard did not let come about. */
export function refusedResult(
  call: { readonly id: string; readonly name: string },
  stop: Stop,
): CallResult {
  switch (stop.guard) {
    case 'batch_limit':
      return failureOf(call, 'BATCH_LIMIT', `More than ${stop.limit} calls in one batch.`)
    case 'duplicate':
      return failureOf(call, 'DUPLICATE_IN_BATCH', `The same call as ${stop.first} in this batch.`)
    case 'ANTI_LOOP_ID':
    case 'ANTI_LOOP_SIGNATURE': {
      const seconds = (stop.now - stop.by.at) / 1000
      return failureOf(
        call,
        stop.guard,
        `Run ${seconds} s ago as ${stop.by.callId}; not run again.`,
      )
    }
  }
}
