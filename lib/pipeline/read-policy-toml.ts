import type { MaskPolicy } from '../core/policy/policy'
import { readPolicyToml as read } from '../core/share/toml/read-policy-toml'
import { inEnglish } from '../core/words/english'

type ReadPolicyToml =
  | { readonly state: 'read'; readonly policy: MaskPolicy; readonly problems: readonly string[] }
  | { readonly state: 'failed'; readonly reason: string }

/**
 * Reads a policy from a complete `config.toml`. Other tables are ignored, and missing settings come from `defaults`.
 * An invalid value counts as missing and is reported as an English sentence with its line.
 */
export function readPolicyToml(text: string, defaults?: MaskPolicy): ReadPolicyToml {
  const result = read(text, defaults)
  return result.state === 'failed'
    ? { state: 'failed', reason: inEnglish(result.reason) }
    : { ...result, problems: result.problems.map(inEnglish) }
}
