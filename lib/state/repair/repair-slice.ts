/** Malformed arguments of the open document, as the worker repaired them. */
import { REPAIR_LIMITS, type RepairSettings } from '@/lib/core/repair/repair-limits'

export interface RepairSlice {
  /** Limits on the repair of one document. */
  readonly repairSettings: RepairSettings
}

export const INITIAL_REPAIR: RepairSlice = {
  repairSettings: REPAIR_LIMITS,
}
