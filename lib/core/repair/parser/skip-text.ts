/** Skips what is no value: white space, comments, code fences, tags of calls and sentences. */
import { parseJson } from '../../text/json'
import type { Offset } from '../../text/span'
import { callNameEnd, cutOffTagEnd, markupEnd } from '../markup'
import { isQuote, matchAt } from './lookahead'
import { CannotParse, type Parser } from './parser'

/** A fence with its language, but not with a word of a text. */
const FENCE =
  /`{3,8}(?:[ \t]{0,4}[A-Za-z][\w+-]{0,20}(?=[ \t]{0,4}(?:[\r\n{["]|$)))?[ \t]{0,4}(?:\r?\n)?/y
/** A list mark before an object or a list: `- {`, `1. [`, `(1) {`. */
const LIST_MARK = /(?:[-*•]|\d{1,3}[.)]|\(\d{1,3}\))[ \t]{1,8}(?=[{[])/y
/** A tag of no known model. */
const TAG = /<\/?[\w:=.,/ "'|｜▁-]{1,80}>/y
const LABEL =
  /(?:tool[ _])?(?:json|args|arguments|parameters|params|input|action input|output)\s{0,4}[:=]\s{0,4}(?=[{[])/iy
const LOOSE_BRACKET = /(?<=[\s:(])\[/g
const CALL =
  /(?:[A-Za-z_]\w{0,60}\.){0,4}[A-Za-z_]\w{0,60}[ \t]{0,4}\([ \t\n]{0,8}(?=[[{("'\d-]|true|false|null|None|True|False|[A-Za-z_]\w{0,60}=(?!=))/y

const endOf = (pattern: RegExp, text: string, at: Offset) =>
  at + (matchAt(pattern, text, at)?.length ?? 0)

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
      parser.removeTo('list_marks', mark)
      continue
    }
    if (isQuote(character) && parser.roots.length > 0 && parser.skipWhite(at + 1) === text.length) {
      parser.removeTo('stray_words', at + 1)
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
    if (label > at) parser.removeTo('call_tags', label)
    else if (call > at && call < text.length && !isSentence(parser, call)) {
      if (!hasArguments(parser, call)) throw new CannotParse()
      parser.removeTo('call_tags', call, 'guess')
    } else if (parser.isBareKeyAt(at) && !isSentence(parser, at)) return true
    else if (/[\p{L}*#>!]/u.test(character) && hasBrackets(parser, at)) skipSentence(parser)
    else return true
  }
}

/** True if what a call was given is an object, named arguments or valid JSON. */
function hasArguments(parser: Parser, at: Offset): boolean {
  const { text } = parser
  if (text[at] === '{') return true
  const end = parser.nameEnd(at)
  if (end > at && text[end] === '=') return true
  return parseJson(text.slice(at, text.lastIndexOf(')'))) !== undefined
}

/** True if a code fence starts before the next brace: then the text at `at` is a sentence. */
function isSentence(parser: Parser, at: Offset): boolean {
  const fence = parser.findNext('```', at)
  return fence >= 0 && fence < parser.findNext('{', at)
}

function hasBrackets(parser: Parser, at: Offset): boolean {
  return (
    parser.findNext('{', at) >= 0 ||
    parser.findNext('```', at) >= 0 ||
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
  parser.removeTo('fences', end)
  parser.isInFence = !parser.isInFence
  parser.hasFence = true
  return true
}

function skipTag(parser: Parser): boolean {
  const { text, position: at } = parser
  const markup = Math.max(callNameEnd(text, at), at === 0 ? cutOffTagEnd(text) : at)
  const end = markup > at ? markup : endOf(TAG, text, at)
  if (end === at) return false
  // A tag that no model writes may name what it encloses.
  const risk = markup > at ? 'none' : text.slice(at, end).includes('=') ? 'loss' : 'guess'
  parser.removeTo('call_tags', end, risk)
  return true
}

/** Removes a sentence up to the next fence or opening bracket. */
function skipSentence(parser: Parser): void {
  const { text, position: at } = parser
  const fence = parser.findNext('```', at)
  const brace = parser.findNext('{', at)
  let end = parser.hasFence || (fence >= 0 && (brace < 0 || fence < brace)) ? fence : brace
  if (end < 0 && !parser.hasFence) end = looseBracket(text, at)
  if (end <= at) end = text.length
  if (isCode(text.slice(at, end))) throw new CannotParse()
  parser.removeTo('surrounding_text', end)
}

/** Skips extra brackets, the end of a call or words after a root value. Returns false if a value may start here. */
function skipAfterRoot(parser: Parser, character: string): boolean {
  const { text, position: at } = parser
  if (character === '}' || character === ']') {
    let end = at + 1
    while (text[end] === '}' || text[end] === ']') end++
    parser.removeTo('stray_brackets', end)
  } else if (character === ')' || character === ';') parser.removeTo('call_tags', at + 1)
  else if (/[-\d,\\]/.test(character)) return false
  // Without a comma before it, a bare key is a word of a sentence: `{…} Note: done`.
  else if (parser.isBareKeyAt(at) && text[parser.trimmedEnd(0, at) - 1] === ',') return false
  else {
    const last = parser.roots.at(-1)
    if (last?.kind !== 'object' && last?.kind !== 'array') throw new CannotParse()
    skipSentence(parser)
  }
  return true
}

/** Skips white space, comments and dots that stand for omitted values. Removes what JSON does not allow. */
export function skipTrivia(parser: Parser): void {
  const { text } = parser
  for (;;) {
    const at = parser.position
    const character = text[at]
    if (character === undefined) return
    if (character === ' ' || character === '\n' || character === '\r' || character === '\t') {
      parser.position++
    } else if (parser.isWhite(at)) {
      parser.fixTo('odd_spaces', at, at + 1, at === 0 ? '' : ' ')
    } else if (character === '/' && text[at + 1] === '*') {
      dropBlockComment(parser)
    } else if (
      (character === '/' && text[at + 1] === '/') ||
      (character === '#' && /[\s!#]/.test(text[at + 1] ?? ' '))
    ) {
      dropLineComment(parser)
    } else if (text.startsWith('...', at) || character === '…') {
      const end = character === '…' ? at + 1 : at + 3
      if (/[\p{L}\p{N}."']/u.test(text[end] ?? ' ')) return
      parser.removeTo('ellipsis', end)
    } else {
      const end = markupEnd(text, at)
      if (end === at) return
      // What follows it in the same object may be of another call.
      const isBetween = parser.stack.length > 0 && !'}]'.includes(text[parser.skipWhite(end)] ?? '')
      parser.removeTo('call_tags', end, isBetween ? 'guess' : 'none')
    }
  }
}

/** Longest comment that is searched for members; a longer one is reported as a loss. */
const MAX_COMMENT = 2000
/** A quoted key and its colon. */
const MEMBER = /["'“”„‟″‘’‚‛`´][^"'“”„‟″‘’‚‛`´\n]{1,100}["'“”„‟″‘’‚‛`´]\s{0,8}:/

function dropBlockComment(parser: Parser): void {
  const { text, position: at } = parser
  const close = text.indexOf('*/', at + 2)
  const end = close < 0 ? text.length : close + 2
  const hasMember = MEMBER.test(text.slice(at, Math.min(end, at + MAX_COMMENT)))
  dropComment(parser, end, close >= 0 && end - at < MAX_COMMENT && !hasMember)
}

/** Removes a comment up to the end of its line, but not the members that follow it on the line. */
function dropLineComment(parser: Parser): void {
  const { text, position: at, stack } = parser
  const feed = text.indexOf('\n', at)
  const end = feed < 0 ? text.length : feed
  const isLast = end === text.length
  let words = at
  while (words < end && /[/#!\s]/.test(text[words] as string)) words++
  const line = text.slice(at, Math.min(end, at + MAX_COMMENT))
  const member = MEMBER.exec(line)
  // A line that starts with a member was commented out as a whole.
  const isDisabled = !isLast && member?.index === words - at
  if (member !== null && !isDisabled)
    dropComment(parser, Math.max(words, beforeClosers(text, at + member.index)), false)
  else {
    const isOpen = isLast && stack.length > 0
    const isCertain =
      !isOpen &&
      member === null &&
      end - at < MAX_COMMENT &&
      !/[,}\]]\s{0,80}$/.test(line) &&
      line.split(/["“”„‟″]/).length % 2 === 1
    dropComment(parser, isOpen ? Math.max(words, beforeClosers(text, end)) : end, isCertain)
  }
}

/** Moves back over closing brackets, commas and white space. */
function beforeClosers(text: string, from: Offset): Offset {
  let at = from
  while (/[\s,}\]]/.test(text.charAt(at - 1))) at--
  return at
}

function dropComment(parser: Parser, end: Offset, isCertain: boolean): void {
  const { text, position: at, fixes } = parser
  const hasWords = /[\p{L}\p{N}]/u.test(text.slice(at, end))
  const last = fixes.at(-1)
  // A text without quotes may go on: `see // there`.
  const isInWords =
    last?.strategy === 'unquoted_values' && /^[ \t]*$/.test(text.slice(last.end, at))
  const risk = isCertain ? (isInWords ? 'guess' : 'none') : hasWords ? 'loss' : 'guess'
  parser.removeTo('comments', end, risk)
}

/** Signs of a program, a command, a query or a patch, which sentences around JSON do not have. */
const SIGNS: readonly RegExp[] = [
  // A statement: `x = 1`, `const x: T = 1`, `x += 1`, also on an added or removed line of a patch.
  /^[ \t+>-]*(?:[a-z]+[ \t]+){0,3}[\w.$[\]'"]+(?:[ \t]*:[ \t]*[\w.[\]<>]+)?[ \t]*[-+*/|&]?=[^=]/m,
  /[\w\])]\((?!s\))/,
  /;[ \t]*$/m,
  /=>|->|::|<\/|&&|\|[ \t]*[a-z]|\$[\w({]|[^\w\s]--?[a-z]/,
  /^[ \t]*(?:import|from|def|class|return|for|while|if|else|try|package|func|fn|public|private|static|async|using|export|echo|cat|ls|cd|git|npm|sudo)\b(?![^\n]*[.:!?][ \t]*$)[^\n]*$/m,
  /^[ \t]*(?:for|while|if|else|try|def|class|with)\b[^\n]{0,200}:[ \t]*$/m,
  /^[ \t]*(?:#!|#include|\*\*\* |@@|diff --git|--- |\+\+\+ )/m,
  /\b(?:SELECT|UPDATE|DELETE|INSERT|CREATE)\b/,
]

/** True if the text reads as code and not as sentences. */
export function isCode(text: string): boolean {
  const reach = text.slice(0, 5000)
  return SIGNS.some((sign) => sign.test(reach))
}
