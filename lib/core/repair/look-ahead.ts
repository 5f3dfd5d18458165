/** Questions about what follows a place of the text; none of them moves the reading. */
import type { Offset } from '../text/span'

export const DOUBLE_QUOTES = '"“”„‟″'
export const SINGLE_QUOTES = "'‘’‚‛`´"

/** Names longer than this are not looked for: what is asked for every quote must stay cheap. */
const KEY_REACH = 200

const WHITE = /\s|\u200b|\u200c|\u200d|\u2060|\ufeff|\u180e/

export function isWhite(text: string, at: Offset): boolean {
  const code = text.charCodeAt(at)
  if (code <= 32) return code === 32 || (code >= 9 && code <= 13)
  return code > 126 && WHITE.test(text[at] as string)
}

export function isQuote(character: string | undefined): boolean {
  return (
    character !== undefined &&
    (DOUBLE_QUOTES.includes(character) || SINGLE_QUOTES.includes(character))
  )
}

/** Whether `character` may close what `opening` opened. */
export function isClosingQuote(opening: string, character: string): boolean {
  if (opening === '"' || opening === "'") return character === opening
  if (DOUBLE_QUOTES.includes(opening)) return DOUBLE_QUOTES.includes(character)
  return SINGLE_QUOTES.includes(character)
}

export function skipWhite(text: string, from: Offset): Offset {
  let at = from
  while (at < text.length && isWhite(text, at)) at++
  return at
}

/** Past white space and one comment that ends within reach. */
export function skipToToken(text: string, from: Offset): Offset {
  const at = skipWhite(text, from)
  if (text[at] !== '/') return at
  if (text[at + 1] === '*') {
    const reach = text.slice(at + 2, at + 2 + KEY_REACH)
    const end = reach.indexOf('*/')
    return end < 0
      ? at + 2 + KEY_REACH >= text.length
        ? text.length
        : at
      : skipWhite(text, at + 4 + end)
  }
  if (text[at + 1] === '/') {
    const reach = text.slice(at, at + KEY_REACH)
    const end = reach.search(/[\r\n]/)
    return end < 0 ? (at + KEY_REACH >= text.length ? text.length : at) : skipWhite(text, at + end)
  }
  return at
}

/** The offset of the quote that closes the one at `at` on the same line and within reach; -1 when none does. */
export function closingQuoteOf(text: string, at: Offset): Offset {
  const opening = text[at] as string
  const limit = Math.min(text.length, at + KEY_REACH)
  for (let next = at + 1; next < limit; next++) {
    const character = text[next] as string
    if (character === '\\') next++
    else if (character === '\n') return -1
    else if (isClosingQuote(opening, character)) return next
  }
  return -1
}

function isColon(text: string, at: Offset): boolean {
  return text[at] === ':' || text[at] === '：'
}

/** Whether a quoted name and a colon stand at `at`. */
export function isQuotedKeyAt(text: string, at: Offset): boolean {
  if (!isQuote(text[at])) return false
  let end = closingQuoteOf(text, at)
  if (end < 0) return false
  // `""name"":`, quotes doubled.
  if (end === at + 1 && /\w/.test(text[end + 1] ?? '')) {
    end = closingQuoteOf(text, end)
    if (end < 0) return false
    if (isClosingQuote(text[at] as string, text[end + 1] ?? ' ')) end++
  }
  return isColon(text, skipWhite(text, end + 1))
}

const NAME = /[\p{L}_$][\p{L}\p{N}_$.-]{0,220}/uy

/** The end of a bare name at `at`; `at` itself when none stands there. */
export function nameEnd(text: string, at: Offset): Offset {
  NAME.lastIndex = at
  return NAME.test(text) ? Math.min(NAME.lastIndex, text.length) : at
}

/** Whether a bare name and a colon stand at `at`; `https://` is no name. */
export function isBareKeyAt(text: string, at: Offset): boolean {
  const end = nameEnd(text, at)
  if (end === at || end - at > KEY_REACH) return false
  const colon = skipWhite(text, isQuote(text[end]) ? end + 1 : end)
  return isColon(text, colon) && !(text[colon + 1] === '/' && text[colon + 2] === '/')
}

/** Whether a number in a name's place stands at `at`: `5: "text"`. */
export function isNumberKeyAt(text: string, at: Offset): boolean {
  return /^\d{1,15}\s{0,4}:\s{0,4}["'{[]/.test(text.slice(at, at + 30))
}

/** Whether bare words and then a quoted name with a colon stand at `at`: `NOTE "name":`. */
export function isWordsThenKeyAt(text: string, at: Offset): boolean {
  const words = text.slice(at, at + KEY_REACH)
  const match = /^[\p{L}_][\p{L}\p{N}_ \t-]*/u.exec(words)
  return match !== null && isQuotedKeyAt(text, at + match[0].length)
}

/** Whether the next property begins at `at`, however it is written. */
export function isKeyAt(text: string, at: Offset): boolean {
  return isQuotedKeyAt(text, at) || isBareKeyAt(text, at) || isWordsThenKeyAt(text, at)
}

const LITERAL = /(?:true|false|null|True|False|None|NaN|nan|Infinity|undefined)(?![\p{L}\p{N}_])/uy

export function isLiteralAt(text: string, at: Offset): boolean {
  LITERAL.lastIndex = at
  return LITERAL.test(text)
}
