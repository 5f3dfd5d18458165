import { describe, expect, test } from 'vitest'
import { readDocument } from '../formats/read-document'
import { readTranscript, SAMPLE_FILES } from '../testing/transcripts'
import { readValueAt, writeEmbeddedString } from '../text/embedded-json'
import { applyEdits, type Edit } from '../text/span'
import { repairArguments } from './repair-arguments'
import { type DocumentRepair, measureRepairs, namedCounts, repairDocument } from './repair-document'
import { repairEdits } from './repair-edits'
import { REPAIR_LIMITS, type RepairOptions } from './repair-limits'

function repairText(text: string, limits?: RepairOptions): DocumentRepair {
  const { source, format, conversations } = readDocument(text)
  return repairDocument({ text: source.text, format: format.id, conversations }, limits)
}

const call = (id: string, name: string, written: string) =>
  `{"role":"assistant","content":null,"tool_calls":[{"id":"${id}","type":"function","function":{"name":"${name}","arguments":${written}}}]}`
const result = (id: string) => `{"role":"tool","tool_call_id":"${id}","content":"x"}`

const SAVED = '{"id": 9223372036854775807,  "x": 1.0}'
/** Two broken calls, a valid one, and one with an object; irregular spacing and a number JSON.parse would change. */
const TEXT = `{"model" : "m", "seed": 12345678901234567890,\r\n "messages":[
  ${call('a', 'search', '"{\\"query\\": \\"x\\" \\"limit\\": 3}"')},${result('a')},
  ${call('b', 'search', '"{\\"query\\":\\"y\\"}"')},${result('b')},
  ${call('c', 'search', "\"{'limit': 'many'}\"")},${result('c')},
  ${call('d', 'save', SAVED)},${result('d')}
 ], "tools": [{"type":"function","function":{"name":"search","parameters":{"type":"object","properties":{"query":{"type":"string"},"limit":{"type":"integer"}},"required":["query"]}}}]}`

describe('a document with broken arguments', () => {
  const repair = repairText(TEXT)

  test('finds each broken call, with its fixes', () => {
    const found = repair.calls.map(({ name, message, result }) => [name, message, result.text])
    expect(found).toEqual([
      ['search', 0, '{"query": "x", "limit": 3}'],
      ['search', 4, '{"limit": "many"}'],
      ['save', 6, SAVED],
    ])
    expect(repair.metrics).toEqual({
      ...{ calls: 4, valid: 1, repaired: 3, failed: 0, attempts: 2, failures: [] },
      averageMilliseconds: expect.any(Number),
      byRisk: { none: 3, guess: 0, loss: 0 },
      byStrategy: [
        { strategy: 'serialised_object', calls: 1 },
        { strategy: 'missing_commas', calls: 1 },
        { strategy: 'single_quotes', calls: 1 },
      ],
    })
  })

  test("checks repaired arguments against the tool's schema without changing them", () => {
    expect(repair.calls.map(({ check }) => check?.state)).toEqual(['fits', 'differs', undefined])
    const differences = [{ at: '#' }, { at: '#/limit' }]
    expect(repair.calls[1]?.check).toMatchObject({ differences })
  })

  test('the repaired document differs in those arguments only', () => {
    const saved = applyEdits(TEXT, repairEdits(repair.calls))
    expect(saved).toBe(
      TEXT.replace('\\"x\\" \\"limit\\"', '\\"x\\", \\"limit\\"')
        .replace(`"{'limit': 'many'}"`, '"{\\"limit\\": \\"many\\"}"')
        .replace(SAVED, '"{\\"id\\": 9223372036854775807,  \\"x\\": 1.0}"'),
    )
    expect(repairText(saved).calls).toEqual([])
  })

  test('all calls share the limits', () => {
    const { calls, metrics } = repairText(TEXT, { ...REPAIR_LIMITS, attempts: 1 })
    expect(calls.map(({ result: { state } }) => state)).toEqual(['repaired', 'failed', 'repaired'])
    expect(metrics.failures).toEqual([{ failure: 'too_many_attempts', calls: 1 }])
    let time = 0
    const now = () => (time += 500)
    const late = repairText(TEXT, { ...REPAIR_LIMITS, now })
    expect(late.metrics.failures).toEqual([{ failure: 'out_of_time', calls: 1 }])
    expect(late.metrics.averageMilliseconds).toBeGreaterThan(0)
  })

  test('a call without a name is checked against no schema', () => {
    const { calls } = repairText(TEXT.replaceAll('"name":"search","arguments"', '"arguments"'))
    expect(calls[0]).toMatchObject({ name: undefined, check: undefined })
  })

  test('an argument of a span is found by the key of its attribute', () => {
    const attributes = Object.entries({
      ...{ '0.role': 'assistant', '0.tool_calls.0.id': 'a', '0.tool_calls.0.name': 'search' },
      '0.tool_calls.0.arguments': '{"query": "x",}',
      ...{ '1.role': 'tool', '1.content': 'x', '1.tool_call_id': 'a' },
    }).map(([key, stringValue]) => ({ key: `gen_ai.prompt.${key}`, value: { stringValue } }))
    const span = { name: 'chat', spanId: '1', traceId: 't', attributes }
    const { calls } = repairText(JSON.stringify([span]))
    expect(calls.map(({ result: { text } }) => text)).toEqual(['{"query": "x"}'])
  })

  test('valid arguments among the results count as valid', () => {
    expect(measureRepairs(1, [repairArguments('{"a": 1}')])).toMatchObject({ calls: 2, valid: 2 })
  })

  test('repairs are counted by the method that made them, and values alone, which make a list, as failed', () => {
    const texts = ['{"a": 1,}', '{"a": "b" + "c"}', '{"a": {"x": [1]}, :: "b": 2', ': "a" "b" 12']
    const results = texts.map((text) => repairArguments(text))
    expect(results.at(-1)?.strategy).toBe('reconstructed_tokens')
    expect(namedCounts(measureRepairs(0, results)).success_by_strategy).toEqual({
      ...{ direct_fix: 1, eval_fallback: 1, reconstruct_basic: 1, reconstruct_complex: 0 },
      all_failed: 1,
    })
    expect(namedCounts(measureRepairs(0, results)).average_time_ms).toBeGreaterThan(0)
    expect(namedCounts(measureRepairs(3, [])).average_time_ms).toBeNull()
  })

  test('an invalid schema is not an error', () => {
    const odd = TEXT.replace('"type":"integer"', '"pattern":"("').replace("'many'", "'x'")
    const states = repairText(odd).calls.map(({ check }) => check?.state)
    expect(states).toContain('unusable')
  })
})

