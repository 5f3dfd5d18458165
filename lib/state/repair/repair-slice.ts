/** Malformed arguments of the open document, as the worker repaired them. */

import { REPAIR_LIMITS, type RepairSettings } from '@/lib/core/repair/repair-arguments'
import type { DocumentRepair } from '@/lib/core/repair/repair-document'

export interface RepairSlice {
  /** The repair of the source with this id, with these settings. */
  readonly broken:
    | {
        readonly source: number
        readonly settings: RepairSettings
        readonly repair: DocumentRepair
      }
    | undefined
  /** Limits on the repair of one document. */
  readonly repairSettings: RepairSettings
}

export const INITIAL_REPAIR: RepairSlice = {
  broken: undefined,
  repairSettings: REPAIR_LIMITS,
}
