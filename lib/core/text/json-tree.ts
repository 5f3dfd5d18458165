/**
 * Parses JSON into a tree of positions, with the scanner of jsonc-parser; values come from `JSON.parse`.
 * Accepts only RFC 8259, and is iterative, so that 20,000 nested arrays give a problem instead of a stack overflow.
 */

import { createScanner, type JSONScanner } from 'jsonc-parser'
import { ReadError } from '../problem'
import { type Phrase, phrase, type WordKey, type Words } from '../words/words'
import { type JsonNode, JsonTreeBuilder } from './json-node'
import { indexLines, positionAt } from './lines'
import type { Offset } from './span'

/** Greatest depth of nesting, small enough for recursive functions. */
export const MAX_JSON_DEPTH = 512

// jsonc-parser declares these as ambient const enums, which isolated modules cannot read.
const TOKEN = {
  openBrace: 1,
  closeBrace: 2,
  openBracket: 3,
  closeBracket: 4,
  comma: 5,
  colon: 6,
  nullWord: 7,
  trueWord: 8,
  falseWord: 9,
  string: 10,
  number: 11,
  lineComment: 12,
  blockComment: 13,
  lineBreak: 14,
  space: 15,
  unknown: 16,
  end: 17,
} as const

const SCAN_ERRORS: Readonly<Record<number, WordKey>> = {
  2: 'unclosed_string',
  3: 'unfinished_number',
  4: 'bad_unicode_escape',
  5: 'needless_backslash',
  6: 'control_character_in_string',
}

interface OpenNode {
  readonly kind: 'object' | 'array'
  readonly key: string | undefined
  readonly start: Offset
  /** Where its children begin in the builder. */
  readonly mark: number
  pendingKey: string | undefined
}

type Expected =
  | 'value'
  | 'value_or_close'
  | 'key'
  | 'key_or_close'
  | 'colon'
  | 'comma_or_close'
  | 'end'

const TAKES_STRING: ReadonlySet<Expected> = new Set([
  'value',
  'value_or_close',
  'key',
  'key_or_close',
])

const EXPECTED_WORDS: Readonly<Record<Exclude<Expected, 'comma_or_close'>, WordKey>> = {
  value: 'value',
  value_or_close: 'value_or_bracket',
  key: 'key',
  key_or_close: 'key_or_brace',
  colon: 'colon_after_key',
  end: 'end_of_text',
}

const CHARS_BETWEEN_REPORTS = 200_000

