/**
 * Checks what a repair did to the data, letter by letter, so that no report is better than the repair: a fix that drops
 * letters or digits is a loss, and one that adds some is refused unless its strategy is there to add values.
 */

import { parseJson } from '../text/json'
import type { JsonNode } from '../text/json-node'
import { parseJsonTree } from '../text/json-tree'
import { applyEdits, type Offset } from '../text/span'
import { FOREIGN_LITERALS } from './parser/parse-bare-value'
import { type RepairFix, sortFixes } from './parser/parser'
import { STRATEGIES, type StrategyName } from './repair-strategies'

/** Returns the fixes of a repair with their true risks; undefined if one adds values without saying so. */
export function auditFixes(input: string, fixes: readonly RepairFix[], output: string) {
  const audited: RepairFix[] = []
  for (const fix of fixes) {
    const before = input.slice(fix.start, fix.end)
    const [removed, inserted] = [contentOf(before), contentOf(fix.text)]
    // Its parser reads all of the text, and nothing but tags is removed.
    if (fix.strategy === 'tagged_arguments') audited.push(fix)
    else if (isSameContent(fix.strategy, before, fix.text)) {
      const isDoubtful = fix.risk === 'none' && isInOddString(input, fix)
      audited.push(isDoubtful ? { ...fix, risk: 'guess' } : fix)
    } else {
      const { addsValues, dropsNoData } = STRATEGIES[fix.strategy]
      if (!isWithin(inserted, removed) && !addsValues) return undefined
      const isLoss = !isWithin(removed, inserted) && !dropsNoData
      audited.push(isLoss ? { ...fix, risk: 'loss' } : fix)
    }
  }
  return joinFixes(input, audited, repeatedKeys(output))
}

/** Strategies that rely on where strings end. */
const AROUND_STRINGS = /^(?:missing_colons|doubled_quotes|missing_commas)$/
const ODD_END = /[\s,:{["'“”„‟″‘’‚‛`´]["'“”„‟″‘’‚‛`´]+\s*$/
const ODD_START = /^\s*["'“”„‟″‘’‚‛`´]+[\s,:{}[\]]/
const TYPOGRAPHIC = /[“”„‟″‘’‚‛`´]/
const END_OF_NAME = /^(?:[^"]{0,200}"|[^"'“”„‟″‘’‚‛`´]{0,200}["'“”„‟″‘’‚‛`´])\s{0,20}:/

/**
 * True if a string beside the fix starts or ends with a space, a comma or a colon, if a name has line ends, or if doubled
 * quotes are typographic: quotes may be in the wrong place.
 */
function isInOddString(input: string, { strategy, start, end }: RepairFix): boolean {
  const after = input.slice(end, end + 222)
  if (strategy === 'control_characters') return END_OF_NAME.test(after)
  if (!AROUND_STRINGS.test(strategy)) return false
  const before = input.slice(Math.max(0, start - 8), start)
  return ODD_START.test(after) || ODD_END.test(before) || TYPOGRAPHIC.test(input.slice(start, end))
}

/** The letters and digits of a text. */
export const contentOf = (text: string) => text.replace(/[^\p{L}\p{N}]+/gu, '')

/** True if both texts have the same letters and digits in the same order. */
export const hasSameContent = (one: string, other: string) => contentOf(one) === contentOf(other)

/** True if all characters of `part` are in `whole`, in the same order. */
function isWithin(part: string, whole: string): boolean {
  let next = 0
  for (let at = 0; at < whole.length && next < part.length; at++)
    if (whole[at] === part[next]) next++
  return next === part.length
}

/** True if a fix writes the same content in another spelling. */
function isSameContent(strategy: StrategyName, before: string, after: string): boolean {
  switch (strategy) {
    case 'python_literals':
      return FOREIGN_LITERALS.get(before)?.[1] === after || /^[urbf]{0,2}["']{0,3}$/i.test(before)
    case 'bad_numbers':
      return numberOf(before) === Number(after)
    case 'control_characters':
      return JSON.parse(`"${after}"`) === before
    case 'bad_escapes':
      return hasSameContent(before.replace(/\\x/g, '\\u00'), after)
    default:
      return hasSameContent(before, after)
  }
}

function numberOf(written: string): number {
  const plain = written.replace(/[_,]/g, '').replace(/e[+-]?$/i, '')
  return (plain.startsWith('-') ? -1 : 1) * Number(plain.replace(/^[+-]/, ''))
}

const MOST_REPEATS = 20

/** A fix without a change for each name that stands twice in an object: readers keep the last value only. */
function repeatedKeys(output: string): readonly RepairFix[] {
  const found: RepairFix[] = []
  const visit = (node: JsonNode): void => {
    const seen = new Set<string>()
    for (const { key, value } of node.members) {
      if (seen.has(key) && found.length < MOST_REPEATS) {
        const place = { start: value.start, end: value.start, text: '' }
        found.push({ ...place, strategy: 'repeated_keys', risk: 'loss' })
      }
      seen.add(key)
    }
    for (const { value } of node.members) visit(value)
    node.items.forEach(visit)
  }
  visit(parseJsonTree(output))
  return sortFixes(found)
}

/** Arguments that were written into a JSON string once too often: `"{\\"a\\": 1}"`, also without the quotes or cut off. */

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
export function joinFixes(text: string, first: readonly RepairFix[], second: readonly RepairFix[]) {
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
