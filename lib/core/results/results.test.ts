import fc from 'fast-check'
import { expect, test } from 'vitest'
import { measureRequest } from '../mask/measure-request'
import { type Decision, decide, errorMarksOf, REASONS } from '../policy/decide'
import { DEFAULT_POLICY, type MaskPolicy } from '../policy/policy'
import type { JsonValue } from '../testing/chat-messages'
import { conversationOf, turnOf } from '../testing/conversation-of'
import { forAll } from '../testing/test-size'
import { countConversation } from '../tokens/count-conversation'
import {
  FIRST_ORDER,
  figureOfRow,
  filterRows,
  NO_FILTER,
  type ResultRow,
  ROW_COLUMNS,
  resultRows,
  resultsCsv,
  sortRows,
  toolTotals,
} from './result-rows'
import { ERROR_MARKS, ruleEffects, withMark } from './rule-effects'

/** Eight results: six turns, one of them an error, and two results that answer no call. */
const MESSAGES: readonly JsonValue[] = [
  ...turnOf('a', 'x'.repeat(400), 'read'),
  ...turnOf('b', 'y'.repeat(40), 'search'),
  ...turnOf('c', 'error: it broke', 'read'),
  ...turnOf('d', 'z'.repeat(1000), 'search'),
  { role: 'tool', tool_call_id: 'nobody', content: 'lost' },
  ...turnOf('e', 'x'.repeat(200), 'read'),
  ...turnOf('f', '', 'read'),
  { role: 'tool', content: 'without an id' },
]

function tableOf(messages: readonly JsonValue[], windowTurns: number) {
  const conversation = conversationOf(messages)
  const counts = countConversation(conversation, (text) => text.length)
  const policy = { ...DEFAULT_POLICY, enabled: true, windowTurns, placeholderTemplate: '[masked]' }
  const decisions: Decision[] = decide(conversation, policy, {
    textOf: (index) => conversation.resultTexts[index]?.join('') ?? '',
  })
  const placeholders = decisions.map(({ placeholder = '' }) => placeholder.length)
  const lostUses = [{ result: 3 }, { result: 0 }, { result: 3 }]
  const known = { results: counts.results, placeholders, lostUses }
  const rows = resultRows(conversation.results, decisions, known)
  return { conversation, counts, decisions, placeholders, rows }
}

const TABLE = tableOf(MESSAGES, 2)
const { rows } = TABLE

const anyRows: fc.Arbitrary<ResultRow[]> = fc
  .array(
    fc.record({
      turn: fc.option(fc.nat(5), { nil: undefined }),
      tool: fc.constantFrom('read', 'search', '', 'toString', undefined),
      reason: fc.constantFrom(...REASONS),
      before: fc.nat(50),
      saved: fc.integer({ min: -9, max: 9 }),
      lostUses: fc.option(fc.nat(3), { nil: undefined }),
    }),
    { maxLength: 20 },
  )
  .map((all) =>
    all.map(({ turn, tool, reason, before, saved, lostUses }, result) => ({
      ...{ result, message: result * 2, turn, callId: `call_${result}`, tool, reason, keptBy: [] },
      ...{ toolArguments: '{}', chars: before * 4, saved, lostUses },
      tokens: { before, after: before - saved, isEstimated: false },
    })),
  )

test('a row has the turn, the tool, the reason, the tokens and the lost uses of its result', () => {
  const facts = rows.map(({ turn, tool, reason, keptBy, tokens, saved, lostUses }) =>
    [turn, tool, reason, ...keptBy, tokens.before, saved, lostUses].join(' '),
  )
  expect(facts).toEqual([
    '0 read masked 400 392 1',
    '1 search masked 40 32 0',
    '2 read kept_error error_line 15 0 0',
    '3 search masked 1000 992 2',
    '  orphan 4 0 0',
    '4 read in_window 200 0 0',
    '5 read in_window 0 0 0',
    '  no_call_id 13 0 0',
  ])
})

