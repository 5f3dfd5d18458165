/** Unescapes a JSON source at any depth. In escaped text a `\\n` before a key would look like the end of a word. */

import { type Offset, partitionPoint, type Span } from '../../text/span'

export interface UnescapedText {
  readonly text: string
  readonly source: string
  /** Maps a span of the text to the source. Escapes are included completely. */
  readonly sourceOf: (span: Span) => Span
}

const LETTERS: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  b: '\b',
  f: '\f',
}

/** Undoes the escapes of every string in a source. */
export function unescapeText(source: string): UnescapedText {
  const pieces: string[] = []
  /** Pairs of offsets in the text and the source, one wherever their distance changes. */
  const marks: { readonly at: Offset; readonly source: Offset }[] = [{ at: 0, source: 0 }]
  let length = 0
  let copied = 0
  const escapes = /\\+(?:u[0-9a-fA-F]{4}|[^\\])?/g
  for (const match of source.matchAll(escapes)) {
    const start = match.index
    const end = start + match[0].length
    const letter = characterOf(match[0])
    pieces.push(source.slice(copied, start), letter)
    length += start - copied
    marks.push({ at: length, source: start })
    length += letter.length
    marks.push({ at: length, source: end })
    copied = end
  }
  pieces.push(source.slice(copied))
  const sourceAt = (at: Offset): Offset => {
    const mark = marks[lastAtOrBefore(marks, at)] as (typeof marks)[number]
    return mark.source + (at - mark.at)
  }
  return {
    text: pieces.join(''),
    source,
    sourceOf: ({ start, end }) => ({ start: sourceAt(start), end: sourceAt(end) }),
  }
}

/** Character that an escape stands for, at any depth. */
function characterOf(run: string): string {
  const code = /u([0-9a-fA-F]{4})$/.exec(run)?.[1]
  if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16))
  const letter = run.at(-1) as string
  return LETTERS[letter] ?? letter
}

function lastAtOrBefore(marks: readonly { readonly at: Offset }[], at: Offset): number {
  return partitionPoint(1, marks.length, (index) => (marks[index] as { at: Offset }).at <= at) - 1
}
