/** Arguments that were written into a JSON string once too often: `"{\\"a\\": 1}"`, also without the quotes or cut off. */
import { parseJson } from '../text/json'
import { applyEdits, type Offset } from '../text/span'
import { type RepairFix, sortFixes } from './parser/parser'

/** Layers of strings that are undone. */
const MOST_LAYERS = 3
/** The first quotation mark inside is escaped. */
const ESCAPED = /^(?:\s*")?[^"'“”„‟″‘’‚‛`´]*\\"/
/** An object in quotes whose own quotes are not escaped: `"{"a": 1}"`. */
const QUOTED = /^\s*(["'])\s*\{\s*["'}][\s\S]*\}\s*\1\s*$/
const ESCAPE = /\\(?:u[0-9a-fA-F]{4}|[\s\S])/g

/** Returns the text inside at most three layers of strings, and the edits that give it; none if it is in no string. */
export function decodeText(original: string) {
  let [text, fixes]: [string, readonly RepairFix[]] = [original, []]
  for (let layer = 0; layer < MOST_LAYERS; layer++) {
    const edits = layerOf(text)
    if (edits === undefined) break
    fixes = joinFixes(original, fixes, edits)
    text = applyEdits(text, edits)
  }
  return { text, fixes }
}

/** Edits that undo one layer; undefined if there is none. */
function layerOf(text: string): readonly RepairFix[] | undefined {
  const isEscaped = ESCAPED.test(text)
  const value = /^\s*"/.test(text) ? parseJson(text) : undefined
  const isString = typeof value === 'string'
  if (isString ? !/^\s*["{]/.test(value) : !isEscaped && !QUOTED.test(text)) return undefined
  const edits: RepairFix[] = []
  const edit = (start: Offset, end: Offset, inserted: string) =>
    edits.push({ start, end, text: inserted, strategy: 'escaped_quotes', risk: 'none' })
  const start = /^\s*["']/.exec(text)?.[0].length ?? 0
  const closing = start === 0 ? undefined : /(?<!\\)["']\s*$/.exec(text)?.index
  if (start > 0) edit(start - 1, start, '')
  if (isString || isEscaped)
    for (const { 0: written, index } of text.slice(0, closing).matchAll(ESCAPE)) {
      const letter = written === "\\'" ? "'" : parseJson(`"${written}"`)
      if (typeof letter === 'string') edit(index, index + written.length, letter)
    }
  if (closing !== undefined) edit(closing, closing + 1, '')
  return edits
}

/** Joins edits of a text, and edits of what they give, into edits of that text. */
export function joinFixes(
  text: string,
  first: readonly RepairFix[],
  second: readonly RepairFix[],
): readonly RepairFix[] {
  let [next, shift] = [0, 0]
  /** Offset in the text of an offset after the first edits; asked in ascending order. */
  const origin = (at: Offset): Offset => {
    for (let edit = first[next]; edit !== undefined; edit = first[++next]) {
      const start = edit.start + shift
      if (start + edit.text.length > at) return at > start ? edit.end : at - shift
      shift += edit.text.length - (edit.end - edit.start)
    }
    return at - shift
  }
  const covered = new Set<RepairFix>()
  const moved = second.map((fix) => {
    const [start, from] = [origin(fix.start), next]
    const end = origin(fix.end)
    for (const inner of first.slice(from, next)) covered.add(inner)
    return { ...fix, start, end }
  })
  const isChange = ({ start, end, risk, text: inserted }: RepairFix) =>
    risk !== 'none' || text.slice(start, end) !== inserted
  return sortFixes([...first.filter((fix) => !covered.has(fix)), ...moved].filter(isChange))
}
