/** The repair of malformed tool-call arguments, as the package has it. */
export { createArgumentRepair } from '../../core/loop/signature'
export { type RepairResult, repairArguments } from '../../core/repair/repair-arguments'
export { REPAIR_LIMITS, type RepairOptions } from '../../core/repair/repair-limits'