test('a result whose id a later call reuses is shown with the tool that it states, not with that call', () => {
  const [call, answer] = turnOf('a', 'x', 'read')
  const messages = [call, { ...(answer as object), name: 'read' }, ...turnOf('a', 'y', 'search')]
  const { conversation, rows } = tableOf(messages as JsonValue[], 1)
  expect(conversation.results.map(({ toolName }) => toolName)).toEqual(['search', 'search'])
  const facts = rows.map(({ tool, turn, toolArguments }) => `${tool} ${turn} ${toolArguments}`)
  expect(facts).toEqual(['read 1 ', 'search 1 {}'])
})

test('the rows sum to the measure of the request', () => {
  const { conversation, counts, decisions, placeholders, rows } = tableOf(MESSAGES, 1)
  const { resultTokens } = measureRequest(conversation, counts, decisions, placeholders)
  const sum = (of: (row: ResultRow) => number) => rows.reduce((total, row) => total + of(row), 0)
  expect(sum(({ tokens }) => tokens.before)).toBe(resultTokens.before)
  expect(sum(({ tokens }) => tokens.after)).toBe(resultTokens.after)
  expect(sum(({ saved }) => saved)).toBe(resultTokens.before - resultTokens.after)
})

test('without counts, the tokens are estimates; an earlier request has rows for its own results', () => {
  const { conversation, decisions, counts } = TABLE
  const none = { results: undefined, placeholders: undefined, lostUses: undefined }
  const [row] = resultRows(conversation.results, decisions, none)
  expect(row?.tokens).toEqual({ before: 100, after: 2, isEstimated: true })
  expect(row?.lostUses).toBeUndefined()
  const known = { results: counts.results, placeholders: undefined, lostUses: undefined }
  expect(resultRows(conversation.results, decisions.slice(0, 3), known)).toHaveLength(3)
})

test('each part of a filter shows exactly the rows that pass it', () => {
  const shown = (filter: Partial<typeof NO_FILTER>) =>
    filterRows(rows, { ...NO_FILTER, ...filter }).map(({ result }) => result)
  expect(shown({})).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
  expect(shown({ tool: { name: 'search' } })).toEqual([1, 3])
  expect(shown({ tool: { name: undefined } })).toEqual([4, 7])
  expect(shown({ reason: 'masked' })).toEqual([0, 1, 3])
  expect(shown({ tool: { name: 'search' }, reason: 'masked' })).toEqual([1, 3])
})

test('sorting keeps all rows, orders the values, and puts rows without one last', () => {
  const anyColumn = fc.constantFrom(...ROW_COLUMNS)
  forAll(200, [anyRows, anyColumn, fc.boolean()], (rows, column, isDescending) => {
    const sorted = sortRows(rows, { column, isDescending })
    expect(sorted.toSorted((a, b) => a.result - b.result)).toEqual(rows)
    for (const [at, row] of sorted.slice(0, -1).entries()) {
      const next = sorted[at + 1] as ResultRow
      const [a, b] = [row, next].map((one) =>
        column === 'tool' || column === 'reason' ? one[column] : figureOfRow(one, column),
      )
      if (a === b) expect(row.result).toBeLessThan(next.result)
      else if (a === undefined) throw new Error('a row without the value is not last')
      else if (b !== undefined) expect(a < b).toBe(!isDescending)
    }
  })
  expect(sortRows(rows, FIRST_ORDER).map(({ result }) => result)).toEqual([0, 1, 2, 3, 5, 6, 4, 7])
})

test('the totals of the tools sum to the totals of the rows', () => {
  forAll(200, [anyRows], (rows) => {
    const totals = toolTotals(rows)
    const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0)
    expect(sum(totals.map(({ results }) => results))).toBe(rows.length)
    for (const figure of ['tokens', 'saved', 'lostUses'] as const) {
      const ofRows = sum(rows.map((row) => figureOfRow(row, figure) ?? 0))
      expect(sum(totals.map((one) => one[figure]))).toBe(ofRows)
    }
    for (const { tool, results, masked, kept } of totals) {
      expect(masked + sum(kept.map((one) => one.results))).toBe(results)
      expect(filterRows(rows, { ...NO_FILTER, tool: { name: tool } })).toHaveLength(results)
    }
    if (sum(rows.map(({ tokens }) => tokens.before)) > 0)
      expect(sum(totals.map(({ share }) => share))).toBeCloseTo(1)
  })
})

