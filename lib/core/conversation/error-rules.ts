import type { Span } from '../text/span'
import { ALL_ERROR_RULES, type ErrorRule } from './conversation'

export type TextRule = Exclude<ErrorRule, 'flag'>

/** By rule, the first place in a text that matches it. */
export type ErrorMatches = { readonly [Rule in TextRule]?: Span }
/** The matches of most texts. */
const NONE: ErrorMatches = {}

/** One expression finds all words faster than one for each. The text around a word decides its rule. */
const WORD = /traceback|exception|timeout|connection refused|error|exit|return[ _-]?code|success"/gi
const RULES: Readonly<Record<string, TextRule>> = {
  traceback: 'traceback',
  exception: 'exception',
  timeout: 'timeout',
  'connection refused': 'connection',
}
const CONNECT_ERROR = /connect_error/iy
const COLON = /\s*:/y
const PYTHON_FRAME = /traceback \(most recent call last\):\r?\n[ \t]{1,16}File "/iy
/** A frame of JavaScript or Java: a place with its line. */
const FRAME = /\n(?: {4}|\t)at [^\n]{1,200}:\d/y
/** Up to six characters are found without a table, which takes longer than most texts. */
const FRAME_STARTS = ['\n    a', '\n\tat ']
const EXIT_CODE =
  /(?:exit(?:ed)?[ _-]?(?:with[ _-]?)?(?:code|status)|exited with|return[ _-]?code)["']?[ \t]{0,3}[:=]?[ \t]{0,3}-?0{0,9}[1-9]/iy
const ERROR_FLAG = /"is_?error"\s*:\s*true/iy
const SUCCESS_FALSE = /"success"\s*:\s*false/iy
const STATUS_ERROR = /"status"\s{0,20}:\s{0,20}"$/i

/** Returns the rules that a result's text matches, in the order of `ALL_ERROR_RULES`. */
export function errorRulesOf(text: string): ErrorRule[] {
  const found = errorMatchesOf(text)
  return found === NONE ? [] : ALL_ERROR_RULES.filter((rule) => Object.hasOwn(found, rule))
}

/** Scans a text once for all rules; parses it only if it can be an object whose status is an error. */
export function errorMatchesOf(text: string): ErrorMatches {
  let found = NONE
  const add = (rule: TextRule, start: number, end: number) => {
    if (found[rule] === undefined) found = { ...found, [rule]: { start, end } }
  }
  /** Adds a rule if the expression matches at a position. */
  const addAt = (rule: TextRule, expression: RegExp, at: number) => {
    if (found[rule] === undefined && testAt(expression, text, at))
      add(rule, at, expression.lastIndex)
  }
  let isErrorQuoted = false
  WORD.lastIndex = 0
  for (let match = WORD.exec(text); match !== null; match = WORD.exec(text)) {
    const { index } = match
    // Two words can share a letter: "timeoutraceback".
    WORD.lastIndex = index + 1
    const word = match[0].toLowerCase()
    const rule = RULES[word]
    if (rule !== undefined) {
      add(rule, index, index + word.length)
      if (rule === 'traceback') addAt('stack_trace', PYTHON_FRAME, index)
      continue
    }
    if (word !== 'error') {
      if (word === 'success"') addAt('json_failure', SUCCESS_FALSE, index - 1)
      else addAt('exit_code', EXIT_CODE, index)
      continue
    }
    const before = text[index - 1]
    if (before === undefined || before === '\n' || before === '\r')
      add('error_line', index, index + 5)
    if (before === '_') addAt('connection', CONNECT_ERROR, index - 8)
    addAt('error_flag', ERROR_FLAG, index - (before === '_' ? 4 : 3))
    if (before !== '"' || text[index + 5] !== '"') continue
    const status = STATUS_ERROR.exec(text.slice(Math.max(0, index - 52), index))
    if (status !== null) add('json_failure', index - status[0].length, index + 6)
    if (match[0] !== 'error') continue
    isErrorQuoted = true
    if (testAt(COLON, text, index + 6)) add('json_error', index - 1, COLON.lastIndex)
  }
  for (const start of FRAME_STARTS) {
    let at = text.indexOf(start)
    while (at !== -1 && found.stack_trace === undefined) {
      addAt('stack_trace', FRAME, at)
      at = text.indexOf(start, at + 1)
    }
  }
  if (
    found.json_error === undefined &&
    canBeErrorObject(text, isErrorQuoted) &&
    isErrorObject(text)
  ) {
    const start = Math.max(text.indexOf('"status"'), text.indexOf('{'))
    add('json_error', start, start + (text[start] === '"' ? 8 : 1))
  }
  return found
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
