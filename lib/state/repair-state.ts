import type { DocumentRepair } from '@/lib/core/repair/repair-document'
import { REPAIR_LIMITS, type RepairBounds } from '@/lib/core/repair/repair-limits'

export interface RepairState {
  /** Arguments of calls that do not parse, of the source with this id. */
  readonly broken: { readonly source: number; readonly repair: DocumentRepair } | undefined
  readonly isRepairOpen: boolean
  /** What repairing one document may take. */
  readonly repairBounds: RepairBounds
}

export const REPAIR_AT_FIRST: RepairState = {
  broken: undefined,
  isRepairOpen: false,
  repairBounds: REPAIR_LIMITS,
}
