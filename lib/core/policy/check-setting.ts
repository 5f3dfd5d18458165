import { DEFAULT_POLICY, type MaskPolicy } from './policy'
import { POLICY_FIELDS, type PolicyField } from './policy-fields'

/** Outcome of a check: the value is valid, was changed to a valid one, or is invalid. */
export type CheckedSetting =
  | { readonly state: 'valid'; readonly value: MaskPolicy[keyof MaskPolicy] }
  | {
      readonly state: 'clamped'
      readonly value: MaskPolicy[keyof MaskPolicy]
      readonly reason: string
    }
  | { readonly state: 'invalid'; readonly reason: string }

/** Checks a value from a link, TOML or command line against its field. Reasons are English sentences. */
export function checkSetting(field: PolicyField, value: unknown): CheckedSetting {
  switch (field.kind) {
    case 'flag':
      return typeof value === 'boolean' ? valid(value) : expected(field, value, 'true or false')
    case 'integer': {
      if (value === null && field.isNullable) return valid(0)
      if (typeof value === 'bigint') return checkSetting(field, Number(value))
      if (typeof value !== 'number' || !Number.isInteger(value)) {
        return expected(field, value, `a whole number from ${field.minimum} to ${field.maximum}`)
      }
      const nearest = Math.min(Math.max(value, field.minimum), field.maximum)
      // In Schema 1 a negative window means "off".
      if (nearest === value || (field.key === 'windowTurns' && value < 0)) return valid(nearest)
      return {
        state: 'clamped',
        value: nearest,
        reason: `${field.toml} is ${value}; expected ${field.minimum} to ${field.maximum}, of which ${nearest} is nearest.`,
      }
    }
    case 'text':
      if (typeof value !== 'string') return expected(field, value, 'a text')
      if (value.length <= field.maximumLength) return valid(value)
      return expected(
        field,
        `a text of ${value.length} characters`,
        `at most ${field.maximumLength}`,
      )
    case 'names': {
      if (!isTextList(value)) return expected(field, value, `a list of ${field.items}`)
      const names = [...new Set(value)]
      if (field.limit === undefined) return valid(names)
      const { items, length } = field.limit
      const usable = names.filter((name) => name !== '' && name.length <= length).slice(0, items)
      if (usable.length === names.length) return valid(names)
      return {
        state: 'clamped',
        value: usable,
        reason: `${field.toml} has ${names.length} ${field.items}; expected at most ${items}, of 1 to ${length} characters each. The others are left out.`,
      }
    }
    case 'rules': {
      if (!isTextList(value)) return expected(field, value, `a list of ${field.options.join(', ')}`)
      const known = field.options.filter((rule) => value.includes(rule))
      const unknown = value.filter((rule) => !(field.options as readonly string[]).includes(rule))
      if (unknown.length === 0) return valid(known)
      return {
        state: 'clamped',
        value: known,
        reason: `${field.toml} names ${unknown.map((rule) => JSON.stringify(rule)).join(', ')}; known are ${field.options.join(', ')}.`,
      }
    }
  }
}

function valid(value: MaskPolicy[keyof MaskPolicy]): CheckedSetting {
  return { state: 'valid', value }
}

function expected(field: PolicyField, value: unknown, what: string): CheckedSetting {
  return { state: 'invalid', reason: `${field.toml} is ${shown(value)}; expected ${what}.` }
}

function shown(value: unknown): string {
  if (typeof value === 'string')
    return value.length > 40 ? `${value.slice(0, 40)}…` : JSON.stringify(value)
  if (typeof value === 'number' || typeof value === 'boolean' || value === null)
    return String(value)
  if (value === undefined) return 'missing'
  if (value instanceof Date) return 'a date'
  return Array.isArray(value) ? 'a list' : 'a table'
}

function isTextList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}

/** The policy with the default of every setting that is missing. Throws a `RangeError` that names the first bad setting. */
export function completePolicy(settings: Partial<MaskPolicy>): MaskPolicy {
  const policy: Record<string, unknown> = { ...DEFAULT_POLICY }
  for (const [key, value] of Object.entries(settings)) {
    if (value === undefined) continue
    const field = POLICY_FIELDS.find((field) => field.key === key)
    if (field === undefined) throw new RangeError(unknownSetting(key))
    const checked = checkSetting(field, value)
    if (checked.state !== 'valid') {
      throw new RangeError(checked.reason.replace(field.toml, field.key))
    }
    policy[key] = checked.value
  }
  return policy as unknown as MaskPolicy
}

function unknownSetting(key: string): string {
  const same = POLICY_FIELDS.find(({ toml }) => toml === key)
  const expected = same?.key ?? POLICY_FIELDS.map((field) => field.key).join(', ')
  return `${JSON.stringify(key)} is not a setting; expected ${expected}.`
}
