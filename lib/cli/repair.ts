import { repairCommand } from './repair-command'
import { runAsProcess } from './run-command'

await runAsProcess(repairCommand)
