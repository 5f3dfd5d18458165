import type { ErrorRule } from './conversation'

type TextRule = Exclude<ErrorRule, 'flag'>

/** One expression finds all words faster than one for each. The text around `error` decides its rule. */
const WORD = /traceback|exception|timeout|connection refused|error/gi
const RULES: Readonly<Record<string, TextRule>> = {
  traceback: 'traceback',
  exception: 'exception',
  timeout: 'timeout',
  'connection refused': 'connection',
}
const CONNECT_ERROR = /connect_error/iy
const COLON = /\s*:/y

/**
 * Returns the rules that a result's text matches, in the order of `ERROR_RULES`.
 * Scans the text once; parses it only if it can be an object whose status is an error.
 */
export function errorRulesOf(text: string): ErrorRule[] {
  const found: Record<TextRule, boolean> = {
    traceback: false,
    exception: false,
    error_line: false,
    timeout: false,
    connection: false,
    json_error: false,
  }
  let isErrorQuoted = false
  WORD.lastIndex = 0
  for (let match = WORD.exec(text); match !== null; match = WORD.exec(text)) {
    const { index } = match
    // Two words can share a letter: "timeoutraceback".
    WORD.lastIndex = index + 1
    const rule = RULES[match[0].toLowerCase()]
    if (rule !== undefined) {
      found[rule] = true
      continue
    }
    const before = text[index - 1]
    if (before === undefined || before === '\n' || before === '\r') found.error_line = true
    if (before === '_') found.connection ||= testAt(CONNECT_ERROR, text, index - 8)
    if (before === '"' && text.startsWith('error"', index)) {
      isErrorQuoted = true
      found.json_error ||= testAt(COLON, text, index + 6)
    }
  }
  found.json_error ||= canBeErrorObject(text, isErrorQuoted) && isErrorObject(text)
  return (Object.keys(found) as TextRule[]).filter((rule) => found[rule])
}

/** Tests a sticky expression at a position. */
function testAt(expression: RegExp, text: string, at: number): boolean {
  expression.lastIndex = at
  return expression.test(text)
}

/** True for text in braces, if the key `status` or its value `error` can be in it: in quotes or with escapes. */
function canBeErrorObject(text: string, isErrorQuoted: boolean): boolean {
  if (!text.trimStart().startsWith('{') || !text.trimEnd().endsWith('}')) return false
  return (isErrorQuoted && text.includes('"status"')) || text.includes('\\u')
}

function isErrorObject(text: string): boolean {
  try {
    return isErrorValue(JSON.parse(text))
  } catch {
    return false
  }
}

/** True for an object that has the key `error`, or whose `status` is `error`. */
export function isErrorValue(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  return Object.hasOwn(value, 'error') || (value as { status?: unknown }).status === 'error'
}
