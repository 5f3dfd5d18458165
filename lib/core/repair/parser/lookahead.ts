/** Tests of a text at an offset. */
import type { Offset } from '../../text/span'

const DOUBLE_QUOTES = '"“”„‟″'
export const SINGLE_QUOTES = "'‘’‚‛`´"

/** Longest key that is recognised. These tests run for every quote, so they must be cheap. */
const MAX_LOOKAHEAD = 200

const WHITE = /\s|\u200b|\u200c|\u200d|\u2060|\ufeff|\u180e/
const NAME = /[\p{L}_$][\p{L}\p{N}_$.-]{0,220}/uy
const LITERAL = /(?:true|false|null|True|False|None|NaN|nan|Infinity|undefined)(?![\p{L}\p{N}_])/uy

export function isQuote(character: string | undefined): boolean {
  return character !== undefined && (DOUBLE_QUOTES + SINGLE_QUOTES).includes(character)
}

/** True if `character` may close a string opened with `opening`. */
export function isClosingQuote(opening: string, character: string): boolean {
  if (opening === '"' || opening === "'") return character === opening
  if (DOUBLE_QUOTES.includes(opening)) return DOUBLE_QUOTES.includes(character)
  return SINGLE_QUOTES.includes(character)
}

/** What a sticky pattern matches at an offset; undefined if it does not match there. */
export function matchAt(pattern: RegExp, text: string, at: Offset): string | undefined {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0]
}

export function skipWhite(text: string, from: Offset): Offset {
  return new Lookahead(text).skipWhite(from)
}

export class Lookahead {
  constructor(readonly text: string) {}

  isWhite(at: Offset): boolean {
    const code = this.text.charCodeAt(at)
    if (code <= 32) return code === 32 || (code >= 9 && code <= 13)
    return code > 126 && WHITE.test(this.text[at] as string)
  }

  skipWhite(from: Offset): Offset {
    let at = from
    while (at < this.text.length && this.isWhite(at)) at++
    return at
  }

  /** Moves `end` before the white space that precedes it, but not before `from`. */
  trimmedEnd(from: Offset, end: Offset): Offset {
    let at = end
    while (at > from && this.isWhite(at - 1)) at--
    return at
  }

  /** Skips white space and one comment, if the comment is short enough. */
  skipToToken(from: Offset): Offset {
    const { text } = this
    const at = this.skipWhite(from)
    const isBlock = text[at + 1] === '*'
    if (text[at] !== '/' || (!isBlock && text[at + 1] !== '/')) return at
    const start = isBlock ? at + 2 : at
    const reach = text.slice(start, start + MAX_LOOKAHEAD)
    const end = isBlock ? reach.indexOf('*/') : reach.search(/[\r\n]/)
    if (end >= 0) return this.skipWhite(start + end + (isBlock ? 2 : 0))
    return start + MAX_LOOKAHEAD >= text.length ? text.length : at
  }

  /** Offset of the closing quote on the same line and within `MAX_LOOKAHEAD`; -1 if there is none. */
  closingQuoteOf(at: Offset): Offset {
    const { text } = this
    const opening = text[at] as string
    const limit = Math.min(text.length, at + MAX_LOOKAHEAD)
    for (let next = at + 1; next < limit; next++) {
      const character = text[next] as string
      if (character === '\\') next++
      else if (character === '\n') return -1
      else if (isClosingQuote(opening, character)) return next
    }
    return -1
  }

  #isColon(at: Offset): boolean {
    return this.text[at] === ':' || this.text[at] === '：'
  }

  /** True if a quoted key and a colon start at `at`. */
  isQuotedKeyAt(at: Offset): boolean {
    const { text } = this
    if (!isQuote(text[at])) return false
    let end = this.closingQuoteOf(at)
    if (end < 0) return false
    // `""name"":`, doubled quotes.
    if (end === at + 1 && /\w/.test(text[end + 1] ?? '')) {
      end = this.closingQuoteOf(end)
      if (end < 0) return false
      if (isClosingQuote(text[at] as string, text[end + 1] ?? ' ')) end++
    }
    return this.#isColon(this.skipWhite(end + 1))
  }

  /** End of the bare name at `at`; `at` if there is none. */
  nameEnd(at: Offset): Offset {
    return at + (matchAt(NAME, this.text, at)?.length ?? 0)
  }

  /** True if a bare key and a colon start at `at`; `https://` is not a key. */
  isBareKeyAt(at: Offset): boolean {
    const { text } = this
    const end = this.nameEnd(at)
    if (end === at || end - at > MAX_LOOKAHEAD) return false
    const colon = this.skipWhite(isQuote(text[end]) ? end + 1 : end)
    return this.#isColon(colon) && !(text[colon + 1] === '/' && text[colon + 2] === '/')
  }

  /** True if bare words, then a quoted key and a colon start at `at`: `NOTE "name":`. */
  isWordsThenKeyAt(at: Offset): boolean {
    const words = this.text.slice(at, at + MAX_LOOKAHEAD)
    const match = /^[\p{L}_][\p{L}\p{N}_ \t-]*/u.exec(words)
    return match !== null && this.isQuotedKeyAt(at + match[0].length)
  }

  /** True if a property starts at `at`, with or without quotes around its key. */
  isKeyAt(at: Offset): boolean {
    return this.isQuotedKeyAt(at) || this.isBareKeyAt(at) || this.isWordsThenKeyAt(at)
  }

  isLiteralAt(at: Offset): boolean {
    return matchAt(LITERAL, this.text, at) !== undefined
  }
}
