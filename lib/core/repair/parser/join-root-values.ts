import { applyEdits, type Edit } from '../../text/span'
import type { StrategyName } from '../repair-strategies'
import {
  addFix,
  CannotParse,
  type Parser,
  type RepairFix,
  type RootValue,
  sortFixes,
} from './parser'

const ENDINGS: ReadonlySet<StrategyName> = new Set([
  'unclosed_strings',
  'unclosed_arrays',
  'unclosed_objects',
  'truncated_input',
])

interface ParsedRootValue extends RootValue {
  readonly value: unknown
  readonly json: string
  /** Its digits as written. */
  readonly digits: string
}

/** Turns several root values into one: merges objects, drops duplicates, or lists the values in an array. */
export function joinRootValues(parser: Parser): void {
  const { roots } = parser
  if (roots.length === 0) throw new CannotParse()
  if (roots.length === 1) return
  if (roots.some(({ kind }) => kind !== 'object' && kind !== 'array')) {
    wrapInArray(parser, roots)
    return
  }
  let left = withoutEmpty(parser, parseRoots(parser))
  if (left.length === 1) return
  const isGlued = left.every(
    ({ hasCommaBefore, kind }, index) => kind === 'object' && (index === 0 || !hasCommaBefore),
  )
  if (isGlued) {
    left = withoutDuplicates(parser, left)
    if (left.length === 1) return
    if (!left.every(isEmpty) && mergeObjects(parser, left)) return
  }
  wrapInArray(parser, left)
}

function parseRoots({ text, roots, fixes }: Parser): readonly ParsedRootValue[] {
  const sorted = sortFixes(fixes)
  let next = 0
  return roots.map((root) => {
    const edits: Edit[] = []
    while (next < sorted.length && (sorted[next] as Edit).start < root.start) next++
    while (next < sorted.length && (sorted[next] as Edit).end <= root.end) {
      const { start, end, text: insert } = sorted[next++] as Edit
      edits.push({ start: start - root.start, end: end - root.start, text: insert })
    }
    try {
      const source = text.slice(root.start, root.end)
      const value: unknown = JSON.parse(edits.length === 0 ? source : applyEdits(source, edits))
      // A copy has the same digits as well: a parsed number may have lost some.
      const json = JSON.stringify(value)
      return { ...root, value, json, digits: source.replace(/\D+/g, ' ') }
    } catch {
      throw new CannotParse()
    }
  })
}

interface Removal extends Edit {
  readonly strategy: 'duplicated_objects' | 'concatenated_objects'
}

/** Replaces all fixes inside the removals with the removals, which are in ascending order. */
function remove(parser: Parser, removals: readonly Removal[]): void {
  const { fixes } = parser
  const sorted = fixes.splice(0).sort((a, b) => a.start - b.start)
  let next = 0
  for (const made of sorted) {
    while (next < removals.length && isAfter(made, removals[next] as Removal)) next++
    const removal = removals[next]
    if (removal === undefined || made.end <= removal.start) fixes.push(made)
  }
  for (const { strategy, start, end, text } of removals) addFix(parser, strategy, start, end, text)
}

/** True if a fix belongs after a removal. A fix that closes a cut-off value belongs to that value. */
function isAfter({ start, end, strategy }: RepairFix, removal: Removal): boolean {
  const isEnding = start === end && ENDINGS.has(strategy)
  return isEnding ? removal.end < start : removal.end <= start
}

function isEmpty({ json }: ParsedRootValue): boolean {
  return json === '{}' || json === '[]'
}

/** Removes empty values beside others: `{}{"a": 1}`. */
function withoutEmpty(
  parser: Parser,
  roots: readonly ParsedRootValue[],
): readonly ParsedRootValue[] {
  const full = roots.filter((root) => !isEmpty(root))
  if (full.length === 0 || full.length === roots.length) return roots
  return removeOthers(parser, 'concatenated_objects', roots, new Set(full))
}

function withoutDuplicates(
  parser: Parser,
  roots: readonly ParsedRootValue[],
): readonly ParsedRootValue[] {
  const { text } = parser
  const isGlued = roots.every(
    (root, index) => index === 0 || text.slice(roots[index - 1]?.end, root.start) === '',
  )
  // Empty objects on separate lines are listed.
  if (roots.every(isEmpty) && !isGlued) return roots
  const seen = new Set<string>()
  const remaining = new Set(
    roots.filter(({ json, digits }) => {
      const key = json + digits.trim()
      return !seen.has(key) && seen.add(key)
    }),
  )
  return remaining.size === roots.length
    ? roots
    : removeOthers(parser, 'duplicated_objects', roots, remaining)
}

function removeOthers(
  parser: Parser,
  strategy: 'duplicated_objects' | 'concatenated_objects',
  roots: readonly ParsedRootValue[],
  remaining: ReadonlySet<ParsedRootValue>,
): readonly ParsedRootValue[] {
  const removals: Removal[] = []
  let isAfterFirst = false
  for (const [index, root] of roots.entries()) {
    if (remaining.has(root)) {
      isAfterFirst = true
      continue
    }
    // Includes the space up to the value before it, or after it if no value precedes.
    const start = isAfterFirst ? (roots[index - 1] as RootValue).end : root.start
    const end = isAfterFirst ? root.end : (roots[index + 1] as RootValue).start
    removals.push({ strategy, start, end, text: '' })
  }
  remove(parser, removals)
  return roots.filter((root) => remaining.has(root))
}

/** Merges `{"a": 1}{"b": 2}` into one object. Returns false if two of the objects share a key. */
function mergeObjects(parser: Parser, roots: readonly ParsedRootValue[]): boolean {
  const names = new Set<string>()
  for (const { value } of roots) {
    for (const name of Object.keys(value as object)) {
      if (names.has(name)) return false
      names.add(name)
    }
  }
  const removals: Removal[] = []
  for (const [index, root] of roots.entries()) {
    const before = roots[index - 1]
    if (before === undefined) continue
    if (parser.text[before.end - 1] !== '}' || parser.text[root.start] !== '{') return false
    const text = parser.isSpaced ? ', ' : ','
    removals.push({
      strategy: 'concatenated_objects',
      start: before.end - 1,
      end: root.start + 1,
      text,
    })
  }
  remove(parser, removals)
  return true
}

function wrapInArray(parser: Parser, roots: readonly RootValue[]): void {
  const [first, last] = [roots[0], roots.at(-1)] as [RootValue, RootValue]
  addFix(parser, 'listed_values', first.start, first.start, '[')
  for (const [index, root] of roots.entries()) {
    const before = roots[index - 1]
    if (before === undefined || root.hasCommaBefore) continue
    addFix(parser, 'listed_values', before.end, before.end, before.end === root.start ? ', ' : ',')
  }
  addFix(parser, 'listed_values', last.end, last.end, ']')
}
