import { format } from 'jsonc-parser'
import { parseJson } from './json'
import { textStart } from './lines'
import { applyEdits } from './span'

/**
 * Formats JSON with two spaces per level. Only the white space between tokens changes, so numbers, escapes and repeated
 * keys stay as written. JSON Lines are returned unchanged, since each line is a value.
 */
export function formatJson(text: string): string {
  if (!canFormat(text)) return text
  const start = textStart(text)
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  const edits = format(text.slice(start), undefined, { tabSize: 2, insertSpaces: true, eol })
  return (
    text.slice(0, start) +
    applyEdits(
      text.slice(start),
      edits.map(({ offset, length, content }) => ({
        start: offset,
        end: offset + length,
        text: content,
      })),
    )
  )
}

/** True if a text is one JSON document. */
export function canFormat(text: string): boolean {
  return parseJson(text.slice(textStart(text))) !== undefined
}
