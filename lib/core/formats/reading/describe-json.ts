/** Describes a JSON value in words, for sentences about what was found. */
export function describeJson(value: unknown): string {
  if (value === null) return 'null'
  if (value === undefined) return 'missing'
  if (Array.isArray(value)) {
    if (value.length === 0) return 'an empty list'
    return value.length === 1 ? 'a list of 1 item' : `a list of ${value.length} items`
  }
  if (typeof value === 'object') {
    const keys = Object.keys(value)
    if (keys.length === 0) return 'an empty object'
    const shown = keys.slice(0, 4).map((key) => JSON.stringify(key.slice(0, 40)))
    return `an object with ${shown.join(', ')}${keys.length > 4 ? ', …' : ''}`
  }
  if (typeof value === 'string') return value === '' ? 'an empty text' : 'a text'
  return typeof value === 'number' ? 'a number' : String(value)
}
