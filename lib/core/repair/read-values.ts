/**
 * Reads the values of a text that is almost JSON, one step at a time over a stack of open brackets.
 * Each step either moves on or throws `CannotRead`; nothing is read twice but a bounded look ahead.
 */
import type { Offset } from '../text/span'
import { closeBracket, closeRest } from './close-brackets'
import {
  isBareKeyAt,
  isQuote,
  isQuotedKeyAt,
  isWordsThenKeyAt,
  nameEnd,
  skipWhite,
} from './look-ahead'
import { missingComma } from './missing-comma'
import { dropDoubledBraces, joinArrays, openInObject, turnIntoSet } from './odd-openings'
import { addValue, openFrame } from './open-frame'
import { dropWords, readKey } from './read-key'
import { readNumber } from './read-number'
import { readString } from './read-string'
import { readWord } from './read-word'
import { CannotRead, type Frame, fix, type Place, type Reading, type ValueKind } from './reading'
import { skipSpace } from './skip-space'

/** Reads one value at the root with all it holds; the position is after it, or at the end of the text. */
export function readRoot(reading: Reading): void {
  readValue(reading, 'root')
  readOpen(reading)
}

/** Goes on until nothing is open any more. */
export function readOpen(reading: Reading): void {
  while (reading.stack.length > 0) {
    skipSpace(reading)
    if (reading.position >= reading.text.length) {
      closeRest(reading)
      return
    }
    const frame = reading.stack.at(-1) as Frame
    if (frame.kind === 'object') stepInObject(reading, frame)
    else stepInArray(reading, frame)
  }
}

