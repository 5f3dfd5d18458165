// Apart from `check-setting`, which the page loads first and without the English words.
import { inEnglish } from '../words/english'
import { checkSetting } from './check-setting'
import { DEFAULT_POLICY, type MaskPolicy, POLICY_FIELDS } from './policy'

/** The policy with the default of every setting that is missing. Throws a `RangeError` that names the first bad setting. */
export function completePolicy(settings: Partial<MaskPolicy>): MaskPolicy {
  const policy: Record<string, unknown> = { ...DEFAULT_POLICY }
  for (const [key, value] of Object.entries(settings)) {
    if (value === undefined) continue
    const field = POLICY_FIELDS.find((field) => field.key === key)
    if (field === undefined) throw new RangeError(unknownSetting(key))
    const checked = checkSetting(field, value, key)
    if (checked.state !== 'valid') throw new RangeError(inEnglish(checked.reason))
    policy[key] = checked.value
  }
  return policy as unknown as MaskPolicy
}

function unknownSetting(key: string): string {
  const same = POLICY_FIELDS.find(({ toml }) => toml === key)
  const expected = same?.key ?? POLICY_FIELDS.map((field) => field.key).join(', ')
  return `${JSON.stringify(key)} is not a setting; expected ${expected}.`
}
