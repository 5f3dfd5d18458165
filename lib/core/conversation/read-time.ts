/** Before 2001 in seconds, which is 1970 in milliseconds: smaller numbers are no time of a transcript. */
const EARLIEST_SECONDS = 1e9
const EARLIEST_MILLISECONDS = 1e12

/**
 * A point in time in milliseconds since 1970, from an ISO 8601 text or a number of seconds or milliseconds; undefined
 * for anything else. A text without an offset is taken as UTC, so that a machine's own zone decides nothing.
 */
export function readTime(value: unknown): number | undefined {
  if (typeof value === 'number') {
    if (value >= EARLIEST_MILLISECONDS) return value
    return value >= EARLIEST_SECONDS ? value * 1000 : undefined
  }
  if (typeof value !== 'string') return undefined
  const found = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d(?:\.\d+)?)(Z|[+-]\d\d:?\d\d)?$/.exec(value)
  if (found === null) return undefined
  const time = Date.parse(`${found[1]}T${found[2]}${found[3] ?? 'Z'}`)
  return Number.isNaN(time) ? undefined : time
}
