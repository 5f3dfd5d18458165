import { benchCommand } from './bench-command'
import { runAsProcess } from './run-command'

await runAsProcess(benchCommand)
