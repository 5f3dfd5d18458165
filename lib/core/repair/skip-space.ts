import { isWhite } from './look-ahead'
import { fix, type Reading } from './reading'

/** Passes white space, comments and dots that stand for left out values; what JSON does not know is taken out. */
export function skipSpace(reading: Reading): void {
  const { text } = reading
  for (;;) {
    const at = reading.position
    const character = text[at]
    if (character === undefined) return
    if (character === ' ' || character === '\n' || character === '\r' || character === '\t') {
      reading.position++
    } else if (character === '\\' && isSpaceLetter(text[at + 1])) {
      fix(reading, 'escaped_quotes', at, at + 2, text[at + 1] === 't' ? '\t' : '\n')
      reading.position += 2
    } else if (isWhite(text, at)) {
      fix(reading, 'odd_spaces', at, at + 1, at === 0 ? '' : ' ')
      reading.position++
    } else if (character === '/' && text[at + 1] === '*') {
      const end = text.indexOf('*/', at + 2)
      dropComment(reading, end < 0 ? text.length : end + 2)
    } else if (
      (character === '/' && text[at + 1] === '/') ||
      (character === '#' && /[\s!#]/.test(text[at + 1] ?? ' '))
    ) {
      dropComment(reading, lineEnd(text, at))
    } else if (text.startsWith('...', at) || character === '…') {
      const end = character === '…' ? at + 1 : at + 3
      if (/[\p{L}\p{N}."']/u.test(text[end] ?? ' ')) return
      fix(reading, 'ellipsis', at, end, '')
      reading.position = end
    } else return
  }
}

/** `\\n` where no text is open: the whole was escaped once too often. */
function isSpaceLetter(letter: string | undefined): boolean {
  return letter === 'n' || letter === 'r' || letter === 't'
}

function dropComment(reading: Reading, end: number): void {
  fix(reading, 'comments', reading.position, end, '')
  reading.position = end
}

function lineEnd(text: string, from: number): number {
  const feed = text.indexOf('\n', from)
  return feed < 0 ? text.length : feed
}
