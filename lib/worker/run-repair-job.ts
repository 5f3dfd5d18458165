import type { ReadDocument } from '@/lib/core/formats/read-document'
import { repairArguments } from '@/lib/core/repair/repair-arguments'
import { type DocumentRepair, repairDocumentInSteps } from '@/lib/core/repair/repair-document'
import type { RepairBounds, RepairLimits } from '@/lib/core/repair/repair-limits'
import { measureRepairs } from '@/lib/core/repair/repair-metrics'
import type { TriedRepair } from './protocol'

/** Repairing lets other jobs in after so many characters. */
const CHARS_BETWEEN_PAUSES = 200_000

const withClock = (bounds: RepairBounds): RepairLimits => ({
  ...bounds,
  now: () => performance.now(),
})

/** Repairs the broken arguments of a document, call by call; undefined once `isStale` says so. */
export async function runRepairJob(
  { source, format, conversations }: ReadDocument,
  bounds: RepairBounds,
  isStale: () => Promise<boolean>,
): Promise<DocumentRepair | undefined> {
  const steps = repairDocumentInSteps(
    { text: source.text, format: format.id, conversations },
    withClock(bounds),
  )
  let chars = 0
  let step = steps.next()
  while (!step.done) {
    chars += step.value
    if (chars > CHARS_BETWEEN_PAUSES) {
      chars = 0
      if (await isStale()) return undefined
    }
    step = steps.next()
  }
  return step.value
}

/** Repairs a text that was typed in; what it parses to stays here. */
export function tryRepair(text: string, bounds: RepairBounds): TriedRepair {
  const result = repairArguments(text, withClock(bounds))
  const { value: _, ...told } = result
  return { text, result: told, metrics: measureRepairs(0, [result]) }
}