test('the tools with the most tokens come first, with the reasons of what is kept', () => {
  const [first, second] = toolTotals(rows)
  expect(first).toMatchObject({ tool: 'search', results: 2, tokens: 1040, masked: 2, kept: [] })
  expect(second).toMatchObject({ tool: 'read', masked: 1 })
  const kept = second?.kept.map(({ reason, results }) => `${reason} ${results}`)
  expect(kept).toEqual(['in_window 2', 'kept_error 1'])
})

test('tools whose results have no tokens have no share', () => {
  const { rows } = tableOf(turnOf('a', '', 'read'), 2)
  expect(toolTotals(rows)).toMatchObject([{ tool: 'read', results: 1, tokens: 0, share: 0 }])
})

test('the CSV has a line for each row and no content of a result', () => {
  const lines = resultsCsv(rows).split('\r\n')
  expect(lines[0]).toBe(
    'result,message,turn,tool,tool_call_id,reason,error_rules,chars,tokens,tokens_sent,tokens_saved,lost_uses',
  )
  expect(lines[1]).toBe('1,2,1,read,a,masked,,400,400,8,392,1')
  expect(lines[3]).toBe('3,6,3,read,c,kept_error,error_line,15,15,15,0,0')
  expect(lines).toHaveLength(rows.length + 2)
  expect(resultsCsv(rows)).not.toContain('it broke')
})

const TEXTS = ['timeout: 30', 'Timeout, exception', 'exit code 1', 'permission denied', 'fine', '']
const conversation = conversationOf(TEXTS.flatMap((text, at) => turnOf(`call_${at}`, text)))
const textOf = (index: number) => conversation.resultTexts[index]?.join('') ?? ''
const decideWith = (policy: MaskPolicy) => decide(conversation, policy, { textOf })

function effectsOf(changed: Partial<MaskPolicy>) {
  const policy: MaskPolicy = { ...DEFAULT_POLICY, enabled: true, windowTurns: 1, ...changed }
  const errorRules = ERROR_MARKS.filter((mark) => mark !== 'pattern')
  const all = { errorRules, errorPatterns: policy.errorPatterns }
  const marks = conversation.results.map((one, at) => errorMarksOf(one, all, () => textOf(at)))
  const decisions = decideWith(policy)
  return ruleEffects(policy, { marks, decisions, decideWith, savingOf: () => 10 })
}

const on = (mark: string, matches: number, changed: readonly number[]) => {
  return { mark, isOn: true, matches, changed, tokens: changed.length * 10 }
}

test('a rule has the results that it alone keeps; an optional one those that it would keep', () => {
  const effects = effectsOf({ errorRules: ['exception', 'timeout'] })
  expect(effects).toEqual([
    on('exception', 1, []),
    on('timeout', 2, [0]),
    { mark: 'exit_code', isOn: false, matches: 1, changed: [2], tokens: 10 },
  ])
})

test("the user's own texts are one mark, which can be removed", () => {
  const effects = effectsOf({ errorRules: [], errorPatterns: ['Permission', 'fine'] })
  expect(effects.at(-1)).toEqual(on('pattern', 2, [3, 4]))
  expect(withMark(DEFAULT_POLICY, 'pattern', true)).toEqual(DEFAULT_POLICY)
})

test('nothing changes where errors are not kept, and tokens are unknown until counted', () => {
  const effects = effectsOf({ keepErrors: false, errorRules: ['timeout'] })
  expect(effects).toContainEqual(on('timeout', 2, []))
  const policy = { ...DEFAULT_POLICY, enabled: true, windowTurns: 1 }
  const marks = [['timeout']] as const
  const sources = { marks, decisions: decideWith(policy), savingOf: () => undefined }
  const [timeout] = ruleEffects(policy, { ...sources, decideWith })
  expect(timeout).toMatchObject({ mark: 'timeout', changed: [0], tokens: undefined })
  const [unknown] = ruleEffects(policy, { ...sources, decideWith: () => undefined })
  expect(unknown).toMatchObject({ changed: [], tokens: 0 })
})
