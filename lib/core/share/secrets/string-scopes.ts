/** Finds the strings of a text at every depth: strings in JSON, in JSON inside these strings, and so on. */
import { type Offset, partitionPoint, type TextSpan } from '../../text/span'

/** The content of a string in an unescaped text. */
export interface StringScope extends TextSpan {
  /** True if the string has no closing quote in its line. */
  readonly isUnclosed: boolean
  readonly parent: StringScope | undefined
}

/** Returns the innermost string at an offset of the unescaped text. */
export type StringScopes = (at: Offset) => StringScope | undefined

/** Returns the innermost string at an offset that has a closing quote. */
export function closedScope(scopes: StringScopes, at: Offset): StringScope | undefined {
  let scope = scopes(at)
  while (scope?.isUnclosed) scope = scope.parent
  return scope
}

interface OpenString extends StringScope {
  end: Offset
  isUnclosed: boolean
  /** Length of an escaped character in this string: 1, 2, 4 and so on. */
  readonly unit: number
}

/** The innermost string from an offset on. */
interface Change {
  readonly at: Offset
  readonly string: OpenString | undefined
}

/**
 * Returns the strings of an unescaped text. The backslashes before a quote in the source tell the depth of its string.
 * An unclosed string ends with its line, or with the string around it.
 */
export function stringScopes({ text, source, sourceOf }: UnescapedText): StringScopes {
  /** Innermost string from each offset on. */
  const changes: Change[] = []
  const open: OpenString[] = []
  const closeFrom = (index: number, at: Offset, isUnclosed: boolean) => {
    for (const string of open.splice(index)) Object.assign(string, { end: at, isUnclosed })
    changes.push({ at: at + 1, string: open.at(-1) })
  }
  for (const { index: at, 0: character } of text.matchAll(/["\n]/g)) {
    const { start, end } = sourceOf({ start: at, end: at + 1 })
    const backslashes = backslashesOf(source.slice(start, end))
    if (character === '\n') {
      const unclosed = open.findIndex(({ unit }) => unit > backslashes)
      if (unclosed !== -1) closeFrom(unclosed, at, true)
      continue
    }
    const closed = open.findIndex(({ unit }) => Math.floor(backslashes / unit) % 2 === 0)
    const isEnd = closed !== -1 && backslashes + 1 >= (open[closed] as OpenString).unit
    if (closed !== -1) closeFrom(closed, at, false)
    const unit = backslashes + 1
    const isDelimiter = Number.isInteger(Math.log2(unit)) && unit > (open.at(-1)?.unit ?? 0)
    if (isEnd || !isDelimiter) continue
    open.push({ start: at + 1, end: text.length, isUnclosed: true, parent: open.at(-1), unit })
    changes.push({ at: at + 1, string: open.at(-1) })
  }
  return (at) => {
    const next = partitionPoint(0, changes.length, (index) => (changes[index] as Change).at <= at)
    return changes[next - 1]?.string
  }
}

/** The backslashes of a quote or a line end; of the form with a code, `\u0022`, as many as `\"` has at its depth. */
function backslashesOf(written: string): number {
  const count = written.search(/[^\\]|$/)
  return written.length > count + 1 ? withoutCode(count) : count
}

/** A string around it writes `\"` as `\\\"`, and `\u0022` as `\\u0022`. */
function withoutCode(backslashes: number): number {
  return backslashes % 2 === 1 ? backslashes : 2 * withoutCode(backslashes / 2) + 1
}

/** A JSON source unescaped at any depth. In escaped text a `\\n` before a key would look like the end of a word. */
export interface UnescapedText {
  readonly text: string
  readonly source: string
  /** Maps a span of the text to the source. Escapes are included completely. */
  readonly sourceOf: (span: TextSpan) => TextSpan
}

const ESCAPE = String.fromCharCode(27)
/** Colours of a terminal; escapes; ends of lines, and the head of a part of a diff, whose lines start with a sign. */
const UNWRITTEN = new RegExp(
  `(?:${ESCAPE}|\\\\+(?:u001[bB]|x1[bB]|033|e))\\[[\\d;]*[A-Za-z]|\\\\+(?:u[0-9a-fA-F]{4}|[^\\\\])?|\\n|@@ -\\d[\\d,]{0,20} \\+\\d[\\d,]{0,20} @@`,
  'g',
)

/** Undoes the escapes of every string in a source; takes out colours, and the signs of a diff. */
export function unescapeText(source: string): UnescapedText {
  const pieces: string[] = []
  /** Pairs of offsets in the text and the source, one wherever their distance changes. */
  const marks: Mark[] = [{ at: 0, source: 0 }]
  let length = 0
  let copied = 0
  const put = (start: Offset, end: Offset, character: string) => {
    pieces.push(source.slice(copied, start), character)
    length += start - copied
    marks.push({ at: length, source: start })
    length += character.length
    marks.push({ at: length, source: end })
    copied = end
  }
  let isDiff = false
  for (const { 0: written, index } of source.matchAll(UNWRITTEN)) {
    const end = index + written.length
    if (written.startsWith('@@')) {
      isDiff = true
      continue
    }
    const letter = /\[[\d;]*[A-Za-z]$/.test(written) ? '' : characterOf(written)
    if (written !== '\n') put(index, end, letter)
    if (!isDiff || letter !== '\n') continue
    isDiff = /[ +-]/.test(source.charAt(end))
    if (isDiff) put(end, end + 1, '')
  }
  pieces.push(source.slice(copied))
  // At what is taken out, a span starts after it or ends before it.
  const sourceAt = (offset: Offset, isEnd: boolean) => {
    const isBefore = ({ at }: Mark) => at < offset || (!isEnd && at === offset)
    const next = partitionPoint(0, marks.length, (index) => isBefore(marks[index] as Mark))
    const { at, source } = marks[marks[next]?.at === offset ? next : next - 1] as Mark
    return source + offset - at
  }
  return {
    text: pieces.join(''),
    source,
    sourceOf: ({ start, end }) => ({ start: sourceAt(start, false), end: sourceAt(end, true) }),
  }
}

interface Mark {
  readonly at: Offset
  readonly source: Offset
}

/** Character that an escape stands for, at any depth. */
function characterOf(run: string): string {
  const escaped = /(?:u[0-9a-fA-F]{4}|[nrtbf])$/.exec(run)?.[0]
  return escaped === undefined ? (run.at(-1) as string) : JSON.parse(`"\\${escaped}"`)
}
