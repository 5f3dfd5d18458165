import type { ErrorRule } from './conversation'

/** Each rule of `keep_errors` but `flag`; the patterns are linear in the text. */
const TEXT_RULES: readonly (readonly [ErrorRule, (text: string) => boolean])[] = [
  ['traceback', (text) => /traceback/i.test(text)],
  ['exception', (text) => /exception/i.test(text)],
  ['error_line', (text) => /(?:^|[\r\n])error/i.test(text)],
  ['timeout', (text) => /timeout/i.test(text)],
  ['connection', (text) => /connect_error|connection refused/i.test(text)],
  ['json_error', (text) => hasErrorKey(text) || isErrorObject(text)],
]

/** The rules a result's text meets, in the order of the table. */
export function errorRulesOf(text: string): ErrorRule[] {
  return TEXT_RULES.filter(([, meets]) => meets(text)).map(([rule]) => rule)
}

function hasErrorKey(text: string): boolean {
  return /"error"\s*:/.test(text)
}

function isErrorObject(text: string): boolean {
  // JSON.parse of megabytes of plain output would be paid for nothing.
  if (!text.trimStart().startsWith('{') || !text.trimEnd().endsWith('}')) return false
  try {
    return isErrorValue(JSON.parse(text))
  } catch {
    return false
  }
}

/** Whether a JSON value is an object with the key `error`, or with `status` equal to `error`. */
export function isErrorValue(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  return Object.hasOwn(value, 'error') || (value as { status?: unknown }).status === 'error'
}
