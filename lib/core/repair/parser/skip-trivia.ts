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
      const end = text.indexOf('*/', at + 2)
      dropComment(parser, end < 0 ? text.length : end + 2)
    } else if (
      (character === '/' && text[at + 1] === '/') ||
      (character === '#' && /[\s!#]/.test(text[at + 1] ?? ' '))
    ) {
      dropComment(parser, lineEnd(text, at))
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

function dropComment(parser: Parser, end: number): void {
  addFix(parser, 'comments', parser.position, end, '')
  parser.position = end
}

function lineEnd(text: string, from: number): number {
  const feed = text.indexOf('\n', from)
  return feed < 0 ? text.length : feed
}
