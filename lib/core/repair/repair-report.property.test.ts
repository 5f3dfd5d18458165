/**
 * What a report may say: without a loss, every letter and digit of the input stands in the names and values of the
 * output or in a fix that names what it removed; without an invented value, every name and value of the output stands
 * in the input. Read from the parsed value, not from the edits.
 */
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { WAYS_TO_BREAK } from '../testing/break-json'
import { nearCode, nearJson, realisticArguments } from '../testing/near-json'
import { forAll, testSize } from '../testing/test-size'
import type { JsonNode } from '../text/json-node'
import { parseJsonTree } from '../text/json-tree'
import { type RepairResult, repairArguments } from './repair-arguments'
import { riskOf, type StrategyName } from './repair-strategies'

/** What a strategy may remove when the report says that no data was lost. */
const REMOVES: Partial<Record<StrategyName, RegExp>> = {
  comments: /^\s*(?:\/\*[\s\S]*?\*\/|\/\*[^\p{L}\p{N}]*$|(?:\/\/|#).*\n?|\s)*$/u,
  fences: /^`+\s*(?:[A-Za-z][\w+-]*)?\s*(?:`+\s*)?$/,
  call_tags: /^(?:<[^>]*>|\[\/?\w+\]|[\w. ]+[(:=]\s*|[);\s])*$/,
  list_marks: /^\s*(?:[-*•]|\(?\d{1,3}[.)])\s+$/,
  duplicated_objects: /^[\s\S]*$/,
}
/** Strategies that write the same literal, number or character in another way; each has its own tests. */
const RESPELLS: Partial<Record<StrategyName, RegExp>> = {
  python_literals:
    /^(?:True|TRUE|False|FALSE|None|Null|NULL|nil|undefined|[urbfURBF]{0,2}["']{0,3})$/,
  bad_numbers: /^[+-]?[\w.,+-]+$/,
  escaped_quotes: /^(?:\\+[nrt"]?)+$/,
  bad_escapes: /^(?:\\+(?:x[0-9a-fA-F]{2})?[\n\r]?)+$/,
  control_characters: /^\p{Cc}+$/u,
}
const INVENTS: ReadonlySet<StrategyName> = new Set([
  'empty_arguments',
  'missing_values',
  'truncated_input',
  'nan_and_infinity',
])

/** Texts that once had a report better than the repair. */
const COUNTEREXAMPLES: readonly string[] = [
  ...['{"a":1}and{"b":2}', '-3.6```73418831894```43e-57', '[}(3), "b": 2}'],
]

const content = (text: string) => text.replace(/[^\p{L}\p{N}]+/gu, '')
/** The same, an escape counting as its character. */
const decoded = (text: string) =>
  content(
    text.replace(/\\+u([0-9a-fA-F]{4})/g, (_, code) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    ),
  )

/** The names and values that a reader of the output gets: of repeated names only the last. Numbers are as written. */
function leavesOf(output: string): readonly string[] {
  const read = (node: JsonNode): readonly string[] => {
    const written = output.slice(node.start, node.end)
    if (node.kind === 'string') return [JSON.parse(written)]
    if (node.kind === 'other') return [written]
    if (node.kind === 'array') return node.items.flatMap(read)
    const members = new Map(node.members.map(({ key, value }) => [key, value]))
    return Array.from(members, ([key, value]) => [key, ...read(value)]).flat()
  }
  return read(parseJsonTree(output))
}

/** Number of each letter and digit. */
function tally(texts: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const character of content(texts.join('')))
    counts.set(character, (counts.get(character) ?? 0) + 1)
  return counts
}

/** Returns where a report is better than the repair; undefined if it is true. */
function falseReport(input: string, { fixes, text }: RepairResult): string | undefined {
  const leaves = leavesOf(text)
  const respelt = fixes.filter((fix) => fix.text !== '' && RESPELLS[fix.strategy] !== undefined)
  const isLossy = fixes.some(({ risk }) => risk === 'loss')
  const isInventive = fixes.some(({ strategy }) => INVENTS.has(strategy))
  if (!isLossy) {
    for (const { strategy, start, end, text: written } of fixes) {
      const part = input.slice(start, end)
      if (content(part) === content(written) || decoded(part) === decoded(written)) continue
      if (INVENTS.has(strategy) && content(part) === '') continue
      const allowed =
        written === '' ? (REMOVES[strategy] ?? RESPELLS[strategy]) : RESPELLS[strategy]
      if (allowed?.test(part) !== true) return `${strategy} changed ${JSON.stringify(part)}`
    }
    // Only the last of repeated names is read.
    const kept = tally([...leaves, ...fixes.map(({ start, end }) => input.slice(start, end))])
    for (const [character, count] of input.includes('\\') ? [] : tally([input]))
      if ((kept.get(character) ?? 0) < count) return `a ${JSON.stringify(character)} is lost`
  }
  if (isInventive) return undefined
  const isKnown = (word: string) =>
    input.includes(word) ||
    respelt.some((fix) => fix.text.includes(word) || word.includes(fix.text))
  const visit = (node: JsonNode): string | undefined => {
    const written = text.slice(node.start, node.end)
    if (node.kind === 'other' && !isKnown(written)) return `${written} is invented`
    for (const { value } of node.members) if (visit(value) !== undefined) return visit(value)
    return node.items.map(visit).find((invented) => invented !== undefined)
  }
  // jsonrepair joins texts across a plus sign.
  const isJoined = fixes.some(({ strategy }) => strategy === 'jsonrepair')
  const words = isJoined || input.includes('\\') ? [] : leaves.join(' ').match(/[\p{L}\p{N}]+/gu)
  return visit(parseJsonTree(text)) ?? words?.find((word) => !isKnown(word))
}

const RUNS = testSize(800, 100_000)

describe('a report is never better than the repair', () => {
  const check = (text: string) => {
    const result = repairArguments(text)
    if (result.state === 'repaired' && falseReport(text, result) !== undefined)
      throw new Error(`${falseReport(text, result)}: ${text}\n became ${result.text}`)
  }
  test(`in ${RUNS} texts near JSON and code`, () => {
    forAll(0, [fc.oneof(nearJson, nearCode)], check, { numRuns: RUNS })
  }, 600_000)

  test('in arguments damaged in a known way', () => {
    const ways = fc.constantFrom(...Object.values(WAYS_TO_BREAK))
    forAll(0, [realisticArguments, ways], (value, way) => check(way(value)), { numRuns: RUNS / 5 })
  }, 600_000)

  test.each(COUNTEREXAMPLES)('in %s', check)

  test('typographic quotes are as doubtful as straight ones', () => {
    const piece = fc.constantFrom(
      ...'{}[]:, \n"""a1',
      '""',
      '//',
      '/*',
      '*/',
      '"a": ',
      '"b"',
      'b c',
    )
    const pieces = fc.array(piece, { maxLength: 14 }).map((all) => `{"k": "v", ${all.join('')}}`)
    const ways = fc.constantFrom(...Object.values(WAYS_TO_BREAK))
    const broken = fc.tuple(realisticArguments, ways).map(([value, way]) => way(value))
    const anyQuotes = fc.constantFrom('“”', '„“', '””')
    const compare = (text: string, quotes: string) => {
      // Three in a row are Python's, and typographic ones are none.
      const straight = repairArguments(text)
      if (!straight.isObject || riskOf(straight) === 'none' || /[\\“”„]|"""/.test(text)) return
      let count = 0
      const odd = repairArguments(text.replaceAll('"', () => quotes[count++ % 2] as string))
      if (odd.isObject && riskOf(odd) === 'none') throw new Error(`${text} became ${odd.text}`)
    }
    forAll(0, [fc.oneof(pieces, broken), anyQuotes], compare, { numRuns: RUNS })
  }, 600_000)
})
