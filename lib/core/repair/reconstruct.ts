/** The last repair method: rebuilds JSON from pairs and tokens in one pass. Order, nesting and other text may be lost. */
import { parseJson } from '../text/json'
import type { Offset } from '../text/span'
import { matchAt, skipWhite } from './parser/lookahead'

/** A number or literal on its own. */
const BARE =
  /(?<!\w)(?:-?(?:0|[1-9]\d{0,400})(?:\.\d{1,400})?(?:[eE][+-]?\d{1,20})?(?![\w.])|(?:true|false|null)(?!\w))/y
const WORDS = /[^\s,}\]\n"{[][^,}\]\n"]*/y
const STEPS_BETWEEN_CHECKS = 256

/** Returns the pairs of `text` as one flat object, or else its tokens as an array; undefined if it has neither. */
export function reconstruct(text: string, checkTime: () => void) {
  const pairs = new Map<string, string>()
  const tokens: string[] = []
  const stringEnd = createStringEndFinder(text)
  const nestedEnd = createNestedEndFinder(text)
  let key: string | undefined
  /** Records a value. The first one of a key counts: a later one may be a truncated copy. */
  const add = (value: string): void => {
    if (key === undefined) tokens.push(value)
    else if (!pairs.has(key)) pairs.set(key, value)
    key = undefined
  }
  for (let [at, step] = [0, 0]; at < text.length; step++) {
    if (step % STEPS_BETWEEN_CHECKS === 0) checkTime()
    const isNested = text[at] === '{' || text[at] === '['
    const end = text[at] === '"' ? stringEnd(at) : undefined
    const bare = end === undefined ? matchAt(BARE, text, at) : undefined
    const nested = key !== undefined && isNested ? nestedEnd(at) : undefined
    const words = key === undefined || bare !== undefined ? undefined : matchAt(WORDS, text, at)
    if (end !== undefined) {
      const string = quoted(text.slice(at + 1, end - 1))
      const colon = skipWhite(text, end)
      const isKey = text[colon] === ':'
      if (isKey) key = string
      else add(string)
      at = isKey ? colon + 1 : end
    } else if (bare !== undefined || nested !== undefined) {
      const value = bare ?? text.slice(at, nested)
      add(value)
      at += value.length
    } else {
      if (words !== undefined) add(quoted(words.trimEnd()))
      if (isNested) key = undefined
      at += words?.length ?? 1
    }
  }
  if (pairs.size > 0) {
    const members = Array.from(pairs, ([name, value]) => `${name}: ${value}`)
    return { strategy: 'reconstructed_pairs' as const, text: `{${members.join(', ')}}` }
  }
  return tokens.length > 0
    ? { strategy: 'reconstructed_tokens' as const, text: `[${tokens.join(', ')}]` }
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
