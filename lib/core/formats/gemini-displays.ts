/**
 * How Gemini CLI shows a result to people (`resultDisplay`), where that repeats it: a text, the lines of a terminal as
 * lists of styled pieces, or an object, such as a changed file with its diff. No model is sent it.
 */
import { isJsonObject } from '../conversation/chat-message'
import type { JsonPath } from '../text/json-pointer'
import type { SourcePlace, TwinPlace } from './build-conversation'
import { indexRepeats, type RepeatIndex, repeatedBy } from './repeated-text'

/** What names a thing or says of what kind it is repeats no output. */
const NAMING_KEY = /^(?:type|status|kind|fg|bg|fileName|filePath)$|(?:id|Id|ID)$/

/** What the shell tool writes before the first line of an output. */
const COMMAND_LABEL = /^(?:Output|Stdout|Stderr|Error): /gm

/** The strings of a call's display that repeat its result; the call stands at `path`, its result has these texts. */
export function displaysOf(
  { resultDisplay: display }: Readonly<Record<string, unknown>>,
  { source, path }: SourcePlace,
  texts: readonly string[],
): TwinPlace[] {
  const at = [...path, 'resultDisplay']
  if (typeof display === 'string' && texts.some((text) => isRepeated(text, display)))
    return [{ source, path: at }]
  if (texts.length === 0 || display === null || display === undefined) return []
  const twins: TwinPlace[] = []
  const text = texts.join('\n')
  const bare = text.replace(COMMAND_LABEL, '')
  // A text of one line may be a placeholder, and must stay one line.
  const index = indexRepeats([bare === text ? text : `${text}\n${bare}`])
  visit(display, at, index, (inner, filler) =>
    twins.push({ source, path: inner, ...(filler !== undefined && { filler }) }),
  )
  return twins
}

/** Whether one of two texts is the greater part of the other, or a part of it that is shown. */
function isRepeated(text: string, shown: string): boolean {
  const [inner, outer] = [shown.trim(), text.trim()]
  if (inner === '' || outer === '') return false
  return outer.includes(inner) || (inner.includes(outer) && outer.length * 2 >= inner.length)
}

function visit(
  value: unknown,
  path: JsonPath,
  index: RepeatIndex,
  found: (path: JsonPath, filler?: string) => void,
): void {
  if (typeof value === 'string') {
    if (repeatedBy(value, index) !== undefined) found(path)
  } else if (isTerminalLine(value)) {
    // One line stands in pieces, by colour: it is repeated as a whole.
    const line = value.map(({ text }) => text).join('')
    if (repeatedBy(line, index) === undefined) return
    for (const at of value.keys()) found([...path, at, 'text'], at === 0 ? undefined : '')
  } else if (Array.isArray(value)) {
    for (const [at, item] of value.entries()) visit(item, [...path, at], index, found)
  } else if (isJsonObject(value)) {
    for (const [key, member] of Object.entries(value)) {
      if (!NAMING_KEY.test(key)) visit(member, [...path, key], index, found)
    }
  }
}

function isTerminalLine(value: unknown): value is readonly { readonly text: string }[] {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((piece) => isJsonObject(piece) && typeof piece.text === 'string')
  )
}
