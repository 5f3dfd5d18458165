/** What stands around the arguments: fences, tags of calls, sentences. It is taken out, never read. */
import type { Offset } from '../text/span'
import { isBareKeyAt, isQuote, skipWhite } from './look-ahead'
import { CannotRead, findNext, fix, type Reading } from './reading'
import { skipSpace } from './skip-space'
import type { StrategyName } from './strategies'

const FENCE = /`{3,8}[ \t]{0,4}[\w+-]{0,20}[ \t]{0,4}(?:\r?\n)?/y
const TAG = /<\/?[|｜]?[\w:=.,/ "'|｜▁-]{1,80}[|｜]?>/y
const BRACKET_TAG = /\[\/?[A-Z][A-Z_]{2,30}\]/y
const LABEL =
  /(?:tool[ _])?(?:json|args|arguments|parameters|params|input|action input|output)\s{0,4}[:=]\s{0,4}(?=[{[])/iy
const LOOSE_BRACKET = /(?<=[\s:(])\[/g
const CALL =
  /(?:[A-Za-z_]\w{0,60}\.){0,4}[A-Za-z_]\w{0,60}[ \t]{0,4}\([ \t\n]{0,8}(?=[[{("'\d-]|true|false|null|None|True|False|[A-Za-z_]\w{0,60}=(?!=))/y

function endOf(pattern: RegExp, text: string, at: Offset): Offset {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : at
}

function drop(reading: Reading, strategy: StrategyName, end: Offset): void {
  fix(reading, strategy, reading.position, end, '')
  reading.position = end
}

/** Passes what stands before a value; false at the end of the text. */
export function passEnvelope(reading: Reading): boolean {
  const { text } = reading
  for (;;) {
    skipSpace(reading)
    const at = reading.position
    if (at >= text.length) return false
    if (passFence(reading) || passTag(reading)) continue
    const isOutside = reading.hasFence && !reading.isInFence
    if (isOutside) {
      passSentence(reading)
      continue
    }
    const character = text[at] as string
    if (isQuote(character) && reading.roots.length > 0 && skipWhite(text, at + 1) === text.length) {
      const isOfObject = reading.fixes[0]?.strategy === 'quoted_object'
      drop(reading, isOfObject ? 'quoted_object' : 'stray_words', at + 1)
      continue
    }
    if (character === '{' || character === '[' || character === '(' || isQuote(character))
      return true
    if (reading.roots.length > 0) {
      if (passAfterRoot(reading, character)) continue
      return true
    }
    const label = endOf(LABEL, text, at)
    const call = endOf(CALL, text, at)
    if (label > at) drop(reading, 'call_tags', label)
    else if (call > at && call < text.length && !isSentence(reading, call))
      drop(reading, 'call_tags', call)
    else if (isBareKeyAt(text, at) && !isSentence(reading, at)) return true
    else if (/[\p{L}*#>!]/u.test(character) && hasBrackets(reading, at)) passSentence(reading)
    else return true
  }
}

/** Whether a fence begins before the next brace: what stands at `at` is then a sentence, whatever it looks like. */
function isSentence(reading: Reading, at: Offset): boolean {
  const fence = findNext(reading, '```', at)
  return fence >= 0 && fence < findNext(reading, '{', at)
}

function hasBrackets(reading: Reading, at: Offset): boolean {
  return (
    findNext(reading, '{', at) >= 0 ||
    findNext(reading, '```', at) >= 0 ||
    looseBracket(reading.text, at) >= 0
  )
}

/** The next list that begins like one in a sentence, not like an index or a pattern. */
function looseBracket(text: string, at: Offset): Offset {
  LOOSE_BRACKET.lastIndex = at
  return LOOSE_BRACKET.exec(text)?.index ?? -1
}

function passFence(reading: Reading): boolean {
  const { text, position: at } = reading
  if (!text.startsWith('```', at)) return false
  const end = endOf(FENCE, text, at)
  drop(reading, 'fences', end)
  reading.isInFence = !reading.isInFence
  reading.hasFence = true
  return true
}

function passTag(reading: Reading): boolean {
  const { text, position: at } = reading
  const end = text[at] === '<' ? endOf(TAG, text, at) : endOf(BRACKET_TAG, text, at)
  if (end === at) return false
  drop(reading, 'call_tags', end)
  return true
}

/** A sentence before, between or after: up to the next fence, or to the next opening bracket. */
function passSentence(reading: Reading): void {
  const { text, position: at } = reading
  const fence = findNext(reading, '```', at)
  const brace = findNext(reading, '{', at)
  let end = reading.hasFence || (fence >= 0 && (brace < 0 || fence < brace)) ? fence : brace
  if (end < 0 && !reading.hasFence) end = looseBracket(text, at)
  if (end <= at) end = text.length
  drop(reading, 'surrounding_text', end)
}

/** After a whole value: brackets too many, the end of a call, words. False where a value may begin. */
function passAfterRoot(reading: Reading, character: string): boolean {
  const { text, position: at } = reading
  if (character === '}' || character === ']') {
    let end = at + 1
    while (text[end] === '}' || text[end] === ']') end++
    drop(reading, 'stray_brackets', end)
  } else if (character === ')' || character === ';') drop(reading, 'call_tags', at + 1)
  else if (/[-\d,\\]/.test(character) || isBareKeyAt(text, at)) return false
  else {
    const last = reading.roots.at(-1)
    if (last?.kind !== 'object' && last?.kind !== 'array') throw new CannotRead()
    passSentence(reading)
  }
  return true
}
