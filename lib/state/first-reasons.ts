/** A notice covers what is below it: further reasons are counted. */
const MOST_SAID = 4

/** The values of a notice that gives reasons: how many there are, the first of them, and how many are left. */
export function firstReasons(reasons: readonly string[]) {
  const reason = reasons.slice(0, MOST_SAID).join(' ')
  return { count: reasons.length, reason, rest: Math.max(0, reasons.length - MOST_SAID) }
}
