import { isJsonObject, parseJson } from '../text/json'
import type { TextSpan } from '../text/span'
import { ALL_ERROR_RULES, type ErrorRule } from './conversation'
import PATTERNS from './error-patterns.json' with { type: 'json' }

export type TextRule = Exclude<ErrorRule, 'flag'>

/** By rule, the first place in a text that matches it. */
export type ErrorMatches = { readonly [Rule in TextRule]?: TextSpan }
/** The matches of most texts. */
const NONE: ErrorMatches = {}

/** An expression that marks a text as an error. Its syntax means the same in JavaScript and, on lower case, in Python. */
export interface ErrorPattern {
  readonly rule: TextRule
  readonly expression: RegExp
  /** The expression for texts in a list or an object, which Schema 1 says nothing of. */
  readonly inParts?: RegExp
  /** A word in each of its matches, as a part of an expression; undefined if `starts` finds them. */
  readonly word?: string
  /** How few and how many characters of a match can be before the word. */
  readonly before?: readonly number[]
  /** Up to six characters are found without a table, which takes longer than most texts. */
  readonly starts?: readonly string[]
}

/** Every expression of the rules. A text also matches `json_error` if it parses to an error; see `isErrorValue`. */
export const ERROR_PATTERNS = (PATTERNS as readonly PatternRow[]).map((row): ErrorPattern => {
  const { expression, inParts, isCaseSensitive = false, ...rest } = row
  const made = (source: string) => new RegExp(source, isCaseSensitive ? '' : 'i')
  return { ...rest, expression: made(expression), ...(inParts && { inParts: made(inParts) }) }
})

/** A row of the table, with its expressions as text. */
interface PatternRow extends Omit<ErrorPattern, 'expression' | 'inParts'> {
  readonly expression: string
  readonly inParts?: string
  readonly isCaseSensitive?: boolean
}

interface Test extends ErrorPattern {
  /** The expression, to be tested at one position. */
  readonly at: RegExp
  readonly atInParts: RegExp
  /** Its first character in lower case, which is compared before it; undefined if it begins with a choice. */
  readonly first: number | undefined
}

const TESTS: readonly Test[] = ERROR_PATTERNS.map((pattern) => {
  const { source, flags } = pattern.expression
  const first = /^[a-z"]/.test(source) ? source.charCodeAt(0) : undefined
  const at = new RegExp(source, `${flags}y`)
  const { inParts } = pattern
  return { ...pattern, at, atInParts: inParts ? new RegExp(inParts, `${flags}y`) : at, first }
})
const FRAMES = TESTS.filter(({ starts }) => starts !== undefined)

/** One expression finds all words faster than one for each. */
const WORD = new RegExp([...new Set(TESTS.flatMap(({ word }) => word ?? []))].join('|'), 'gi')
const testsOfWord = new Map<string, readonly Test[]>()

function testsOf(found: string): readonly Test[] {
  const known = testsOfWord.get(found)
  if (known !== undefined) return known
  const tests = TESTS.filter(({ word }) => new RegExp(`^(?:${word})$`, 'i').test(found))
  testsOfWord.set(found, tests)
  return tests
}

/**
 * Returns the rules that a result's text matches, in the order of `ALL_ERROR_RULES`. `isInParts` is true for a text in a list
 * or an object.
 */
export function errorRulesOf(text: string, isInParts = false): ErrorRule[] {
  const found = errorMatchesOf(text, isInParts)
  return found === NONE ? [] : ALL_ERROR_RULES.filter((rule) => Object.hasOwn(found, rule))
}

/** Scans a text once for all rules; parses it only if it can be an object whose status is an error. */
export function errorMatchesOf(text: string, isInParts = false): ErrorMatches {
  let found = NONE
  const add = (rule: TextRule, start: number, end: number) => {
    found = { ...found, [rule]: { start, end } }
  }
  WORD.lastIndex = 0
  for (let match = WORD.exec(text); match !== null; match = WORD.exec(text)) {
    const { index } = match
    // Two words can share a letter: "timeoutraceback".
    WORD.lastIndex = index + 1
    for (const test of testsOf(match[0].toLowerCase())) {
      const { rule, first, before: [fewest = 0, most = 0] = [] } = test
      if (found[rule] !== undefined) continue
      const at = isInParts ? test.atInParts : test.at
      for (let start = index - fewest; start >= index - most; start--) {
        if (first !== undefined && (text.charCodeAt(start) | LOWER_CASE) !== first) continue
        // The line that an error begins is shown without the end of the line before it.
        if (testAt(at, text, start)) add(rule, rule === 'error_line' ? index : start, at.lastIndex)
      }
    }
  }
  for (const { rule, at, starts = [] } of FRAMES) {
    for (const start of starts) {
      let index = text.indexOf(start)
      while (index !== -1 && found[rule] === undefined) {
        if (testAt(at, text, index)) add(rule, index, at.lastIndex)
        index = text.indexOf(start, index + 1)
      }
    }
  }
  if (found.json_error === undefined && canBeErrorObject(text) && isErrorValue(parseJson(text))) {
    const start = Math.max(text.indexOf('"status"'), text.indexOf('{'))
    add('json_error', start, start + (text[start] === '"' ? 8 : 1))
  }
  return found
}

/** The bit that tells a letter of ASCII in lower case from one in upper case; a quote has it too. */
const LOWER_CASE = 32

/** Tests a sticky expression at a position. */
function testAt(expression: RegExp, text: string, at: number): boolean {
  expression.lastIndex = at
  return expression.test(text)
}

/** True for text in braces, if the key `status` or its value `error` can be in it: in quotes or with escapes. */
function canBeErrorObject(text: string): boolean {
  if (!text.trimStart().startsWith('{') || !text.trimEnd().endsWith('}')) return false
  return (text.includes('"error"') && text.includes('"status"')) || text.includes('\\u')
}

/** True for an object that has the key `error`, or whose `status` is `error`. */
export function isErrorValue(value: unknown): boolean {
  return isJsonObject(value) && (Object.hasOwn(value, 'error') || value.status === 'error')
}
