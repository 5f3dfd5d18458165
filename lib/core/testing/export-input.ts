import type { MaskPolicy } from '../policy/policy'
import type { ExportInput } from '../share/exports/export-target'

/** Input of an export while no conversation is open. */
export function inputWithoutTranscript(policy: MaskPolicy, fileName = 'run.json'): ExportInput {
  const provider = 'https://api.openai.com/v1'
  return { policy, fileName, site: 'https://masking.example', provider }
}
