/**
 * Reads quoted strings of shells and scripts. Each function starts at an opening quote and returns the decoded text and the
 * offset after the closing quote; undefined when the string does not end.
 */
import controls from './control-letters.json' with { type: 'json' }
import type { Offset } from './span'

export interface QuotedString {
  readonly value: string
  readonly end: Offset
}

/** Control characters by the letter after the backslash. */
const CONTROLS: Readonly<Record<string, string>> = controls

/** Reads `'…'` of a POSIX shell, in which no character is special. */
export function readPlainQuotes(text: string, start: Offset): QuotedString | undefined {
  const close = text.indexOf("'", start + 1)
  return close === -1 ? undefined : { value: text.slice(start + 1, close), end: close + 1 }
}

/** Reads `"…"` of a POSIX shell; variables are not expanded. */
export function readDoubleQuotes(text: string, start: Offset): QuotedString | undefined {
  return readEscaped(text, start, '"', (at) => {
    const next = text.charAt(at + 1)
    if (next === '\n') return { value: '', end: at + 2 }
    return '"\\$`'.includes(next)
      ? { value: next, end: at + 2 }
      : { value: `\\${next}`, end: at + 2 }
  })
}

/** Reads `$'…'` of a POSIX shell; `start` is the offset of the quote. */
export function readAnsiQuotes(text: string, start: Offset): QuotedString | undefined {
  return readEscaped(text, start, "'", (at) => {
    const octal = /^[0-7]{1,3}/.exec(text.slice(at + 1, at + 4))
    if (octal !== null) {
      const code = Number.parseInt(octal[0], 8)
      return { value: String.fromCharCode(code), end: at + 1 + octal[0].length }
    }
    return readCode(text, at) ?? readSign(text, at, (sign) => `\\${sign}`)
  })
}

/** Reads `"…"`, `'…'` or `` `…` `` of a script; undefined for a template with placeholders. */
export function readScriptString(text: string, start: Offset): QuotedString | undefined {
  const quote = text[start] as string
  const read = readEscaped(text, start, quote, (at) => {
    const next = text.charAt(at + 1)
    if (next === '\n') return { value: '', end: at + 2 }
    if (next === '\r') return { value: '', end: at + (text[at + 2] === '\n' ? 3 : 2) }
    if (next === '0') return { value: '\0', end: at + 2 }
    return readCode(text, at) ?? readSign(text, at, (sign) => sign)
  })
  const hasPlaceholders =
    quote === '`' && read !== undefined && text.slice(start, read.end).includes('${')
  return hasPlaceholders ? undefined : read
}

/** Reads a quoted string; `readEscape` reads each escape sequence, which starts with a backslash. */
function readEscaped(
  text: string,
  start: Offset,
  quote: string,
  readEscape: (at: Offset) => QuotedString,
): QuotedString | undefined {
  const parts: string[] = []
  let from = start + 1
  let at = from
  while (at < text.length) {
    const sign = text[at]
    if (sign === quote) {
      parts.push(text.slice(from, at))
      return { value: parts.join(''), end: at + 1 }
    }
    if (sign !== '\\') {
      at++
      continue
    }
    parts.push(text.slice(from, at))
    const escaped = readEscape(at)
    parts.push(escaped.value)
    at = escaped.end
    from = at
  }
  return undefined
}

/** Reads `\x41`, `\u0041`, `\u{41}` and `\U00000041`; undefined for anything else. */
function readCode(text: string, at: Offset): QuotedString | undefined {
  const code =
    /^(?:x([\da-fA-F]{1,2})|u\{([\da-fA-F]{1,6})\}|u([\da-fA-F]{1,4})|U([\da-fA-F]{1,8}))/.exec(
      text.slice(at + 1, at + 12),
    )
  if (code === null) return undefined
  const number = Number.parseInt(code.slice(1).join(''), 16)
  if (number > 0x10ffff) return undefined
  return { value: String.fromCodePoint(number), end: at + 1 + code[0].length }
}

function readSign(text: string, at: Offset, other: (sign: string) => string): QuotedString {
  const sign = text.charAt(at + 1)
  const isItself = sign === '\\' || sign === "'" || sign === '"' || sign === '?'
  return { value: CONTROLS[sign] ?? (isItself ? sign : other(sign)), end: at + 2 }
}
