/** Locates tables and values in a valid TOML text; detects no errors. An inline table counts as one value. */
import type { Offset, TextSpan } from '../../text/span'

export interface TomlHeader {
  readonly kind: 'header'
  readonly path: readonly string[]
  /** `[[x]]`: one table of an array. */
  readonly isOfArray: boolean
  readonly line: number
  /** End of the header's line, without the line break. */
  readonly end: Offset
}

export interface TomlPair {
  readonly kind: 'pair'
  /** Path of the table, then of the key, which may be dotted. */
  readonly path: readonly string[]
  readonly line: number
  readonly start: Offset
  readonly value: TextSpan
}

export type TomlEntry = TomlHeader | TomlPair

/** Returns headers and pairs in order. Lines count from 1. */
export function tomlEntries(text: string): readonly TomlEntry[] {
  const entries: TomlEntry[] = []
  let table: readonly string[] = []
  let at = text.startsWith('\ufeff') ? 1 : 0
  let line = 1
  let counted = 0
  const lineAt = (offset: Offset): number => {
    for (; counted < offset; counted++) if (text[counted] === '\n') line++
    return line
  }
  while (at < text.length) {
    const letter = text[at] as string
    if (/\s/.test(letter)) at++
    else if (letter === '#') at = endOfLine(text, at)
    else if (letter === '[') {
      const isOfArray = text[at + 1] === '['
      const key = readKey(text, at + (isOfArray ? 2 : 1))
      table = key.path
      const end = endOfLine(text, key.end)
      entries.push({ kind: 'header', path: table, isOfArray, line: lineAt(at), end })
      at = end
    } else {
      const key = readKey(text, at)
      const start = skipBlanks(text, text.indexOf('=', key.end) + 1)
      const end = valueEnd(text, start)
      // The text is not TOML; the rest is skipped.
      if (start === 0 || end <= at) break
      const path = [...table, ...key.path]
      entries.push({ kind: 'pair', path, line: lineAt(at), start: at, value: { start, end } })
      at = end
    }
  }
  return entries
}

function endOfLine(text: string, from: Offset): Offset {
  const at = text.indexOf('\n', from)
  if (at === -1) return text.length
  return text[at - 1] === '\r' ? at - 1 : at
}

function skipBlanks(text: string, from: Offset): Offset {
  let at = from
  while (text[at] === ' ' || text[at] === '\t') at++
  return at
}

function readKey(text: string, from: Offset): { path: readonly string[]; end: Offset } {
  const path: string[] = []
  let at = skipBlanks(text, from)
  while (at < text.length) {
    const quote = text[at]
    if (quote === '"' || quote === "'") {
      const end = stringEnd(text, at)
      const inside = text.slice(at + 1, end - 1)
      path.push(quote === '"' ? unescaped(inside) : inside)
      at = end
    } else {
      const start = at
      while (/[\w-]/.test(text.charAt(at))) at++
      path.push(text.slice(start, at))
    }
    at = skipBlanks(text, at)
    if (text[at] !== '.') break
    at = skipBlanks(text, at + 1)
  }
  return { path, end: at }
}

/** Unescapes a key. TOML's escapes are those of JSON except `\U`, which no key here needs. */
function unescaped(inside: string): string {
  try {
    return JSON.parse(`"${inside}"`) as string
  } catch {
    return inside
  }
}

/** End of the string that starts at `from`, closing quotes included. */
function stringEnd(text: string, from: Offset): Offset {
  const quote = text[from] as string
  const isLong = text.startsWith(quote.repeat(3), from)
  const closing = isLong ? quote.repeat(3) : quote
  let at = from + closing.length
  while (at < text.length && !text.startsWith(closing, at)) {
    at += quote === '"' && text[at] === '\\' ? 2 : 1
  }
  at += closing.length
  // The content of a long string may end with one or two quotes.
  for (let extra = 0; isLong && extra < 2 && text[at] === quote; extra++) at++
  return Math.min(at, text.length)
}

function valueEnd(text: string, from: Offset): Offset {
  const letter = text[from]
  if (letter === '"' || letter === "'") return stringEnd(text, from)
  if (letter !== '[' && letter !== '{') {
    let at = from
    while (at < text.length && !/[\n\r#]/.test(text[at] as string)) at++
    while (at > from && /[ \t]/.test(text[at - 1] as string)) at--
    return at
  }
  let depth = 0
  let at = from
  while (at < text.length) {
    const inside = text[at] as string
    if (inside === '"' || inside === "'") at = stringEnd(text, at)
    else if (inside === '#') at = endOfLine(text, at)
    else {
      if (inside === '[' || inside === '{') depth++
      if (inside === ']' || inside === '}') depth--
      at++
      if (depth === 0) return at
    }
  }
  return at
}
