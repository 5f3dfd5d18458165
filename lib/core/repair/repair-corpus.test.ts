/**
 * The published cases of three test suites for malformed JSON, with different expectations, compared with jsonrepair
 * alone. A case is named by its line, counted from 0, since the texts are not in this repository.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { jsonrepair } from 'jsonrepair'
import { describe, expect, test } from 'vitest'
import { CORPUS_FOLDER } from '../testing/transcripts'
import { parseJson } from '../text/json'
import { repairArguments } from './repair-arguments'
import type { RepairRisk } from './repair-strategies'
import { riskOf } from './repair-strategies'

const FILE = join(CORPUS_FOLDER, 'malformed-json', 'cases.jsonl')
const HAS_CASES = existsSync(FILE)

interface Case {
  readonly index: number
  readonly suite: string
  readonly input: string
  /** Undefined if the suite expects no JSON. */
  readonly expected: unknown
}

interface Outcome {
  readonly isJson: boolean
  readonly isExpected: boolean
  readonly mark: RepairRisk
}

function outcome({ expected }: Case, text: string, mark: RepairRisk): Outcome {
  const got = parseJson(text)
  const isExpected = got !== undefined && isDeepStrictEqual(got, expected)
  return { isJson: got !== undefined, isExpected, mark }
}

/** Its result carries no mark. */
function byJsonrepair(one: Case): Outcome {
  try {
    return outcome(one, jsonrepair(one.input), 'none')
  } catch {
    return outcome(one, '', 'none')
  }
}

function byUs(one: Case): Outcome {
  const result = repairArguments(one.input)
  return outcome(one, result.state === 'failed' ? '' : result.text, riskOf(result))
}

const COLUMNS = [
  ...['suite', 'cases', 'valid', 'expected value', 'marked as loss', 'marked as guess'],
  ...['wrong and unmarked', 'jsonrepair: valid', 'expected value', 'wrong and unmarked'],
]

/** Reason why the result is not what the suite expects. */
const REASONS: Readonly<Record<number, string>> = {
  232: 'a minus sign alone is no number, and none is invented',
  247: 'the suite pairs an empty input with the output of another case; empty arguments become {}',
  265: 'a name without a value at the end gets null, as the jsonrepair suite has it; this suite drops the name',
  268: 'a name cut off at the end is kept with null, as the jsonrepair suite has it; this suite drops it',
  269: 'a name without a value at the end gets null; this suite drops the name',
  272: 'a name without a value at the end gets null; this suite drops the name',
  286: 'two lists after each other are both kept; this suite keeps the last only, which loses the first',
  290: 'a missing value becomes null, not an empty text',
  292: 'a cut off text is kept whole; this suite guesses a property out of its end',
  293: 'the suite expects its own log of repairs beside the value',
  295: 'an empty object within a list is kept; this suite drops it',
  310: 'a name cut off at the end is kept with null; this suite makes a list of it',
  318: 'a comment ends before the members that follow it on its line; this suite drops them',
  335: 'the quote in the middle is taken as part of the text and the last one as its end; this suite keeps both',
  338: 'the quoted text is kept whole; this suite ends it early and drops the rest',
  340: 'text up to the next name is kept; this suite drops what follows a comma',
  348: 'an empty text between two properties is kept under an empty name; this suite makes two objects',
  350: 'a list without a name has no place in an object and is left out, marked as lossy; this suite makes its element a name',
  358: 'a number alone in braces becomes a name; this suite reads a list within the list',
  392: 'a fence within a text stays text; this suite reads the JSON inside it',
  403: 'the suite changes the type by a schema; a repair never changes a value, and the input is valid',
  404: 'the suite changes the type by a schema; a repair never changes a value, and the input is valid',
}

if (!HAS_CASES) {
  test.skip(`published cases of malformed JSON: there is no ${FILE}; CORPUS names another folder`, () => {})
}

describe.skipIf(!HAS_CASES)('published cases of malformed JSON', () => {
  const cases: readonly Case[] = (
    HAS_CASES ? readFileSync(FILE, 'utf8').trim().split('\n') : []
  ).map((line, index) => {
    const { source, input, expected } = JSON.parse(line) as Readonly<Record<string, string>>
    return {
      index,
      suite: (source ?? '').split('__')[1] ?? '',
      input: input ?? '',
      expected: parseJson(expected ?? ''),
    }
  })
  const compared = cases
    .filter(({ expected }) => expected !== undefined)
    .map((one) => ({
      ...one,
      ours: byUs(one),
      theirs: byJsonrepair(one),
      isValid: parseJson(one.input) !== undefined,
    }))
  type Compared = (typeof compared)[number]
  /** Valid inputs are not repaired, so nothing about them is marked. */
  const isWrong = ({ isValid }: Compared, { isJson, isExpected, mark }: Outcome) =>
    !isValid && isJson && !isExpected && mark === 'none'
  const row = (name: string, isIn: (one: Compared) => boolean) => {
    const list = compared.filter(isIn)
    const count = (has: (one: Compared) => boolean) => list.filter(has).length
    const cells = [
      list.length,
      count(({ ours }) => ours.isJson),
      count(({ ours }) => ours.isExpected),
      count(({ ours }) => ours.mark === 'loss'),
      count(({ ours }) => ours.mark === 'guess'),
      count((one) => isWrong(one, one.ours)),
      count(({ theirs }) => theirs.isJson),
      count(({ theirs }) => theirs.isExpected),
      count((one) => isWrong(one, one.theirs)),
    ]
    return `| ${[name, ...cells].join(' | ')} |`
  }

  test('all 410 are read, and the table in docs/repair.md is what they give', () => {
    expect(cases.length).toBe(410)
    const suites = [...new Set(compared.map(({ suite }) => suite))]
    const table = [
      `| ${COLUMNS.join(' | ')} |`,
      `| ${COLUMNS.map(() => '---').join(' | ')} |`,
      ...suites.map((name) => row(name, (one) => one.suite === name)),
      row('all', () => true),
    ].join('\n')
    console.info(table)
    expect(readFileSync('docs/repair.md', 'utf8')).toContain(table)
  })

  test('no wrong value is unmarked, and nearly all that expect JSON give JSON', () => {
    expect(compared.filter((one) => isWrong(one, one.ours)).map(({ index }) => index)).toEqual([])
    const share = compared.filter(({ ours }) => ours.isJson).length / compared.length
    expect(share).toBeGreaterThanOrEqual(0.97)
  })

  test("gives the expected value on all but one of jsonrepair's own cases, and on the others more often", () => {
    const expectedBy = (who: 'ours' | 'theirs', isOwn: boolean) => {
      const list = compared.filter(({ suite }) => (suite === 'jsonrepair') === isOwn)
      return [list.filter((one) => one[who].isExpected).length, list.length] as const
    }
    expect(expectedBy('ours', true)[0]).toBe(expectedBy('theirs', true)[0] - 1)
    const [ours, all] = expectedBy('ours', false)
    expect((100 * (ours - expectedBy('theirs', false)[0])) / all).toBeGreaterThanOrEqual(12)
  })

  test('every difference from what a suite expects has its reason', () => {
    const different = compared.filter(({ ours }) => !ours.isExpected)
    expect(different.map(({ index }) => index)).toEqual(Object.keys(REASONS).map(Number))
    const lost = different.filter(({ theirs }) => theirs.isExpected)
    expect(lost.map(({ index }) => index)).toEqual([232, 318])
  })
})
