import { phrase, type Words } from '../../words/words'

/** Describes a JSON value in words, for sentences about what was found. */
export function describeJson(value: unknown): Words {
  if (value === null) return 'null'
  if (value === undefined) return phrase('missing')
  if (Array.isArray(value)) {
    if (value.length === 0) return phrase('empty_list')
    return value.length === 1
      ? phrase('list_of_one')
      : phrase('list_of_n_items', { n: value.length })
  }
  if (typeof value === 'object') {
    const keys = Object.keys(value)
    if (keys.length === 0) return phrase('empty_object')
    const shown = keys.slice(0, 4).map((key) => JSON.stringify(key.slice(0, 40)))
    return phrase('object_with_keys', { keys: keys.length > 4 ? [...shown, '…'] : shown })
  }
  if (typeof value === 'string') return phrase(value === '' ? 'empty_text' : 'text')
  return typeof value === 'number' ? phrase('number') : String(value)
}
