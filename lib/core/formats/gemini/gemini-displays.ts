/**
 * Displays of results (`resultDisplay`) in files of Gemini CLI: a text, the lines of a terminal as lists of styled
 * pieces, or an object, such as a changed file with its diff. They are not sent to a model.
 */
import { isJsonObject, type JsonPath } from '../../text/json-object'
import type { DuplicateString, SourcePath } from '../reading/build-conversation'
import {
  findDuplicatedResult,
  indexResultTexts,
  type ResultTextIndex,
} from '../reading/find-repeats'

/** A line of a terminal. */
type TerminalLine = readonly { readonly text: string }[]

/** Keys of names, ids and kinds, which are not output. */
const IGNORED_KEY = /^(?:type|status|kind|fg|bg|fileName|filePath)$|(?:id|Id|ID)$/

/** Labels that the shell tool writes before the first line of an output. */
const COMMAND_LABEL = /^(?:Output|Stdout|Stderr|Error): /gm

/** Finds the strings of a display, at `path`, that repeat these texts of a result. */
export function findDisplayDuplicates(
  display: unknown,
  { source, path }: SourcePath,
  texts: readonly string[],
): DuplicateString[] {
  if (typeof display === 'string' && texts.some((text) => isRepeated(text, display)))
    return [{ source, path }]
  if (texts.length === 0 || display === null || display === undefined) return []
  const duplicates: DuplicateString[] = []
  const text = texts.join('\n')
  const unlabelled = text.replace(COMMAND_LABEL, '')
  // A text of one line may be a placeholder, and must stay one line.
  const index = indexResultTexts([unlabelled === text ? text : `${text}\n${unlabelled}`])
  visit(display, path, index, (at, filler) =>
    duplicates.push({ source, path: at, ...(filler !== undefined && { filler }) }),
  )
  return duplicates
}

/** True where a display is a part of a text, or contains it and is at most twice as long. */
function isRepeated(text: string, display: string): boolean {
  const [inner, outer] = [display.trim(), text.trim()]
  if (inner === '' || outer === '') return false
  return outer.includes(inner) || (inner.includes(outer) && outer.length * 2 >= inner.length)
}

function visit(
  value: unknown,
  path: JsonPath,
  index: ResultTextIndex,
  found: (path: JsonPath, filler?: string) => void,
): void {
  if (typeof value === 'string') {
    if (findDuplicatedResult(value, index) !== undefined) found(path)
  } else if (isTerminalLine(value)) {
    // A line is split by colour, so it is compared with its pieces joined.
    const line = value.map(({ text }) => text).join('')
    if (findDuplicatedResult(line, index) === undefined) return
    for (const at of value.keys()) found([...path, at, 'text'], at === 0 ? undefined : '')
  } else if (Array.isArray(value)) {
    for (const [at, item] of value.entries()) visit(item, [...path, at], index, found)
  } else if (isJsonObject(value)) {
    for (const [key, member] of Object.entries(value)) {
      if (!IGNORED_KEY.test(key)) visit(member, [...path, key], index, found)
    }
  }
}

function isTerminalLine(value: unknown): value is TerminalLine {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((piece) => isJsonObject(piece) && typeof piece.text === 'string')
  )
}
