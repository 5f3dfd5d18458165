import { assertReadError, type Problem, ReadError } from '../../problem'
import { decodeAnyUtf8, decodeUtf8 } from '../../text/decode-utf8'
import { isJsonText } from '../../text/json'
import { parseJsonTree } from '../../text/json-tree'
import {
  eachNonBlankLine,
  indexLines,
  nonBlankLines,
  positionAt,
  type TextLine,
  textStart,
} from '../../text/lines'
import { type Offset, TextPieces, type TextSlices, type TextSpan } from '../../text/span'
import { type Phrase, type ProblemCode, phrase, type Values, type WordKey } from '../../words/words'
import type { SourceDocument, SourceValue } from './source-document'

/** Largest text that is read, in UTF-16 code units; a browser's memory is the limit. */
export const MAX_SOURCE_LENGTH = 64_000_000

type OnProgress = (done: number) => void

/**
 * Parses a text as one JSON document, as JSON Lines when its first line is a complete value and others follow, or as
 * several objects or arrays in a row, which a pretty-printed log has.
 * Throws a `ReadError` with the location for anything else. A bad line among good ones is a problem, not an error.
 */
export function openSource(text: string, onProgress: OnProgress = () => {}): SourceDocument {
  checkLength(text.length)
  const start = textStart(text)
  if (text.slice(start).trim() === '') throw new ReadError('empty', {}, 0)
  const lineText = ({ start, end }: TextLine) => text.slice(start, end)
  // A document of JSON can have millions of lines, of which no more are looked at.
  const [first, second] = eachNonBlankLine(text)
  if (second === undefined || !isJsonText(lineText(first as TextLine))) {
    try {
      return openJson(text, start, onProgress)
    } catch (error) {
      const lines = nonBlankLines(text)
      if (lines.length < 2 || !areMostlyJson(lines, text)) {
        assertReadError(error)
        const { offset } = error.problem
        // Only where one value ends can the next one begin.
        if (offset === undefined || !/[{[]/.test(text.charAt(offset))) throw error
        return openSequence(text, start)
      }
    }
  }
  const opened = new OpenedLines(text)
  for (const line of eachNonBlankLine(text)) {
    opened.add(lineText(line), line.start, line.number)
    onProgress(line.end / text.length)
  }
  if (opened.areDoubtful) {
    try {
      return openSequence(text, start)
    } catch (error) {
      assertReadError(error)
    }
  }
  return opened.document()
}

/** True if more than half of the lines are objects or lists in JSON. */
export function areMostlyJson(lines: readonly TextSpan[], text: string): boolean {
  const values = lines.filter(({ start, end }) => isJsonText(text.slice(start, end)))
  return values.length * 2 > lines.length
}

function openJson(text: string, start: Offset, onProgress: OnProgress): SourceDocument {
  const onOffset = (offset: Offset) => onProgress(offset / text.length)
  const tree = parseJsonTree(text, { from: start, onProgress: onOffset })
  const value: unknown = JSON.parse(text.slice(start))
  const values = [{ text, value, line: undefined, tree, encoded: 0, basePath: [] }]
  return { text, layout: 'json', values, problems: [] }
}

/** Opens values in a row like the lines of JSON Lines. */
function openSequence(text: string, start: Offset): SourceDocument {
  const index = indexLines(text)
  const values: SourceValue[] = []
  for (let at = start; ; ) {
    at += text.slice(at).search(/\S|$/)
    if (at === text.length) return { text, layout: 'jsonl', values, problems: [] }
    const tree = parseJsonTree(text, { from: at, isFirstOfMany: true })
    const value: unknown = JSON.parse(text.slice(at, tree.end))
    const { line } = positionAt(index, at)
    values.push({ text, value, line, tree, encoded: 0, basePath: [] })
    at = tree.end
  }
}

const LINE_FEED = 10
const SPACE = 32

/**
 * Opens UTF-8 bytes as they arrive. Lines of JSON are read when they have arrived, so neither all their bytes nor one text
 * of them is in memory. Any other file is decoded at its end.
 */
export class ArrivingSource {
  readonly #bytes: Uint8Array
  /** Bytes that have arrived and are not read. */
  #length = 0
  #layout: 'unknown' | 'jsonl' | 'other' = 'unknown'
  /** The first line that is not blank. */
  readonly #first: { start: Offset; end: Offset | undefined } = { start: 0, end: undefined }
  readonly #text = new TextPieces()
  readonly #lines = new OpenedLines(this.#text)
  #nextNumber = 1

  /** `memory` has room for all bytes; lines take little of it. */
  constructor(memory: Uint8Array) {
    this.#bytes = memory
  }

  add(chunk: Uint8Array): void {
    const before = this.#length
    this.#bytes.set(chunk, before)
    this.#length += chunk.length
    if (this.#layout === 'unknown') this.#recogniseLayout(before)
    if (this.#layout !== 'jsonl') return
    const end = this.#arrived().lastIndexOf(LINE_FEED) + 1
    if (end === 0) return
    this.#readLines(end)
    this.#bytes.copyWithin(0, end, this.#length)
    this.#length -= end
  }

  /** Returns the lines, or the text if it is not JSON Lines. */
  finish(): SourceDocument | string {
    if (this.#layout !== 'jsonl') return decodeAnyUtf8(this.#arrived())
    this.#readLines(this.#length)
    const isText = this.#lines.count < 2 || this.#lines.areDoubtful
    return isText ? this.#text.slice(0) : this.#lines.document()
  }

  #arrived(): Uint8Array {
    return this.#bytes.subarray(0, this.#length)
  }

  /** Looks at the first line once another one has begun; bytes before `from` were looked at before. */
  #recogniseLayout(from: Offset): void {
    const bytes = this.#arrived()
    const first = this.#first
    for (let at = from; first.end === undefined; ) {
      at = bytes.indexOf(LINE_FEED, at) + 1
      if (at === 0) return
      if (isBlank(bytes.subarray(first.start, at))) first.start = at
      else first.end = at
    }
    if (isBlank(bytes.subarray(first.end))) return
    const line = decodeAnyUtf8(bytes.subarray(first.start, first.end))
    const start = first.start === 0 ? textStart(line) : 0
    this.#layout = isJsonText(line.slice(start)) ? 'jsonl' : 'other'
  }

  #readLines(end: Offset): void {
    const text = decodeAnyUtf8(this.#bytes.subarray(0, end))
    const base = this.#text.length
    checkLength(base + text.length)
    this.#text.add(text)
    for (const line of eachNonBlankLine(text, base === 0 ? textStart(text) : 0)) {
      const number = this.#nextNumber + line.number - 1
      this.#lines.add(text.slice(line.start, line.end), base + line.start, number)
    }
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) this.#nextNumber++
  }
}

function isBlank(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte <= SPACE)
}

/** The lines of a source that are not blank, as values or as problems. */
class OpenedLines {
  readonly #text: TextSlices
  readonly #values: SourceValue[] = []
  readonly #problems: Problem[] = []
  /** True if two lines in a row are not JSON: a value in several lines, or streamed answers after a request. */
  areDoubtful = false
  #lastBad = 0

  /** `text` is the text of all lines, which can still grow. */
  constructor(text: TextSlices) {
    this.#text = text
  }

  get count(): number {
    return this.#values.length + this.#problems.length
  }

  add(text: string, start: Offset, number: number): void {
    try {
      const value: unknown = JSON.parse(text)
      const tree = parseJsonTree(text, { base: start })
      const line = { text: this.#text, value, line: number, tree, encoded: 0, basePath: [] }
      this.#values.push(line)
    } catch {
      this.#problems.push(badLine(text, start, number))
      if (this.#lastBad === number - 1) this.areDoubtful = true
      this.#lastBad = number
    }
  }

  document(): SourceDocument {
    return { text: this.#text, layout: 'jsonl', values: this.#values, problems: this.#problems }
  }
}

function checkLength(length: number): void {
  if (length > MAX_SOURCE_LENGTH) throw fileTooLargeError(length)
}

/** The problem of a line that is not JSON. */
export function badLine(text: string, start: Offset, line: number): Problem {
  try {
    parseJsonTree(text)
  } catch (error) {
    assertReadError(error)
    const { code, values, offset } = error.problem
    const reason = reasonInLine(code, values)
    return { code: 'bad_line', values: { line, reason }, offset: start + (offset as Offset) }
  }
  return { code: 'bad_line', values: { line, reason: phrase('nested_too_deep') }, offset: start }
}

const IN_LINE: Readonly<Record<string, WordKey>> = {
  array_opened_on_line: 'the_array',
  object_opened_on_line: 'the_object',
}

/** Why a line is not JSON: the problem of its text without the line. */
function reasonInLine(code: ProblemCode, { column = 0, ...values }: Values): Phrase {
  if (code === 'too_deep') return phrase('column_too_deep', { column, ...values })
  const { found = '', expected = '', inside } = values
  if (inside === undefined) return phrase('found_at_column', { n: column, found, expected })
  // All of it is on this line.
  const open = IN_LINE[(inside as Phrase).key]
  return phrase('line_ends', { n: column, inside: open === undefined ? inside : phrase(open) })
}

/** Largest file that is decoded: a UTF-16 code unit takes at most three bytes in UTF-8. */
export const MAX_FILE_BYTES = MAX_SOURCE_LENGTH * 3

/** Decodes a file; throws a `ReadError` when it is not text, empty or too large. */
export function decodeFile(bytes: Uint8Array): string {
  if (bytes.length > MAX_FILE_BYTES) throw fileTooLargeError(bytes.length)
  const text = decodeUtf8(bytes)
  if (text.trim() === '') throw new ReadError('empty_file')
  return text
}

export function fileTooLargeError(bytes: number): ReadError {
  const limit = MAX_SOURCE_LENGTH / 1e6
  return new ReadError('too_large', { size: Math.ceil(bytes / 1e6), limit })
}