const QUOTE = 34
const BACKSLASH = 92
const SPACE = 32
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
  const part = text.slice(from)
  const scanner = createScanner(part, false)
  const stack: OpenNode[] = []
  const builder = new JsonTreeBuilder(base)
  let expected = 'value' as Expected
  const expectedWords = (): WordKey => {
    if (expected !== 'comma_or_close') return EXPECTED_WORDS[expected]
    return stack.at(-1)?.kind === 'array' ? 'comma_or_bracket' : 'comma_or_brace'
  }
  let nextReport = CHARS_BETWEEN_REPORTS

  const place = (offset: Offset) => positionAt(indexLines(text), offset)
  const refuse = (found: Words, offset = from + scanner.getTokenOffset()): ReadError => {
    const values = { ...place(offset), found, expected: phrase(expectedWords()) }
    return new ReadError('invalid_json', values, offset)
  }
  const cutOff = (missing = expectedWords()): ReadError => {
    const open = stack.at(-1)
    const inside =
      open === undefined ? phrase('document') : describeOpen(open, place(open.start).line)
    const values = { ...place(text.length), inside, expected: phrase(missing) }
    return new ReadError('truncated_json', values, text.length)
  }
  const close = (kind: OpenNode['kind']): void => {
    const open = stack.at(-1)
    const canClose =
      expected === 'comma_or_close' ||
      expected === (kind === 'array' ? 'value_or_close' : 'key_or_close')
    if (open?.kind !== kind || !canClose) throw refuse(kind === 'array' ? ']' : '}')
    stack.pop()
    builder.close(kind, open.key, open.start, from + scanner.getTokenOffset() + 1, open.mark)
    expected = stack.length === 0 ? 'end' : 'comma_or_close'
  }

  const addLeaf = (kind: 'string' | 'other', start: Offset, end: Offset): void => {
    builder.add(kind, stack.at(-1)?.pendingKey, start, end)
    expected = stack.length === 0 ? 'end' : 'comma_or_close'
  }
  const addString = (start: Offset, end: Offset): void => {
    const open = stack.at(-1)
    if (open === undefined || expected.startsWith('value')) addLeaf('string', start, end)
    else {
      open.pendingKey = decodeKey(text.slice(start, end))
      expected = 'colon'
    }
  }

  for (;;) {
    if (isFirstOfMany && expected === 'end') return builder.finish()
    const position = scanner.getPosition()
    if (position > nextReport) {
      nextReport = position + CHARS_BETWEEN_REPORTS
      onProgress(from + position)
    }
    // The scanner decodes strings, which takes longer than all the rest.
    const stringEnd = TAKES_STRING.has(expected) ? endOfString(part, position) : undefined
    if (stringEnd !== undefined) {
      addString(from + position, from + stringEnd)
      scanner.setPosition(stringEnd)
      continue
    }
    const token = scanner.scan() as number
    if (token === TOKEN.space || token === TOKEN.lineBreak) continue
    if (token === TOKEN.end) {
      if (expected === 'end') return builder.finish()
      throw cutOff()
    }
    checkToken(scanner, token, part, refuse, cutOff)
    const start = from + scanner.getTokenOffset()
    const end = start + scanner.getTokenLength()
    switch (token) {
      case TOKEN.closeBrace:
        close('object')
        continue
      case TOKEN.closeBracket:
        close('array')
        continue
      case TOKEN.comma:
        if (expected !== 'comma_or_close') throw refuse(phrase('comma'))
        expected = stack.at(-1)?.kind === 'array' ? 'value' : 'key'
        continue
      case TOKEN.colon:
        if (expected !== 'colon') throw refuse(phrase('colon'))
        expected = 'value'
        continue
    }
    if (expected !== 'value' && expected !== 'value_or_close')
      throw refuse(quoteToken(part, scanner))
    if (token === TOKEN.openBrace || token === TOKEN.openBracket) {
      if (stack.length >= MAX_JSON_DEPTH) {
        throw new ReadError('too_deep', { ...place(start), limit: MAX_JSON_DEPTH }, start)
      }
      const kind = token === TOKEN.openBrace ? 'object' : 'array'
      const { mark } = builder
      stack.push({ kind, key: stack.at(-1)?.pendingKey, start, mark, pendingKey: undefined })
      expected = kind === 'array' ? 'value_or_close' : 'key_or_close'
      continue
    }
    addLeaf('other', start, end)
  }
}

/** Returns the end of the string that begins at an offset; undefined if none does, or if it is not valid. */
function endOfString(text: string, start: Offset): Offset | undefined {
  if (text.charCodeAt(start) !== QUOTE) return undefined
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

function decodeKey(text: string): string {
  return text.includes('\\') ? (JSON.parse(text) as string) : text.slice(1, -1)
}

function checkToken(
  scanner: JSONScanner,
  token: number,
  text: string,
  refuse: (found: Words) => ReadError,
  cutOff: (missing?: WordKey) => ReadError,
): void {
  const scanError = scanner.getTokenError() as number
  if (scanError !== 0) {
    const reachesEnd = scanner.getTokenOffset() + scanner.getTokenLength() >= text.length
    if (reachesEnd) throw token === TOKEN.string ? cutOff('rest_of_string') : cutOff()
    throw refuse(phrase(SCAN_ERRORS[scanError] as WordKey))
  }
  if (token === TOKEN.lineComment || token === TOKEN.blockComment) throw refuse(phrase('comment'))
  if (token === TOKEN.unknown) {
    const isLast = scanner.getTokenOffset() + scanner.getTokenLength() >= text.length
    const word = text.slice(scanner.getTokenOffset())
    if (isLast && ['true', 'false', 'null', '-'].some((full) => full.startsWith(word)))
      throw cutOff()
    throw refuse(quoteToken(text, scanner))
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

function describeOpen({ kind }: OpenNode, line: number): Phrase {
  return phrase(`${kind}_opened_on_line`, { n: line })
}
