import type { Offset } from '../text/span'
import { fixEscape } from './fix-escapes'
import { rawLetters } from './raw-backslashes'
import { fix, type Reading } from './reading'
import type { StringEnd } from './unclosed-end'

const NAMED: Readonly<Record<string, string>> = {
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
}

/** Makes what stands from `from` to the string's end fit between double quotes. */
export function fixContent(
  reading: Reading,
  from: Offset,
  { end, isClosed, isCutOff }: Pick<StringEnd, 'end' | 'isClosed' | 'isCutOff'>,
  opening: string | undefined,
): void {
  const { text } = reading
  const isOpen = isCutOff && !isClosed
  let raw: string | undefined
  let at = from
  while (at < end) {
    const code = text.charCodeAt(at)
    if (code === 92) {
      if (opening === undefined) at = keepBackslash(reading, at)
      else {
        raw ??= rawLetters(text, from, end, isOpen)
        at = fixEscape(reading, at, { from, end, isOpen, raw })
      }
      continue
    }
    if (code < 32) {
      const character = text[at] as string
      const spelt = NAMED[character] ?? `\\u${code.toString(16).padStart(4, '0')}`
      fix(reading, 'control_characters', at, at + 1, spelt)
    } else if (code === 34) {
      // In single quotes a double quote is right, and only spelt differently.
      const strategy = opening === "'" ? 'single_quoted_values' : 'inner_quotes'
      fix(reading, strategy, at, at + 1, '\\"')
    }
    at++
  }
}

function keepBackslash(reading: Reading, at: Offset): Offset {
  fix(reading, 'bad_escapes', at, at + 1, '\\\\')
  return at + 1
}
