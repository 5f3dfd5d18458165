/** Tells which strings beside results repeat one of them, in whole or in part, in time linear in their lengths. */
import { isJsonText } from '../text/is-json-text'
import { partitionPoint } from '../text/partition-point'

/** A shorter line, such as `return nil`, stands in texts that have nothing to do with each other. */
const MIN_LINE = 12
/** A string that is one whole line of a result, such as a file name. */
const MIN_WHOLE = 4

/** What strings are compared with: by text, the indexes of the results that have it, in their order. */
export interface RepeatIndex {
  readonly wholes: ReadonlyMap<string, readonly number[]>
  /** Lines without line numbers and outer white space, and the lines of strings quoted in them. */
  readonly pieces: ReadonlyMap<string, readonly number[]>
}

/**
 * Prepares results for `repeatedBy`; an undefined one has no text. In a text of one line nothing quoted is looked for,
 * unless it is JSON: a placeholder is one, and what it quotes (the call's arguments) is no repeat of it.
 */
export function indexRepeats(texts: readonly (string | undefined)[]): RepeatIndex {
  const wholes = new Map<string, number[]>()
  const pieces = new Map<string, number[]>()
  const note = (map: Map<string, number[]>, piece: string, owner: number): void => {
    if (piece === '') return
    const owners = map.get(piece)
    if (owners === undefined) map.set(piece, [owner])
    else if (owners.at(-1) !== owner) owners.push(owner)
  }
  for (const [owner, text = ''] of texts.entries()) {
    note(wholes, text.trim(), owner)
    const lines = text.split('\n')
    for (const line of lines) {
      for (const writing of writingsOfLine(line)) note(pieces, writing, owner)
    }
    if (lines.length === 1 && !isJsonText(text)) continue
    for (const quoted of quotedIn(text)) {
      for (const line of quoted.split('\n')) {
        for (const writing of writingsOfLine(line)) {
          if (writing.length >= MIN_LINE) note(pieces, writing, owner)
        }
      }
    }
  }
  return { wholes, pieces }
}

/**
 * The first result from `from` on that a string repeats, else the last before it: the string is its text, is one of its
 * lines, or has a line of some length with it in common. Undefined when there is none.
 */
export function repeatedBy(
  candidate: string,
  { wholes, pieces }: RepeatIndex,
  from = 0,
): number | undefined {
  const trimmed = candidate.trim()
  let after: number | undefined
  let before: number | undefined
  const meet = (owners: readonly number[] | undefined): void => {
    if (owners === undefined) return
    const at = firstFrom(owners, from)
    const [next, last] = [owners[at], owners[at - 1]]
    if (next !== undefined && (after === undefined || next < after)) after = next
    if (last !== undefined && (before === undefined || last > before)) before = last
  }
  meet(wholes.get(trimmed))
  if (trimmed.length >= MIN_WHOLE) meet(pieces.get(trimmed))
  for (const line of candidate.split('\n')) {
    for (const writing of writingsOfLine(line)) {
      if (writing.length >= MIN_LINE) meet(pieces.get(writing))
    }
  }
  return after ?? before
}

/** Where in a growing list the first number stands that is not below another. */
function firstFrom(numbers: readonly number[], from: number): number {
  return partitionPoint(0, numbers.length, (at) => (numbers[at] as number) < from)
}

/** What stands between quotes on one line, with escapes undone; a quote that is not closed on its line opens nothing. */
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
        if (at - open > MIN_LINE) found.push(unescaped(text.slice(open, at + 1)))
        open = undefined
      }
    }
  }
  return found
}

function unescaped(quoted: string): string {
  if (!quoted.includes('\\')) return quoted.slice(1, -1)
  try {
    return JSON.parse(quoted) as string
  } catch {
    return quoted.slice(1, -1)
  }
}

/** A line as it stands, without the number a file viewer puts before it, and without what marks a diff or an error. */
function writingsOfLine(line: string): string[] {
  const trimmed = line.trim()
  const unnumbered = trimmed.replace(/^\d+(?:→|\t| {2}|: ?| ?\| ?)/, '').trim()
  const unmarked = trimmed
    .replace(/^(?:[+-]|<tool_use_error>(?:Error: )?|Error: )/, '')
    .replace(/<\/tool_use_error>$/, '')
    .trim()
  return [...new Set([trimmed, unnumbered, unmarked])]
}
