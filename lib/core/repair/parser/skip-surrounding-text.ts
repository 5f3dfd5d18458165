/** Removes what surrounds the arguments: code fences, tags of calls, sentences. */
import type { Offset } from '../../text/span'
import type { StrategyName } from '../repair-strategies'
import { isCode } from './is-code'
import { isBareKeyAt, isQuote, nameEnd, skipWhite, trimmedEnd } from './lookahead'
import { addFix, CannotParse, findNext, type Parser } from './parser'
import { skipTrivia } from './skip-trivia'

/** A fence with its language, but not with a word of a text. */
const FENCE =
  /`{3,8}(?:[ \t]{0,4}[A-Za-z][\w+-]{0,20}(?=[ \t]{0,4}(?:[\r\n{["]|$)))?[ \t]{0,4}(?:\r?\n)?/y
/** A list mark before an object or a list: `- {`, `1. [`, `(1) {`. */
const LIST_MARK = /(?:[-*•]|\d{1,3}[.)]|\(\d{1,3}\))[ \t]{1,8}(?=[{[])/y
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

function removeText(parser: Parser, strategy: StrategyName, end: Offset): void {
  addFix(parser, strategy, parser.position, end, '')
  parser.position = end
}

/** Skips to the start of the next value. Returns false at the end of the text. */
export function skipSurroundingText(parser: Parser): boolean {
  const { text } = parser
  for (;;) {
    skipTrivia(parser)
    const at = parser.position
    if (at >= text.length) return false
    if (skipFence(parser) || skipTag(parser)) continue
    const isOutside = parser.hasFence && !parser.isInFence
    if (isOutside) {
      skipSentence(parser)
      continue
    }
    const character = text[at] as string
    const mark = endOf(LIST_MARK, text, at)
    if (mark > at && isLineStart(text, at)) {
      removeText(parser, 'list_marks', mark)
      continue
    }
    if (isQuote(character) && parser.roots.length > 0 && skipWhite(text, at + 1) === text.length) {
      const isOfObject = parser.fixes[0]?.strategy === 'quoted_object'
      removeText(parser, isOfObject ? 'quoted_object' : 'stray_words', at + 1)
      continue
    }
    if (character === '{' || character === '[' || character === '(' || isQuote(character))
      return true
    if (parser.roots.length > 0) {
      if (skipAfterRoot(parser, character)) continue
      return true
    }
    const label = endOf(LABEL, text, at)
    const call = endOf(CALL, text, at)
    if (label > at) removeText(parser, 'call_tags', label)
    else if (call > at && call < text.length && !isSentence(parser, call)) {
      if (!hasArguments(text, call)) throw new CannotParse()
      addFix(parser, 'call_tags', at, call, '', 'guess')
      parser.position = call
    } else if (isBareKeyAt(text, at) && !isSentence(parser, at)) return true
    else if (/[\p{L}*#>!]/u.test(character) && hasBrackets(parser, at)) skipSentence(parser)
    else return true
  }
}

/** True if what a call was given is an object, named arguments or valid JSON. */
function hasArguments(text: string, at: Offset): boolean {
  if (text[at] === '{') return true
  const end = nameEnd(text, at)
  if (end > at && text[end] === '=') return true
  try {
    JSON.parse(text.slice(at, text.lastIndexOf(')')))
    return true
  } catch {
    return false
  }
}

/** True if a code fence starts before the next brace: then the text at `at` is a sentence. */
function isSentence(parser: Parser, at: Offset): boolean {
  const fence = findNext(parser, '```', at)
  return fence >= 0 && fence < findNext(parser, '{', at)
}

function hasBrackets(parser: Parser, at: Offset): boolean {
  return (
    findNext(parser, '{', at) >= 0 ||
    findNext(parser, '```', at) >= 0 ||
    looseBracket(parser.text, at) >= 0
  )
}

/** Offset of the next array in a sentence, -1 if there is none. An index (`a[0]`) or a pattern does not count. */
function looseBracket(text: string, at: Offset): Offset {
  LOOSE_BRACKET.lastIndex = at
  return LOOSE_BRACKET.exec(text)?.index ?? -1
}

function isLineStart(text: string, at: Offset): boolean {
  let before = at
  while (text[before - 1] === ' ' || text[before - 1] === '\t') before--
  return before === 0 || text[before - 1] === '\n'
}

function skipFence(parser: Parser): boolean {
  const { text, position: at } = parser
  if (!text.startsWith('```', at)) return false
  const end = endOf(FENCE, text, at)
  removeText(parser, 'fences', end)
  parser.isInFence = !parser.isInFence
  parser.hasFence = true
  return true
}

function skipTag(parser: Parser): boolean {
  const { text, position: at } = parser
  const end = text[at] === '<' ? endOf(TAG, text, at) : endOf(BRACKET_TAG, text, at)
  if (end === at) return false
  // The tag of a parameter names it; that of a function repeats the name of the call.
  const tag = text.slice(at, end)
  const risk = !tag.includes('=')
    ? 'none'
    : /^<[\w:]*(?:function|invoke)/.test(tag)
      ? 'guess'
      : 'loss'
  addFix(parser, 'call_tags', at, end, '', risk)
  parser.position = end
  return true
}

/** Removes a sentence up to the next fence or opening bracket. */
function skipSentence(parser: Parser): void {
  const { text, position: at } = parser
  const fence = findNext(parser, '```', at)
  const brace = findNext(parser, '{', at)
  let end = parser.hasFence || (fence >= 0 && (brace < 0 || fence < brace)) ? fence : brace
  if (end < 0 && !parser.hasFence) end = looseBracket(text, at)
  if (end <= at) end = text.length
  if (isCode(text.slice(at, end))) throw new CannotParse()
  removeText(parser, 'surrounding_text', end)
}

/** Skips extra brackets, the end of a call or words after a root value. Returns false if a value may start here. */
function skipAfterRoot(parser: Parser, character: string): boolean {
  const { text, position: at } = parser
  if (character === '}' || character === ']') {
    let end = at + 1
    while (text[end] === '}' || text[end] === ']') end++
    removeText(parser, 'stray_brackets', end)
  } else if (character === ')' || character === ';') removeText(parser, 'call_tags', at + 1)
  else if (/[-\d,\\]/.test(character) || isKeyAfterComma(text, at)) return false
  else {
    const last = parser.roots.at(-1)
    if (last?.kind !== 'object' && last?.kind !== 'array') throw new CannotParse()
    skipSentence(parser)
  }
  return true
}

/** True if a bare key starts at `at`. Without a comma before it, it is a word of a sentence: `{…} Note: done`. */
function isKeyAfterComma(text: string, at: Offset): boolean {
  return isBareKeyAt(text, at) && text[trimmedEnd(text, 0, at) - 1] === ','
}
