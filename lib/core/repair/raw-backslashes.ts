import type { Offset } from '../text/span'

const DRIVE = /[A-Za-z]:\\[^\\]/y

/**
 * The letters that are no escapes after a backslash in the text from `from` to `end`. Where some backslash shows that
 * nobody escaped the text (`\d`, `\.`), `\b` and `\f` are patterns too, and in `C:\new` every one is part of a path.
 */
export function rawLetters(text: string, from: Offset, end: Offset, isCutOff: boolean): string {
  let isRaw = false
  for (let at = from; at < end; at++) {
    if (text[at] !== '\\') continue
    const letter = text[++at]
    if (at >= end) isRaw ||= !isCutOff
    else if (letter === '\\' || letter === '"' || letter === '/') return ''
    else if (letter !== undefined && !"bfnrtux'`\n\r".includes(letter)) isRaw = true
  }
  if (!isRaw) return ''
  DRIVE.lastIndex = from
  return DRIVE.test(text) ? 'bfnrtu' : 'bf'
}
