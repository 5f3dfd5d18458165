import type { LoopLimits } from './limits'
import type { LoopClock } from './loop-clock'
import {
  type Batch,
  type BatchRun,
  type ExecuteCall,
  isBatchDone,
  type LoopEvent,
  startBatch,
  stepBatch,
} from './step-batch'
import type { LoopState } from './tool-call-manager'

/** Runs the calls of a batch that the guards let pass; every call has a result afterwards. Never rejects. */
export async function runBatch(
  start: LoopState,
  batch: Batch,
  execute: ExecuteCall,
  clock: LoopClock,
  limits: LoopLimits,
  onEvent: (event: LoopEvent) => void = () => {},
): Promise<BatchRun> {
  let progress = startBatch(start, batch, limits)
  while (!isBatchDone(progress)) progress = await stepBatch(progress, execute, clock, onEvent)
  const { state, results, events } = progress
  return { state, results, events }
}
