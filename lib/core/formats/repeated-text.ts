/** Tells which strings beside a result repeat it, in whole or in part. */

/** A shorter line, such as `return nil`, stands in texts that have nothing to do with each other. */
const MIN_LINE = 12
/** A string that is one whole line of a result, such as a file name. */
const MIN_WHOLE = 4

/** What a text is compared by; strings compared with it need not be looked through again. */
export interface RepeatableText {
  readonly whole: string
  /** Its lines without line numbers and outer white space, and the strings quoted in them. */
  readonly pieces: ReadonlySet<string>
}

/**
 * Prepares a result for `repeats`. In a text of one line nothing quoted is looked for: a placeholder is one, and what
 * it quotes (the call's arguments) is no repeat of it.
 */
export function repeatableText(text: string): RepeatableText {
  const lines = text.split('\n')
  const pieces = new Set(lines.flatMap(writingsOfLine))
  if (lines.length > 1) {
    for (const [, quoted = ''] of text.matchAll(/"([^"\\\n]+)"/g)) {
      if (quoted.length >= MIN_LINE) pieces.add(quoted)
    }
  }
  return { whole: text.trim(), pieces }
}

/** Whether a string is the text, is one of its lines, or has a line of some length with it in common. */
export function repeats(candidate: string, { whole, pieces }: RepeatableText): boolean {
  const trimmed = candidate.trim()
  if (trimmed === '') return false
  if (trimmed === whole) return true
  if (trimmed.length >= MIN_WHOLE && pieces.has(trimmed)) return true
  return candidate
    .split('\n')
    .some((line) =>
      writingsOfLine(line).some((writing) => writing.length >= MIN_LINE && pieces.has(writing)),
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
