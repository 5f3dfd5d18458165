/** Timestamps before 2001 are ignored, so the size of a number tells seconds from milliseconds. */
const EARLIEST_SECONDS = 1e9
const EARLIEST_MILLISECONDS = 1e12

/**
 * Converts an ISO 8601 text, or a number of seconds or milliseconds, to milliseconds since 1970; undefined for anything
 * else. A text without an offset is read as UTC, so the result does not depend on the machine's time zone.
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
