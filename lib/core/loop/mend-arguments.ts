import { repairArguments } from '../repair/repair-arguments'
import type { MendArguments } from './signature'

/** Mends malformed arguments as the repair of a document would; texts met before are not mended again. */
export function createMendArguments(): MendArguments {
  const known = new Map<string, string | undefined>()
  return (text) => {
    if (!known.has(text)) {
      const { state, text: mended } = repairArguments(text)
      known.set(text, state === 'failed' ? undefined : mended)
    }
    return known.get(text)
  }
}