function readValue(reading: Reading, place: Place): void {
  const { text, position: start } = reading
  const character = text[start] as string
  if (character === '{' || character === '[' || character === '(') {
    if (
      character === '(' &&
      place === 'root' &&
      !/[\d("'[{)-]/.test(text[skipWhite(text, start + 1)] ?? '')
    )
      throw new CannotRead()
    const kind = character === '{' ? 'object' : 'array'
    addValue(reading, kind, start)
    reading.position++
    const frame = openFrame(reading, kind, character === '(' ? 'tuple' : 'plain', start)
    if (kind === 'object') dropDoubledBraces(reading, frame)
    return
  }
  let kind: ValueKind = 'string'
  if (isQuote(character) || (character === '\\' && text[start + 1] === '"')) {
    readString(reading, place)
  } else if (/[-+.\d]/.test(character) && readNumber(reading)) kind = 'number'
  else kind = readWord(reading, place)
  addValue(reading, kind, start)
  const root = reading.roots.at(-1)
  if (reading.stack.length === 0 && root !== undefined) root.end = reading.position
}

function stepInObject(reading: Reading, frame: Frame): void {
  const { text, position: at } = reading
  const character = text[at] as string
  if (character === '}' || character === ']' || character === ')') {
    closeBracket(reading, character)
    return
  }
  if (isComma(character)) {
    passComma(reading, frame, character)
    return
  }
  const isAfterValue = frame.count > 0 && frame.comma === undefined
  if (character === '{') {
    openInObject(reading, frame, isAfterValue)
    return
  }
  if (character === '[') {
    joinArrays(reading, frame)
    return
  }
  if (isAfterValue) {
    if (isStrayQuote(reading)) {
      fix(reading, 'stray_words', at, at + 1, '', 'guess')
      reading.position++
      return
    }
    if (
      !isQuote(character) &&
      character !== '\\' &&
      !isBareKeyAt(text, at) &&
      !isNameOfBracket(text, at)
    ) {
      dropWordsAfterValue(reading)
      return
    }
    missingComma(reading, frame)
  }
  if (!readKey(reading)) return
  const isFirst = frame.count === 0
  frame.count++
  frame.comma = undefined
  if (isFirst && turnIntoSet(reading, frame)) return
  readColonAndValue(reading)
}

function isStrayQuote({ text, position }: Reading): boolean {
  const next = text[skipWhite(text, position + 1)]
  return isQuote(text[position]) && (next === '}' || next === undefined)
}

/** `"a": [1]name{"b": 2}`: a name whose colon is missing. */
function isNameOfBracket(text: string, at: Offset): boolean {
  const end = nameEnd(text, at)
  const next = text[skipWhite(text, end)]
  return end > at && (next === '{' || next === '[')
}

function dropWordsAfterValue(reading: Reading): void {
  const { text, position: at } = reading
  const match = /^[\p{L}\p{N}_][\p{L}\p{N}_ \t-]*/u.exec(text.slice(at, at + 200))
  if (match === null) throw new CannotRead()
  const end = at + match[0].length
  const next = text[skipWhite(text, end)]
  if (next !== undefined && next !== '}' && next !== ',' && !isWordsThenKeyAt(text, at))
    throw new CannotRead()
  dropWords(reading, end)
}

function readColonAndValue(reading: Reading): void {
  const { text } = reading
  const afterKey = reading.position
  skipSpace(reading)
  const at = reading.position
  const character = text[at]
  if (character === ':') {
    reading.position++
    passStrayColons(reading)
  } else if (character === '：') {
    fix(reading, 'wide_marks', at, at + 1, ':')
    reading.position++
  } else if (character === '=') {
    const end = text[at + 1] === '>' ? at + 2 : at + 1
    fix(reading, 'missing_colons', at, end, ':')
    reading.position = end
  } else if (character === undefined || ',}];'.includes(character)) {
    const strategy = character === undefined ? 'truncated_input' : 'missing_values'
    noteMissingValue(reading, strategy, afterKey, ': null')
    return
  } else if (isQuotedKeyAt(text, at)) {
    // `"a" "b": 1`: the first name has no value.
    noteMissingValue(reading, 'missing_values', afterKey, ': null')
    return
  } else fix(reading, 'missing_colons', afterKey, afterKey, at > afterKey ? ':' : ': ')
  const afterColon = reading.position
  skipSpace(reading)
  const next = text[reading.position]
  if (next === undefined || ',}];'.includes(next)) {
    const strategy = next === undefined ? 'truncated_input' : 'missing_values'
    noteMissingValue(reading, strategy, afterColon, 'null')
    return
  }
  if (next === ':') throw new CannotRead()
  readValue(reading, 'property')
}

/** `"a":: 1`. */
function passStrayColons(reading: Reading): void {
  const { text, position } = reading
  let at = position
  while (text[at] === ':' || (text[at] === ' ' && text[at + 1] === ':')) at++
  if (at === position) return
  fix(reading, 'stray_colons', position, at, '')
  reading.position = at
}

function noteMissingValue(
  reading: Reading,
  strategy: 'truncated_input' | 'missing_values',
  at: Offset,
  value: string,
): void {
  fix(reading, strategy, at, at, value)
  addValue(reading, 'literal', at)
}

/** A comma, or what stands for one. */
function isComma(character: string): boolean {
  return character === ',' || character === ';' || character === '，' || character === '、'
}

function passComma(reading: Reading, frame: Frame, character: string): void {
  const at = reading.position
  if (frame.count === 0 || frame.comma !== undefined) fix(reading, 'stray_commas', at, at + 1, '')
  else {
    if (character === ';') fix(reading, 'stray_commas', at, at + 1, ',')
    else if (character !== ',') fix(reading, 'wide_marks', at, at + 1, ',')
    frame.comma = at
  }
  reading.position++
}

function stepInArray(reading: Reading, frame: Frame): void {
  const { text, position: at } = reading
  const character = text[at] as string
  if (character === '}' || character === ']' || character === ')') {
    closeBracket(reading, character)
    return
  }
  if (isComma(character)) {
    passComma(reading, frame, character)
    return
  }
  if (character === ':' && frame.lastKind === 'string' && frame.comma === undefined) {
    wrapInObject(reading, frame)
    return
  }
  if (character === ':') throw new CannotRead()
  if (frame.count > 0 && frame.comma === undefined) missingComma(reading, frame)
  readValue(reading, 'element')
}

/** `["name": 1]`: the pair becomes an object of the list. */
function wrapInObject(reading: Reading, frame: Frame): void {
  const { lastStart } = frame
  fix(reading, 'unopened_objects', lastStart, lastStart, '{')
  frame.lastKind = 'object'
  const object = openFrame(reading, 'object', 'implicit', lastStart)
  object.count = 1
  readColonAndValue(reading)
}