describe('arguments that are no object', () => {
  const written = ['"[1, 2,]"', '"\\"text\\""', '"print(5)\\nx = 6"', '"{\\"a\\": 1,}"']
  const text = `[${written.map((one, at) => `${call(`${at}`, 'run', one)},${result(`${at}`)}`).join(',')}]`

  test('are marked, never counted as repaired, and stay as they are', () => {
    const { calls, metrics } = repairText(text)
    const states = calls.map(({ result: { state, isObject } }) => `${state} ${isObject}`)
    expect(states).toEqual(['repaired false', 'valid false', 'failed false', 'repaired true'])
    expect(metrics).toMatchObject({ calls: 4, valid: 0, repaired: 1, failed: 3 })
    expect(namedCounts(metrics)).toEqual({
      total_attempts: 3,
      successful_repairs: 1,
      failed_repairs: 3,
      success_by_strategy: {
        ...{ direct_fix: 1, eval_fallback: 0, reconstruct_basic: 0, reconstruct_complex: 0 },
        all_failed: 3,
      },
      failure_reasons: ['not_an_object', 'not_an_object', 'nothing_recognised'],
      average_time_ms: expect.any(Number),
    })
    expect(applyEdits(text, repairEdits(calls))).toBe(text.replace('1,}', '1}'))
  })

  test('are written as the value of `input` on request', () => {
    const { calls, metrics } = repairText(text, { ...REPAIR_LIMITS, wrapInput: true })
    expect(metrics).toMatchObject({ repaired: 4, failed: 0 })
    const inputs = ['[1, 2,]', '"text"', 'print(5)\nx = 6'].map((input) => ({ input }))
    expect(calls.map((one) => JSON.parse(one.result.text))).toEqual([...inputs, { a: 1 }])
    expect(repairText(applyEdits(text, repairEdits(calls))).calls).toEqual([])
  })
})

test("object arguments of a provider's built-in tool stay an object", () => {
  const search = '{"type":"tool_search_call","call_id":"a","arguments":{"query":"x"}}'
  const wrong = '{"type":"function_call","call_id":"b","name":"find","arguments":{"query":"x"}}'
  expect(repairText(`[${search},${wrong}]`).calls.map(({ id }) => id)).toEqual(['b'])
})

test('the free text of a custom tool is not broken JSON', () => {
  const text = `[{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"custom","custom":{"name":"patch","input":"*** Begin"}}]}]`
  expect(repairText(text).calls).toEqual([])
})

/** The text with an extra comma in all arguments, objects written as text; and the original values. */
function breakAll(text: string): { readonly broken: string; readonly meant: readonly unknown[] } {
  const { source, conversations } = readDocument(text)
  const edits = new Map<number, Edit>()
  const meant: unknown[] = []
  for (const { argumentsSpan: span } of conversations.flatMap(({ calls }) => calls)) {
    if (span === undefined || edits.has(span.start)) continue
    const value = argumentsIn(readValueAt(source.text, span))
    if (value === undefined) continue
    const written = `${JSON.stringify(value).slice(0, -1)},}`
    const { start, end, encoded } = span
    edits.set(start, { start, end, text: writeEmbeddedString(written, encoded) })
    meant.push(value)
  }
  const ascending = [...edits.values()].sort((a, b) => a.start - b.start)
  return { broken: applyEdits(source.text, ascending), meant }
}

/** Undefined for anything but an object with members: commands, free text. */
function argumentsIn(value: unknown): object | undefined {
  if (typeof value === 'object' && value !== null) {
    return Object.keys(value).length > 0 ? value : undefined
  }
  if (typeof value !== 'string' || !/^\s*\{\s*"/.test(value)) return undefined
  return JSON.parse(value) as object
}

test.each(SAMPLE_FILES)(
  '$name: broken arguments are found wherever the format has them, and once repaired, none is left',
  (file) => {
    const text = readTranscript(file)
    const { calls: own, metrics } = repairText(text)
    expect(metrics.failed).toBe(0)
    expect(repairText(applyEdits(text, repairEdits(own))).calls).toEqual([])
    const { broken, meant } = breakAll(text)
    const { calls } = repairText(broken)
    expect(calls.map(({ result: { text } }) => JSON.parse(text))).toEqual(meant)
  },
)
