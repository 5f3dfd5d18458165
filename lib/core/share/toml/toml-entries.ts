/** Locates tables and values in a valid TOML text; detects no errors. An inline table counts as one value. */
import type { Offset, TextSpan } from '../../text/span'

/** The header of a table, of one table of an array such as `[[x]]`, or a pair. The span is of its value, or its line. */
export interface TomlEntry extends TextSpan {
  readonly kind: 'table' | 'array' | 'pair'
  /** Path of the table; of a pair, then of the key, which may be dotted. */
  readonly path: readonly string[]
  readonly line: number
}

const STRING = String.raw`"(?:[^"\\\n]|\\.)*"|'[^'\n]*'`
/** The content may end with one or two quotes. */
const LONG_STRING = String.raw`"""(?:[^\\]|\\[^])*?"{3,5}|'''[^]*?'{3,5}`
const KEY = String.raw`(?:${STRING}|[\w-]+)`
const SPACE = /(?:\s|#[^\n]*)*/y
const KEYS = String.raw`${KEY}(?:[ \t]*\.[ \t]*${KEY})*`
const START = new RegExp(String.raw`(\[*)[ \t]*(${KEYS})[ \t]*(?:\]|=[ \t]*)`, 'y')
/** A string, a comment, a bracket, white space, or other characters. */
const PIECE = new RegExp(`${LONG_STRING}|${STRING}|#[^\\n]*|[[\\]{}\\s]|[^[\\]{}\\s"'#]+`, 'y')

/** Returns headers and pairs in order, up to where the text is not TOML. Lines count from 1. */
export function tomlEntries(text: string): readonly TomlEntry[] {
  const entries: TomlEntry[] = []
  let table: readonly string[] = []
  let line = 1
  for (let at = 0; ; ) {
    const from = endOf(SPACE, text, at)
    START.lastIndex = from
    const [, brackets, keys = ''] = START.exec(text) ?? []
    if (brackets === undefined) return entries
    line += text.slice(at, from).split('\n').length - 1
    const start = START.lastIndex
    const path = (keys.match(new RegExp(KEY, 'g')) as string[]).map(nameOf)
    at = brackets === '' ? endOfValue(text, start) : endOfLine(text, start)
    if (brackets === '')
      entries.push({ kind: 'pair', path: [...table, ...path], line, start, end: at })
    else {
      table = path
      entries.push({ kind: brackets === '[' ? 'table' : 'array', path, line, start: from, end: at })
    }
    line += text.slice(from, at).split('\n').length - 1
  }
}

/** End of the line at an offset, without the line break. */
export function endOfLine(text: string, at: Offset): Offset {
  return endOf(/[^\r\n]*/y, text, at)
}

function endOf(pattern: RegExp, text: string, at: Offset): Offset {
  pattern.lastIndex = at
  pattern.test(text)
  return pattern.lastIndex
}

/** TOML's escapes are those of JSON except `\U`, which no key here needs. */
function nameOf(key: string): string {
  if (!/^["']/.test(key)) return key
  try {
    return JSON.parse(key) as string
  } catch {
    return key.slice(1, -1)
  }
}

function endOfValue(text: string, from: Offset): Offset {
  let depth = 0
  let end = from
  PIECE.lastIndex = from
  for (let piece = PIECE.exec(text)?.[0]; piece; piece = PIECE.exec(text)?.[0]) {
    if (depth === 0 && /^[#\n]/.test(piece)) break
    if (/^[[{]/.test(piece)) depth++
    if (/^[\]}]/.test(piece)) depth--
    if (!/^[\s#]/.test(piece)) end = PIECE.lastIndex
  }
  return end
}
