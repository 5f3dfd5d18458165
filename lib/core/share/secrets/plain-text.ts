/**
 * A JSON source as plain text to look for patterns in, with the way back to the source. Escapes are undone however
 * deep strings stand in strings: `\\n` before a key would otherwise make it the tail of a word.
 */

import { partitionPoint } from '../../text/partition-point'
import type { Offset, Span } from '../../text/span'

export interface PlainText {
  readonly text: string
  /** The stretch of the source a stretch of the text came from; escapes are in it whole. */
  readonly sourceOf: (span: Span) => Span
}

const LETTERS: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  b: '\b',
  f: '\f',
}

/** Undoes the escapes of every string of a source. */
export function plainTextOf(source: string): PlainText {
  const pieces: string[] = []
  /** Offsets in the text and in the source where one begins to run apart from the other. */
  const marks: { readonly at: Offset; readonly source: Offset }[] = [{ at: 0, source: 0 }]
  let length = 0
  let copied = 0
  const escapes = /\\+(?:u[0-9a-fA-F]{4}|[^\\])?/g
  for (const match of source.matchAll(escapes)) {
    const start = match.index
    const end = start + match[0].length
    const letter = lastOf(match[0])
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
    sourceOf: ({ start, end }) => ({ start: sourceAt(start), end: sourceAt(end) }),
  }
}

/** What a run of backslashes and what follows it stands for, at whatever depth. */
function lastOf(run: string): string {
  const code = /u([0-9a-fA-F]{4})$/.exec(run)?.[1]
  if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16))
  const letter = run.at(-1) as string
  return LETTERS[letter] ?? letter
}

function lastAtOrBefore(marks: readonly { readonly at: Offset }[], at: Offset): number {
  return partitionPoint(1, marks.length, (index) => (marks[index] as { at: Offset }).at <= at) - 1
}
