import { type Phrase, phrase, type Words } from '../words/words'
import type { MaskPolicy, NumericField, PolicyField } from './policy'

type Value = MaskPolicy[keyof MaskPolicy]

/** Outcome of a check: the value is valid, was changed to a valid one, or is invalid. */
export type CheckedSetting =
  | { readonly state: 'valid'; readonly value: Value }
  | { readonly state: 'clamped'; readonly value: Value; readonly reason: Phrase }
  | { readonly state: 'invalid'; readonly reason: Phrase }

/** Checks a value from a link, TOML or command line against its field. Reasons use the `name` that the setting has there. */
export function checkSetting(field: PolicyField, value: unknown, name: string = field.toml) {
  switch (field.kind) {
    case 'flag':
      return typeof value === 'boolean'
        ? valid(value)
        : expected(name, value, phrase('true_or_false'))
    case 'number': {
      if (value === null && field.isNullable) return valid(0)
      if (value === 'auto' && field.hasAuto) return valid(value)
      if (typeof value === 'bigint') return checkSetting(field, Number(value), name)
      const { minimum: least, maximum: most } = field
      const isRight = field.isWhole ? Number.isInteger : Number.isFinite
      if (typeof value !== 'number' || !isRight(value)) {
        const key = field.isWhole ? 'whole_number_from_to' : 'number_from_to'
        const what = phrase(key, { least, most })
        return expected(name, value, field.hasAuto ? phrase('or_auto', { what }) : what)
      }
      const nearest = Math.min(Math.max(value, least), most)
      // In Schema 1 a negative window means "off".
      if (nearest === value || (field.key === 'windowTurns' && value < 0)) return valid(nearest)
      return clamped(nearest, phrase('out_of_range', { name, value, least, most, nearest }))
    }
    case 'text':
      if (typeof value !== 'string') return expected(name, value, phrase('text'))
      if (value.length <= field.maximumLength) return valid(value)
      return wrong(
        name,
        phrase('text_of_characters', { n: value.length }),
        phrase('at_most', { n: field.maximumLength }),
      )
    case 'choice':
      return (field.options as readonly unknown[]).includes(value)
        ? valid(value as MaskPolicy[typeof field.key])
        : expected(name, value, phrase('one_of', { options: field.options }))
    case 'names': {
      const refused = expected(name, value, phrase(`list_of_${field.items}`))
      if (!isTextList(value)) return refused
      const names = [...new Set(value)]
      const { items, length } = field.limit ?? { items: names.length, length: Infinity }
      const usable = names.filter((name) => name !== '' && name.length <= length).slice(0, items)
      if (usable.length === names.length) return valid(names)
      if (usable.length === names.length - 1 && names.includes(''))
        return clamped(usable, refused.reason)
      const listed = { name, n: names.length, items: phrase(field.items), most: items, length }
      return clamped(usable, phrase('too_many_items', listed))
    }
    case 'rules': {
      if (!isTextList(value))
        return expected(name, value, phrase('list_of_options', { options: field.options }))
      const known = field.options.filter((rule) => value.includes(rule))
      const unknown = value.filter((rule) => !(field.options as readonly string[]).includes(rule))
      if (unknown.length === 0) return valid(known)
      const quoted = unknown.map((rule) => JSON.stringify(rule))
      const listed = { name, unknown: quoted, known: field.options }
      return clamped(known, phrase('unknown_names', listed))
    }
  }
}

/** True for a number as people write it, with decimals where the setting has some. */
export function isNumber({ isWhole }: Pick<NumericField, 'isWhole'>, text: string): boolean {
  return (isWhole ? /^-?\d{1,15}$/ : /^-?\d{1,15}(\.\d{1,9})?$/).test(text)
}

const valid = (value: Value) => ({ state: 'valid', value }) as const

const clamped = (value: Value, reason: Phrase) => ({ state: 'clamped', value, reason }) as const

const expected = (name: string, value: unknown, what: Phrase) =>
  wrong(name, shownValue(value), what)

function wrong(path: string, found: Words, expected: Phrase) {
  const reason: Phrase = { key: 'wrong_type', values: { path, found, expected } }
  return { state: 'invalid', reason } as const
}

/** A value as a sentence says what was found: short, or what kind of value it is. */
export function shownValue(value: unknown): Words {
  if (typeof value === 'string')
    return value.length > 40 ? `${value.slice(0, 40)}…` : JSON.stringify(value)
  if (typeof value === 'number' || typeof value === 'boolean' || value === null)
    return String(value)
  if (value === undefined) return phrase('missing')
  if (value instanceof Date) return phrase('date')
  if (!Array.isArray(value)) return phrase('table')
  return phrase(value.includes('') ? 'list_with_empty_item' : 'list')
}

const isTextList = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string')
