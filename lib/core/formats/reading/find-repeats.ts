/** Finds strings that repeat a result, completely or in part, in time linear in their lengths. */
import { addToGroup } from '../../conversation/add-to-group'
import { isJsonText, parseJson } from '../../text/json'
import { partitionPoint } from '../../text/span'

/**
 * Returns a test whether a string repeats a result; undefined for a result without texts. An empty text is no text of a
 * result that masking left.
 */
export function repeatTest(texts: readonly string[]): ((text: string) => boolean) | undefined {
  const filled = texts.filter((text) => text !== '')
  if (filled.length === 0) return undefined
  const index = indexResultTexts([filled.join('\n')])
  return (text) => findDuplicatedResult(text, index) !== undefined
}

/** The same for a string that shows the output of one call, in whole or in part. */
export function displayTest(texts: readonly string[]): ReturnType<typeof repeatTest> {
  const isRepeat = repeatTest(texts)
  const whole = texts.join('\n').trim()
  const preview = previewIn(whole)
  return (text) => {
    const shown = text.trim()
    if (isRepeat?.(text) === true || (preview !== undefined && text.includes(preview))) return true
    if (Math.min(shown.length, whole.length) < MIN_LINE) return false
    // A text of one line may be a placeholder, which quotes arguments.
    if (whole.includes('\n') && whole.includes(shown)) return true
    return shown.includes(whole) && whole.length * 2 >= shown.length
  }
}

/**
 * Returns the start of the longest line in the preview of a result that Claude Code stored, since the preview can end inside
 * a line. Undefined for any other result.
 */
function previewIn(result: string): string | undefined {
  if (!result.startsWith('<persisted-output>')) return undefined
  // Without the line of the tag that ends it.
  const lines = result.slice(result.indexOf('\nPreview')).split('\n').slice(2, -1)
  const longest = lines.reduce((best, next) => (next.length > best.length ? next : best), '')
  const start = longest.trim().slice(0, LONGEST_PREVIEW)
  return start.length < MIN_LINE ? undefined : start
}

const LONGEST_PREVIEW = 200

/** A shorter line, such as `return nil`, occurs in unrelated texts. */
const MIN_LINE = 12
const MIN_RUN = 24
/** Shortest string that counts as a duplicate when it equals a complete line of a result, such as a file name. */
const MIN_WHOLE = 4

/**
 * Indexes results for `findDuplicatedResult`: by text, the indexes of the results that contain it, in ascending order. Pieces
 * are lines, trimmed and without line numbers, and the lines of quoted strings. An undefined one has no text. Quoted strings of a text of one line are
 * indexed only if the text is JSON, because a placeholder is one line that may quote the call's arguments.
 */
export function indexResultTexts(texts: readonly (string | undefined)[]) {
  const wholes = new Map<string, number[]>()
  const pieces = new Map<string, number[]>()
  const note = (map: Map<string, number[]>, piece: string, owner: number): void => {
    if (piece === '') return
    if (map.get(piece)?.at(-1) !== owner) addToGroup(map, piece, owner)
  }
  for (const [owner, text = ''] of texts.entries()) {
    note(wholes, text.trim(), owner)
    const lines = text.split('\n')
    for (const line of lines) {
      for (const form of lineForms(line)) note(pieces, form, owner)
    }
    for (const piece of longPieces(text)) note(pieces, piece, owner)
    if (lines.length === 1 && !isJsonText(text)) continue
    for (const quoted of quotedIn(text)) {
      for (const piece of longPieces(quoted)) note(pieces, piece, owner)
    }
  }
  return { wholes, pieces }
}

/**
 * Returns the first result at or after `from` that a string repeats, otherwise the last one before it. A string repeats a
 * result if it equals its text or one of its lines, or if both share a line of at least `MIN_LINE` characters or a run of shorter
 * ones.
 */
export function findDuplicatedResult(
  candidate: string,
  { wholes, pieces }: ReturnType<typeof indexResultTexts>,
  from = 0,
): number | undefined {
  const trimmed = candidate.trim()
  let after: number | undefined
  let before: number | undefined
  const noteOwners = (owners: readonly number[] | undefined): void => {
    if (owners === undefined) return
    const at = partitionPoint(0, owners.length, (index) => (owners[index] as number) < from)
    const [next, last] = [owners[at], owners[at - 1]]
    if (next !== undefined && (after === undefined || next < after)) after = next
    if (last !== undefined && (before === undefined || last > before)) before = last
  }
  noteOwners(wholes.get(trimmed))
  if (trimmed.length >= MIN_WHOLE) noteOwners(pieces.get(trimmed))
  for (const piece of longPieces(candidate)) noteOwners(pieces.get(piece))
  return after ?? before
}

/** The lines of a text that are long enough to be no chance, and the runs of shorter lines that are together. */
function longPieces(text: string): string[] {
  const lines = text.split('\n')
  return lines.flatMap((line, at) => {
    const forms = lineForms(line).filter((form) => form.length >= MIN_LINE)
    if (forms.length > 0 || lines.length === 1) return forms
    let run = ''
    for (const next of lines.slice(at, at + MIN_RUN)) {
      if (next.trim().length >= MIN_LINE || run.length >= MIN_RUN) break
      run += `${next.trim()}\n`
    }
    return run.length >= MIN_RUN && /\w/.test(run) ? [run] : []
  })
}

/** Returns the strings in double quotes that close on the same line, with escapes decoded. */
function quotedIn(text: string): string[] {
  const found: string[] = []
  let open: number | undefined
  for (let at = 0; at < text.length; at++) {
    const char = text[at]
    if (char === '\n') open = undefined
    else if (char === '\\' && open !== undefined) {
      if (text[at + 1] !== '\n') at++
    } else if (char === '"') {
      if (open === undefined) open = at
      else {
        if (at - open > MIN_LINE) found.push(decodeQuoted(text.slice(open, at + 1)))
        open = undefined
      }
    }
  }
  return found
}

function decodeQuoted(quoted: string): string {
  const decoded = quoted.includes('\\') ? parseJson(quoted) : undefined
  return typeof decoded === 'string' ? decoded : quoted.slice(1, -1)
}

/** Returns a line in three forms: trimmed, without a file viewer's line number, and without diff or error marks. */
function lineForms(line: string): string[] {
  const trimmed = line.trim()
  const unnumbered = trimmed.replace(/^\d+(?:→|\t| {2}|: ?| ?\| ?)/, '').trim()
  const unmarked = trimmed
    .replace(/^(?:[+-]|<tool_use_error>(?:Error: )?|(?:Error|Output|Stdout|Stderr): )/, '')
    .replace(/<\/tool_use_error>$/, '')
    .trim()
  return [...new Set([trimmed, unnumbered, unmarked])]
}
