import { maskCommand } from './mask-command'
import { runAsProcess } from './run-command'

await runAsProcess(maskCommand)
