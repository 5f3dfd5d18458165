import { type Frame, fix, type Reading } from './reading'

const NAME = /[^\s"'“”‘’`´,，、：:;{}[\]()]{1,200}(?: [^\s"'“”‘’`´,，、：:;{}[\]()]{1,200}){0,4}/y
const SPACES = /[ \t]{0,4}/y

/**
 * `"rules": [""]cursor{"enabled": true}`: an empty list glued to a name that belongs into it.
 * The name becomes its element and the properties behind the brace go on in the object around it.
 * The closing bracket is at the position; false, with nothing changed, where this is not the case.
 */
export function gluedElement(reading: Reading, frame: Frame): boolean {
  const { text, position: close, stack } = reading
  const parent = stack.at(-2)
  const content = text.slice(frame.start + 1, Math.min(close, frame.start + 4))
  if (parent?.kind !== 'object' || (content !== '""' && content !== '') || close > frame.start + 3)
    return false
  NAME.lastIndex = close + 1
  const name = NAME.exec(text)?.[0]
  if (name === undefined || /^\\[nrt]/.test(name)) return false
  const end = close + 1 + name.length
  SPACES.lastIndex = end
  SPACES.test(text)
  const next = SPACES.lastIndex
  if (text[next] !== '{' && text[next] !== ',' && text[next] !== '}' && text[next] !== '"')
    return false
  fix(reading, 'glued_array_elements', frame.start, end, `["${name.replaceAll('\\', '\\\\')}"]`)
  stack.pop()
  reading.position = end
  if (text[next] === '{') {
    fix(reading, 'glued_array_elements', next, next + 1, ', ')
    parent.comma = next
    parent.extraOpenings++
    reading.position = next + 1
  }
  return true
}
