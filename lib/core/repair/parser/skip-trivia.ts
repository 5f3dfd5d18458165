import type { Offset } from '../../text/span'
import { isWhite } from './lookahead'
import { addFix, type Parser } from './parser'

/** Skips white space, comments and dots that stand for omitted values. Removes what JSON does not allow. */
export function skipTrivia(parser: Parser): void {
  const { text } = parser
  for (;;) {
    const at = parser.position
    const character = text[at]
    if (character === undefined) return
    if (character === ' ' || character === '\n' || character === '\r' || character === '\t') {
      parser.position++
    } else if (character === '\\' && isSpaceLetter(text[at + 1])) {
      addFix(parser, 'escaped_quotes', at, at + 2, text[at + 1] === 't' ? '\t' : '\n')
      parser.position += 2
    } else if (isWhite(text, at)) {
      addFix(parser, 'odd_spaces', at, at + 1, at === 0 ? '' : ' ')
      parser.position++
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
      addFix(parser, 'ellipsis', at, end, '')
      parser.position = end
    } else return
  }
}

/** True for the letter of `\n`, `\r` or `\t` outside of strings: the arguments were escaped twice. */
function isSpaceLetter(letter: string | undefined): boolean {
  return letter === 'n' || letter === 'r' || letter === 't'
}

/** Longest comment that is searched for members; a longer one is reported as a loss. */
const MAX_COMMENT = 2000
/** A quoted key and its colon. */
const MEMBER = /["'][^"'\n]{1,100}["']\s{0,8}:/

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
  const end = lineEnd(text, at)
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
      line.split('"').length % 2 === 1
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
  addFix(parser, 'comments', at, end, '', risk)
  parser.position = end
}

function lineEnd(text: string, from: Offset): Offset {
  const feed = text.indexOf('\n', from)
  return feed < 0 ? text.length : feed
}
