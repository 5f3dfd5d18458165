import { DEFAULT_LIMITS } from '../guards'
import { type BatchRun, type ExecuteCall, runBatch } from '../run-batch'
import { EMPTY_LOOP, type PendingCall } from '../tool-call-manager'
import { createVirtualClock, type VirtualClock } from './virtual-clock'

export function call(id: string, signature = id): PendingCall {
  return { id, name: `tool ${id}`, arguments: '{}', signature }
}

/** Runs calls as one batch, and waits so many milliseconds for it. */
export async function run(
  calls: readonly PendingCall[],
  execute: (clock: VirtualClock) => ExecuteCall,
  wait = 200_000,
): Promise<BatchRun> {
  const clock = createVirtualClock()
  const running = runBatch(
    EMPTY_LOOP,
    { id: 'batch 1', calls },
    execute(clock),
    clock,
    DEFAULT_LIMITS,
  )
  await clock.advance(wait)
  return running
}
