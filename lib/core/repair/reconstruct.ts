/**
 * The last repair method: rebuilds JSON from pairs and tokens in one pass. Order, nesting and other text may be lost.
 */
import { parseJson } from '../text/json-object'
import type { Offset } from '../text/span'
import { isWhite, matchAt, skipWhite } from './parser/lookahead'

export interface Reconstruction {
  readonly strategy: 'reconstructed_pairs' | 'reconstructed_tokens'
  readonly text: string
}

const NUMBER = /-?(?:0|[1-9]\d{0,400})(?:\.\d{1,400})?(?:[eE][+-]?\d{1,20})?(?![\w.])/y
const WORD = /(?:true|false|null)(?![\w])/y
const BARE = /[^,}\]\n"]*/y
const STEPS_BETWEEN_CHECKS = 256

/** Returns the pairs of `text` as one flat object, or else its tokens as an array; undefined if it has neither. */
export function reconstruct(text: string, checkTime: () => void): Reconstruction | undefined {
  const pairs = new Map<string, string>()
  const tokens: string[] = []
  const nestedEnd = createNestedEndFinder(text)
  const stringEnd = createStringEndFinder(text)
  let key: string | undefined
  let at = 0
  for (let step = 0; at < text.length; step++) {
    if (step % STEPS_BETWEEN_CHECKS === 0) checkTime()
    const character = text[at] as string
    if (character === '"') {
      const end = stringEnd(at)
      if (end === undefined) {
        at++
        continue
      }
      const token = quoted(text.slice(at + 1, end - 1))
      at = end
      if (text[skipWhite(text, end)] === ':') {
        key = token
        at = skipWhite(text, end) + 1
      } else if (key !== undefined) key = addPair(pairs, key, token)
      else tokens.push(token)
      continue
    }
    const bare = matchAt(NUMBER, text, at) ?? matchAt(WORD, text, at)
    if (bare !== undefined) {
      if (key !== undefined) key = addPair(pairs, key, bare)
      else tokens.push(bare)
      at += bare.length
      while (at < text.length && /\w/.test(text[at] as string)) at++
      continue
    }
    if (key !== undefined && !isWhite(text, at) && !'{['.includes(character)) {
      const end = at + (matchAt(BARE, text, at) as string).length
      if (end > at) key = addPair(pairs, key, quoted(text.slice(at, end).trimEnd()))
      at = Math.max(end, at + 1)
      continue
    }
    const nested = key === undefined ? undefined : nestedEnd(at)
    if (key !== undefined && nested !== undefined) {
      key = addPair(pairs, key, text.slice(at, nested))
      at = nested
      continue
    }
    if (character === '{' || character === '[') key = undefined
    if (/\w/.test(character)) while (at < text.length && /\w/.test(text[at] as string)) at++
    else at++
  }
  if (pairs.size > 0) {
    const members = Array.from(pairs, ([name, value]) => `${name}: ${value}`)
    return { strategy: 'reconstructed_pairs', text: `{${members.join(', ')}}` }
  }
  return tokens.length > 0
    ? { strategy: 'reconstructed_tokens', text: `[${tokens.join(', ')}]` }
    : undefined
}

/** Returns a function that gives the end of the object or array at an offset; undefined if it is not valid JSON. */
function createNestedEndFinder(text: string): (at: Offset) => Offset | undefined {
  const stringEnd = createStringEndFinder(text)
  const ends = new Map<Offset, Offset>()
  const open: Offset[] = []
  for (let at = 0; at < text.length; at++) {
    const character = text[at] as string
    if (character === '"') at = (stringEnd(at) ?? at + 1) - 1
    else if (character === '{' || character === '[') open.push(at)
    else if (character === '}' || character === ']') {
      const start = open.pop()
      if (start !== undefined) ends.set(start, at + 1)
    }
  }
  // Nested brackets are parsed again: at most three times the length of the text in total.
  let budget = text.length * 3
  return (at) => {
    const end = ends.get(at)
    if (end === undefined || budget < end - at) return undefined
    budget -= end - at
    return parseJson(text.slice(at, end)) === undefined ? undefined : end
  }
}

/** Adds a pair unless its key exists: a later value may be a truncated copy. */
function addPair(pairs: Map<string, string>, key: string, value: string): undefined {
  if (!pairs.has(key)) pairs.set(key, value)
}

/** Returns a function that gives the end of the string at a quote; undefined if it does not end on its line. */
function createStringEndFinder(text: string): (from: Offset) => Offset | undefined {
  let unclosedUntil = 0
  return (from) => {
    if (from < unclosedUntil) return undefined
    let at = from + 1
    for (; at < text.length && text[at] !== '\n'; at++) {
      if (text[at] === '\\') at++
      else if (text[at] === '"') return at + 1
    }
    unclosedUntil = at
    return undefined
  }
}

/** Writes content as a JSON string. Valid escapes are copied as written. */
function quoted(content: string): string {
  const text = `"${content}"`
  return parseJson(text) === undefined ? JSON.stringify(content) : text
}
