/**
 * Parses JSON into a tree of positions; values come from `JSON.parse`, and what is wrong is named by the scanner of
 * jsonc-parser.
 * Accepts only RFC 8259; 20,000 nested arrays give a problem instead of a stack overflow.
 */

import { createScanner, type JSONScanner } from 'jsonc-parser'
import { ReadError } from '../problem'
import { phrase, type WordKey, type Words } from '../words/words'
import { type JsonNode, JsonTreeBuilder } from './json-node'
import { indexLines, positionAt } from './lines'
import type { Offset } from './span'

/** Greatest depth of nesting, small enough for recursive functions. */
export const MAX_JSON_DEPTH = 512

// jsonc-parser declares these as ambient const enums, which isolated modules cannot read.
const TOKEN = { string: 10, lineComment: 12, blockComment: 13, unknown: 16, end: 17 } as const

const SCAN_ERRORS: Readonly<Record<number, WordKey>> = {
  2: 'unclosed_string',
  3: 'unfinished_number',
  4: 'bad_unicode_escape',
  5: 'needless_backslash',
  6: 'control_character_in_string',
}

interface OpenNode {
  readonly kind: 'object' | 'array'
  readonly start: Offset
}

type Expected =
  | 'value'
  | 'value_or_close'
  | 'key'
  | 'key_or_close'
  | 'colon'
  | 'comma_or_close'
  | 'end'

const EXPECTED_WORDS: Readonly<Record<Exclude<Expected, 'comma_or_close'>, WordKey>> = {
  value: 'value',
  value_or_close: 'value_or_bracket',
  key: 'key',
  key_or_close: 'key_or_brace',
  colon: 'colon_after_key',
  end: 'end_of_text',
}

const CHARS_BETWEEN_REPORTS = 200_000

