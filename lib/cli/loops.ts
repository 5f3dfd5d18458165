import { loopsCommand } from './loops-command'
import { runAsProcess } from './run-command'

await runAsProcess(loopsCommand)
