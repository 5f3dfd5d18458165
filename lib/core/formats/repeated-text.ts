/** Tells which strings beside results repeat one of them, in whole or in part, in time linear in their lengths. */

/** A shorter line, such as `return nil`, stands in texts that have nothing to do with each other. */
const MIN_LINE = 12
/** A string that is one whole line of a result, such as a file name. */
const MIN_WHOLE = 4

/** What strings are compared with: by text, the index of the first result that has it. */
export interface RepeatIndex {
  readonly wholes: ReadonlyMap<string, number>
  /** Lines without line numbers and outer white space, and the strings quoted in them. */
  readonly pieces: ReadonlyMap<string, number>
}

/**
 * Prepares results for `repeatedBy`; an undefined one has no text. In a text of one line nothing quoted is looked for:
 * a placeholder is one, and what it quotes (the call's arguments) is no repeat of it.
 */
export function indexRepeats(texts: readonly (string | undefined)[]): RepeatIndex {
  const wholes = new Map<string, number>()
  const pieces = new Map<string, number>()
  const note = (map: Map<string, number>, piece: string, owner: number): void => {
    if (piece !== '' && !map.has(piece)) map.set(piece, owner)
  }
  for (const [owner, text = ''] of texts.entries()) {
    note(wholes, text.trim(), owner)
    const lines = text.split('\n')
    for (const line of lines) {
      for (const writing of writingsOfLine(line)) note(pieces, writing, owner)
    }
    if (lines.length === 1) continue
    for (const [, quoted = ''] of text.matchAll(/"([^"\\\n]+)"/g)) {
      if (quoted.length >= MIN_LINE) note(pieces, quoted, owner)
    }
  }
  return { wholes, pieces }
}

/**
 * The first result that a string repeats: it is its text, is one of its lines, or has a line of some length with it in
 * common. Undefined when there is none.
 */
export function repeatedBy(candidate: string, { wholes, pieces }: RepeatIndex): number | undefined {
  const trimmed = candidate.trim()
  const owners = [
    wholes.get(trimmed),
    trimmed.length >= MIN_WHOLE ? pieces.get(trimmed) : undefined,
  ]
  for (const line of candidate.split('\n')) {
    for (const writing of writingsOfLine(line)) {
      if (writing.length >= MIN_LINE) owners.push(pieces.get(writing))
    }
  }
  return owners.reduce(
    (first, owner) => (first === undefined || (owner ?? first) < first ? owner : first),
    undefined,
  )
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