const [SPACE, QUOTE, COMMA, COLON, BACKSLASH] = [32, 34, 44, 58, 92]
const [OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = [91, 93, 123, 125]
const LITERAL =
  /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|(?:true|false|null)(?![^ \t\n\r}\]{[":,/])/y
const FOUR_DIGITS = /^[\da-f]{4}$/i

interface TreeOptions {
  /** Where the JSON begins in the text. */
  readonly from?: Offset
  /** Offset of the text in a longer one, to which the offsets of the tree refer. */
  readonly base?: Offset
  /** True if more may follow the value; where it ends is the end of the tree. */
  readonly isFirstOfMany?: boolean
  /** Receives the offset in the text reached so far. */
  readonly onProgress?: (offset: Offset) => void
}

/**
 * Parses a text as a JSON document. Throws a `ReadError` with line and column in `text` for anything that `JSON.parse`
 * refuses, and for nesting deeper than `MAX_JSON_DEPTH`.
 */
export function parseJsonTree(
  text: string,
  { from = 0, base = 0, isFirstOfMany = false, onProgress = () => {} }: TreeOptions = {},
): JsonNode {
  const builder = new JsonTreeBuilder(base)
  const stack: OpenNode[] = []
  let at = from
  let expected: Expected = 'value'
  let nextReport = from + CHARS_BETWEEN_REPORTS

  /** The first character behind white space; NaN at the end. */
  const next = (state: Expected): number => {
    expected = state
    for (;;) {
      const code = text.charCodeAt(at)
      if (code !== SPACE && code !== 10 && code !== 13 && code !== 9) return code
      at++
    }
  }
  const fail = () => unexpected(text, at, expected, stack.at(-1))
  const takeString = (): Offset => {
    const start = at
    at = endOfString(text, start) ?? fail()
    return start
  }
  const parseValue = (key: string | undefined, state: Expected): void => {
    const code = next(state)
    if (at > nextReport) {
      nextReport = at + CHARS_BETWEEN_REPORTS
      onProgress(at)
    }
    if (code === QUOTE) builder.add('string', key, takeString(), at)
    else if (code === OPEN_BRACE) parseNested('object', key)
    else if (code === OPEN_BRACKET) parseNested('array', key)
    else {
      const start = at
      LITERAL.lastIndex = start
      if (!LITERAL.test(text)) fail()
      const end = LITERAL.lastIndex
      // `1.` and `1e` are unfinished; in `1.5.5` the second point is a token of its own.
      if ('.eE'.includes(text.charAt(end) || ' ') && isUnfinished(text, start)) fail()
      at = end
      builder.add('other', key, start, end)
    }
  }
  const parseNested = (kind: OpenNode['kind'], key: string | undefined): void => {
    const [start, { mark }] = [at++, builder]
    if (stack.length >= MAX_JSON_DEPTH)
      throw new ReadError('too_deep', { ...placeOf(text, start), limit: MAX_JSON_DEPTH }, start)
    stack.push({ kind, start })
    const isArray = kind === 'array'
    const close = isArray ? CLOSE_BRACKET : CLOSE_BRACE
    let state: Expected = isArray ? 'value_or_close' : 'key_or_close'
    for (let code = next(state); code !== close; code = next('comma_or_close')) {
      if (expected === 'comma_or_close') {
        if (code !== COMMA) fail()
        at++
        state = isArray ? 'value' : 'key'
      }
      if (isArray) parseValue(undefined, state)
      else {
        if (next(state) !== QUOTE) fail()
        const quoted = text.slice(takeString(), at)
        const name = quoted.includes('\\') ? (JSON.parse(quoted) as string) : quoted.slice(1, -1)
        if (next('colon') !== COLON) fail()
        at++
        parseValue(name, 'value')
      }
    }
    at++
    stack.pop()
    builder.close(kind, key, start, at, mark)
  }

  parseValue(undefined, 'value')
  if (!isFirstOfMany && !Number.isNaN(next('end'))) fail()
  return builder.finish()
}

function placeOf(text: string, offset: Offset) {
  return positionAt(indexLines(text), offset)
}

function isUnfinished(text: string, start: Offset): boolean {
  const scanner = createScanner(text, false)
  scanner.setPosition(start)
  scanner.scan()
  return (scanner.getTokenError() as number) !== 0
}

/** Throws the problem of the token at an offset, which is not what is expected there. */
function unexpected(
  text: string,
  at: Offset,
  expected: Expected,
  open: OpenNode | undefined,
): never {
  const scanner = createScanner(text, false)
  scanner.setPosition(at)
  const token = scanner.scan() as number
  const expectedWord =
    expected !== 'comma_or_close'
      ? EXPECTED_WORDS[expected]
      : open?.kind === 'array'
        ? 'comma_or_bracket'
        : 'comma_or_brace'
  const refuse = (found: Words): ReadError => {
    const values = { ...placeOf(text, at), found, expected: phrase(expectedWord) }
    return new ReadError('invalid_json', values, at)
  }
  const cutOff = (missing: WordKey = expectedWord): ReadError => {
    const inside =
      open === undefined
        ? phrase('document')
        : phrase(`${open.kind}_opened_on_line`, { n: placeOf(text, open.start).line })
    const values = { ...placeOf(text, text.length), inside, expected: phrase(missing) }
    return new ReadError('truncated_json', values, text.length)
  }
  if (token === TOKEN.end) throw cutOff()
  const isLast = at + scanner.getTokenLength() >= text.length
  const scanError = scanner.getTokenError() as number
  if (scanError !== 0) {
    if (isLast) throw token === TOKEN.string ? cutOff('rest_of_string') : cutOff()
    throw refuse(phrase(SCAN_ERRORS[scanError] as WordKey))
  }
  if (token === TOKEN.lineComment || token === TOKEN.blockComment) throw refuse(phrase('comment'))
  const word = text.slice(at)
  if (token === TOKEN.unknown && isLast)
    if (['true', 'false', 'null', '-'].some((full) => full.startsWith(word))) throw cutOff()
  if (word.startsWith(',')) throw refuse(phrase('comma'))
  throw refuse(word.startsWith(':') ? phrase('colon') : quoteToken(text, scanner))
}

/** Returns the end of the string that begins at an offset; undefined if it is not valid. */
function endOfString(text: string, start: Offset): Offset | undefined {
  for (let at = start + 1; ; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) return at + 1
    if (code === BACKSLASH) {
      at++
      const isValid =
        'u' === text[at]
          ? FOUR_DIGITS.test(text.slice(at + 1, at + 5))
          : '"\\/bfnrt'.includes(text[at] ?? ' ')
      if (!isValid) return undefined
    } else if (!(code >= SPACE)) return undefined
  }
}

const QUOTED_CHARS = 24

function quoteToken(text: string, scanner: JSONScanner): Words {
  const start = scanner.getTokenOffset()
  const code = text.codePointAt(start) as number
  // Control, format and lone surrogate characters would show as nothing.
  if (/^[\p{C}\p{Z}]/u.test(text.slice(start, start + 1))) {
    return phrase('character', { code: `U+${code.toString(16).toUpperCase().padStart(4, '0')}` })
  }
  const length = scanner.getTokenLength()
  const token = text.slice(start, start + Math.min(length, QUOTED_CHARS))
  return length > QUOTED_CHARS ? `${token}…` : token
}
