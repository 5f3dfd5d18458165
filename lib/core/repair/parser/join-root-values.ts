/** Turns several root values into one. */
import { parseJson } from '../../text/json'
import { parseJsonTree } from '../../text/json-tree'
import { applyEdits, type Edit } from '../../text/span'
import { riskOf } from '../repair-strategies'
import { skipWhite } from './lookahead'
import { CannotParse, type Parser, type RepairFix, type RootValue, sortFixes } from './parser'

type ParsedRootValue = Readonly<ReturnType<typeof parseRoots>[number]>

/** Merges objects that agree, drops copies, or lists the values in an array. */
export function joinRootValues(parser: Parser): void {
  const { roots, text, fixes } = parser
  if (roots.length === 0) throw new CannotParse()
  if (roots.length === 1) return
  if (roots.some(({ kind }) => kind !== 'object' && kind !== 'array')) {
    wrapInArray(parser, roots)
    return
  }
  const parsed = parseRoots(parser)
  const [first, last] = [roots[0], roots.at(-1)] as [RootValue, RootValue]
  const full = parsed.filter(({ isEmpty }) => !isEmpty)
  // Empty objects on separate lines are listed.
  const isOne =
    full.length === 0 && text.slice(first.start, last.end).trim().length === 2 * roots.length
  const left = full.length > 0 ? full : isOne ? parsed.slice(0, 1) : parsed
  // Tags between objects show two calls.
  const isMerged =
    full.length > 1 &&
    left.every(
      ({ hasCommaBefore, kind }, index) => kind === 'object' && !(index > 0 && hasCommaBefore),
    ) &&
    !fixes.some(
      ({ strategy, start }) => strategy === 'call_tags' && start >= first.end && start < last.start,
    )
  const merges = isMerged ? mergesOf(parser, left) : undefined
  replaceFixes(parser, removalsOf(parser, parsed, new Set(left)))
  replaceFixes(parser, merges ?? [])
  if (merges === undefined && left.length > 1) wrapInArray(parser, left)
}

function parseRoots({ text, roots, fixes }: Parser) {
  const sorted = sortFixes(fixes)
  let next = 0
  return roots.map((root) => {
    const edits: Edit[] = []
    while (next < sorted.length && (sorted[next] as Edit).start < root.start) next++
    while (next < sorted.length && (sorted[next] as Edit).end <= root.end) {
      const { start, end, text } = sorted[next++] as Edit
      if (start - root.start < (edits.at(-1)?.end ?? 0)) throw new CannotParse()
      edits.push({ start: start - root.start, end: end - root.start, text })
    }
    const json = applyEdits(text.slice(root.start, root.end), edits)
    if (parseJson(json) === undefined) throw new CannotParse()
    const tree = parseJsonTree(json)
    let from = skipWhite(json, 0) + 1
    /** Each member: as it is written, and what a member of the same meaning has too, its digits included. */
    const members = tree.members.map(({ key, value: { start, end } }) => {
      const comma = skipWhite(json, from)
      const written = json.slice(skipWhite(json, json[comma] === ',' ? comma + 1 : comma), end)
      from = end
      // A parsed number may have lost some of its digits.
      const meaning =
        JSON.stringify(parseJson(json.slice(start, end))) + written.replace(/\D+/g, ' ')
      return { key, written, meaning }
    })
    const isEmpty = tree.members.length + tree.items.length === 0
    return { ...root, members, isEmpty, hasFixes: edits.length > 0 }
  })
}

/** Replaces the fixes inside new ones, which take over their risks. */
function replaceFixes(parser: Parser, made: readonly RepairFix[]): void {
  const outer = sortFixes(made).map((fix) => ({ fix, fixes: [fix] }))
  let next = 0
  for (const fix of sortFixes(parser.fixes.splice(0))) {
    // What closes a cut-off copy ends with it.
    const isEnding = fix.end === fix.start && /^(?:unclosed|truncated)/.test(fix.strategy)
    const isAfter = ({ end, text }: RepairFix) =>
      end < fix.start || (end === fix.start && (text !== '' || !isEnding))
    while (next < outer.length && isAfter(outer[next]?.fix as RepairFix)) next++
    const around = outer[next]
    if (around === undefined || fix.end <= around.fix.start) parser.fixes.push(fix)
    else around.fixes.push(fix)
  }
  for (const { fix, fixes } of outer)
    parser.addFix(fix.strategy, fix.start, fix.end, fix.text, riskOf({ fixes }))
}

/** Removals of all roots but those that remain, such as the empty ones in `{}{"a": 1}`. */
function removalsOf(
  { text }: Parser,
  roots: readonly ParsedRootValue[],
  remaining: ReadonlySet<ParsedRootValue>,
): readonly RepairFix[] {
  const first = roots.findIndex((root) => remaining.has(root))
  return roots.flatMap((root, index) => {
    if (remaining.has(root)) return []
    // Includes the space up to the value before it, or after it if no value precedes.
    const start = index < first ? root.start : (roots[index - 1] as RootValue).end
    const end = index < first ? (roots[index + 1] as RootValue).start : root.end
    const risk = /[\p{L}\p{N}]/u.test(text.slice(start, end)) ? 'loss' : 'none'
    return { strategy: 'concatenated_objects', start, end, text: '', risk }
  })
}

/**
 * Fixes that merge objects: each adds the members that those before it do not have. Without a common name two calls may
 * be in one text, which is a guess. Undefined if a name has two values.
 */
function mergesOf({ text, isSpaced }: Parser, roots: readonly ParsedRootValue[]) {
  const known = new Map<string, string>()
  const merges: RepairFix[] = []
  for (const [index, { members, start, end, hasFixes }] of roots.entries()) {
    const added = members.filter(({ key }) => !known.has(key))
    for (const { key, meaning } of members) {
      if ((known.get(key) ?? meaning) !== meaning) return undefined
      known.set(key, meaning)
    }
    const before = roots[index - 1]
    if (before === undefined) continue
    const comma = isSpaced ? ', ' : ','
    const isDisjoint = added.length === members.length
    const isCut = text[end - 1] !== '}'
    if (text[before.end - 1] !== '}' || text[start] !== '{') return undefined
    if (added.length > 0 && !isDisjoint && hasFixes) return undefined
    merges.push({
      strategy: isDisjoint
        ? 'disjoint_objects'
        : added.length === 0
          ? 'duplicated_objects'
          : 'concatenated_objects',
      start: before.end - (isCut && !isDisjoint ? 0 : 1),
      end: isDisjoint ? start + 1 : isCut ? end : end - 1,
      text: isDisjoint ? comma : added.map(({ written }) => comma + written).join(''),
      risk: isDisjoint ? 'guess' : 'none',
    })
  }
  return merges
}

function wrapInArray(parser: Parser, roots: readonly RootValue[]): void {
  const [first, last] = [roots[0], roots.at(-1)] as [RootValue, RootValue]
  parser.addFix('listed_values', first.start, first.start, '[')
  for (const [index, root] of roots.entries()) {
    const before = roots[index - 1]
    if (before === undefined || root.hasCommaBefore) continue
    parser.addFix('listed_values', before.end, before.end, before.end === root.start ? ', ' : ',')
  }
  parser.addFix('listed_values', last.end, last.end, ']')
}
