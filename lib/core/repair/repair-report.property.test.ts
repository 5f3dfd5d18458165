/**
 * What a report may say: without a loss, every letter and digit of the input stands in the names and values of the
 * output or in a fix that names what it removed; without an invented value, every name and value of the output stands
 * in the input. Read from the parsed value, not from the edits.
 */
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { WAYS_TO_BREAK } from '../testing/break-json'
import { nearJson, realisticArguments } from '../testing/near-json'
import { fuzz, testSize } from '../testing/test-size'
import type { JsonNode } from '../text/json-node'
import { parseJsonTree } from '../text/json-tree'
import { type RepairResult, repairArguments } from './repair-arguments'
import type { StrategyName } from './repair-strategies'

/** What a strategy may remove, beside what it writes again, when the report says that no data was lost. */
const REMOVES: Partial<Record<StrategyName, RegExp>> = {
  comments: /^\s*(?:\/\*[\s\S]*?\*\/|\/\*[^\p{L}\p{N}]*$|(?:\/\/|#).*\n?|\s)*$/u,
  fences: /^`+\s*(?:[A-Za-z][\w+-]*)?\s*(?:`+\s*)?$/,
  call_tags: /^(?:<[^>]*>|\[\/?\w+\]|[\w. ]+[(:=]\s*|[);\s])*$/,
  list_marks: /^\s*(?:[-*•]|\d{1,3}[.)])\s+$/,
  python_literals:
    /^(?:True|TRUE|False|FALSE|None|Null|NULL|nil|undefined|[urbfURBF]{0,2}["']{0,3})$/,
  bad_numbers: /^[+-]?[\w.,+-]+$/,
  escaped_quotes: /^(?:\\+[nrt"]?)+$/,
  bad_escapes: /^(?:\\+(?:x[0-9a-fA-F]{2})?[\n\r]?)+$/,
  duplicated_objects: /^[\s\S]*$/,
}
const INVENTS: ReadonlySet<StrategyName> = new Set([
  'empty_arguments',
  'missing_values',
  'truncated_input',
  'nan_and_infinity',
])

/** Texts that once had a report better than the repair. */
const COUNTEREXAMPLES: readonly string[] = ['{"a":1}and{"b":2}', '-3.6```73418831894```43e-57']

const content = (text: string) => text.replace(/[^\p{L}\p{N}]+/gu, '')

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
  // The letters of an escape are no letters of a value.
  const hasEscapes = input.includes('\\')
  if (!fixes.some(({ risk }) => risk === 'loss')) {
    const removed = fixes
      .filter(({ strategy }) => REMOVES[strategy] !== undefined)
      .map(({ strategy, start, end }) => ({ strategy, part: input.slice(start, end) }))
    for (const { strategy, part } of removed)
      if (!REMOVES[strategy]?.test(part)) return `${strategy} removed ${JSON.stringify(part)}`
    const kept = tally([...leaves, ...removed.map(({ part }) => part)])
    for (const [character, count] of hasEscapes ? [] : tally([input]))
      if ((kept.get(character) ?? 0) < count) return `a ${JSON.stringify(character)} is lost`
  }
  if (!hasEscapes && !fixes.some(({ strategy }) => INVENTS.has(strategy))) {
    const sources = [input, ...fixes.map((fix) => fix.text)].map(content)
    for (const leaf of leaves)
      if (!sources.some((source) => source.includes(content(leaf))))
        return `${JSON.stringify(leaf)} is invented`
  }
  return undefined
}

const RUNS = testSize(1500, 100_000)

describe('a report is never better than the repair', () => {
  const check = (text: string) => {
    const result = repairArguments(text)
    if (result.state === 'repaired' && falseReport(text, result) !== undefined)
      throw new Error(`${falseReport(text, result)}: ${text}\n became ${result.text}`)
  }
  test(`in ${RUNS} texts near JSON`, () => {
    fc.assert(fc.property(nearJson, check), { ...fuzz(0), numRuns: RUNS })
  }, 600_000)

  test('in arguments damaged in a known way', () => {
    const ways = fc.constantFrom(...Object.values(WAYS_TO_BREAK))
    fc.assert(
      fc.property(realisticArguments, ways, (value, way) => check(way(value))),
      { ...fuzz(0), numRuns: RUNS / 5 },
    )
  }, 600_000)

  test.each(COUNTEREXAMPLES)('in %s', check)
})
