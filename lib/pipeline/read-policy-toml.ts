import type { MaskPolicy } from '../core/policy/policy'
import { readPolicyToml as read } from '../core/share/toml/policy-toml'
import { inEnglish } from '../core/words/english'

/**
 * Reads a policy from a complete `config.toml`. Other tables are ignored, and missing settings come from `defaults`.
 * An invalid value counts as missing and is reported as an English sentence with its line.
 */
export function readPolicyToml(text: string, defaults?: MaskPolicy) {
  const result = read(text, defaults)
  return result.state === 'failed'
    ? { ...result, reason: inEnglish(result.reason) }
    : { ...result, problems: result.problems.map(inEnglish) }
}
