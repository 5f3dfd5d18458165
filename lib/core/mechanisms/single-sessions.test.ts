/** What mechanisms do in sessions that generated ones are seldom like. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { resultOf } from '../steps'
import { turnOf } from '../testing/conversation-of'
import { flatPrices, prefixRule, UNCACHED } from '../testing/test-sessions'
import { forAll } from '../testing/test-size'
import { cheapestKeeping, searchedMechanism } from './best-settings'
import type { SessionHistory } from './history'
import {
  changedSettings,
  defaultSettings,
  readSetting,
  refusedSettings,
  type Settings,
  shownSetting,
  validSettings,
} from './mechanism'
import { MECHANISMS } from './mechanisms'
import { mechanismSteps } from './run-mechanism'
import { historiesOf, historyOf } from './testing/test-history'

const mechanismOf = (id: string) => {
  const found = MECHANISMS.find((one) => one.id === id)
  if (found === undefined) throw new RangeError(id)
  return found
}

/** By request: the positions that are edited, with their texts. */
function contentsOf(history: SessionHistory, id: string, settings: Settings) {
  const mechanism = mechanismOf(id)
  const all = { ...defaultSettings(mechanism), ...settings }
  return [...mechanismSteps(history, mechanism, all)].map(({ edits }) =>
    [...edits].map(([at, { content }]) => [at, content]),
  )
}

test('truncate: without characters of the end, the marker is the end', () => {
  const history = historyOf([...turnOf('a', 'x'.repeat(1_000)), { role: 'user', content: 'go' }])
  const settings = { head_chars: 3, tail_chars: 0 }
  expect(contentsOf(history, 'truncate', settings).at(-1)).toEqual([
    [1, 'xxx\n[... 997 characters left out ...]\n'],
  ])
})

test('schema1: a result is back when its id is that of a newer call, which the policy keeps', () => {
  const history = historyOf([
    ...turnOf('a', 'x'.repeat(900)),
    ...turnOf('b', 'y'.repeat(900)),
    ...turnOf('c', 'z'.repeat(900), 'other'),
    ...turnOf('a', 'w'.repeat(900)),
    { role: 'user', content: 'go' },
  ])
  const settings = { window_turns: 1, keep_last_k_per_tool: 1 }
  const masked = contentsOf(history, 'schema1', settings).map((edits) => edits.map(([at]) => at))
  expect(masked).toEqual([[], [1], [1], [3]])
})

test('swe-agent-last-n: without an observation nothing changes', () => {
  const history = historyOf([
    { role: 'system', content: 'Be brief.' },
    { role: 'assistant', content: 'Done.' },
  ])
  expect(contentsOf(history, 'swe-agent-last-n', { n: 1 }).flat()).toEqual([])
})

test('langchain-js-clear-tool-uses: a call without an id has an empty one in what is counted', () => {
  const unanswered = { type: 'function', function: { name: 'read', arguments: '{}' } }
  const history = historyOf([
    { role: 'user', content: 'go' },
    ...turnOf('a', 'x'.repeat(100)),
    { role: 'assistant', content: 'on', tool_calls: [unanswered] },
    { role: 'user', content: 'so' },
    { role: 'assistant', content: 'end' },
  ])
  const written = (id: string) =>
    JSON.stringify([{ name: 'read', args: {}, id, type: 'tool_call' }]).length
  const tokens = Math.ceil((6 + written('a') + 101 + written('')) / 4)
  const clearedFrom = (trigger: number) =>
    contentsOf(history, 'langchain-js-clear-tool-uses', {
      ...{ 'trigger.tokens': trigger, 'trigger.messages': 0, 'keep.messages': 0 },
      clearAtLeast: 0,
    }).at(-1)?.length
  expect([tokens, tokens + 1].map(clearedFrom)).toEqual([1, 0])
})

describe('claude-code-cold-clear', () => {
  const line = (role: 'user' | 'assistant', minute: number, content: unknown) =>
    JSON.stringify({
      ...{ type: role, uuid: `${minute}`, parentUuid: minute === 0 ? null : `${minute - 1}` },
      ...{ sessionId: 's', timestamp: new Date(minute * 60_000).toISOString() },
      message: { role, content },
    })
  const use = (minute: number, name: string) =>
    line('assistant', minute, [{ type: 'tool_use', id: `${minute}`, name, input: {} }])
  const given = (minute: number) =>
    line('user', minute, [
      { type: 'tool_result', tool_use_id: `${minute - 1}`, content: `of minute ${minute}` },
    ])
  const [history] = historiesOf(
    [
      line('user', 0, 'go'),
      ...[use(1, 'Read'), given(2), use(3, 'mcp__a__b'), given(4), use(5, 'Bash'), given(6)],
      ...[line('assistant', 7, [{ type: 'text', text: 'done' }])],
    ].join('\n'),
  )
  const cleared = (settings: Settings) =>
    contentsOf(history as SessionHistory, 'claude-code-cold-clear', {
      ...{ enabled: true, gapThresholdMinutes: 0, keepRecent: 1 },
      ...settings,
    })
      .at(-1)
      ?.map(([at]) => at)

  test.each([
    ['its own tools', {}, [2]],
    ['all tools', { tools: [] }, [2, 4]],
    ['none of the tools', { tools: ['Grep'] }, []],
    ['as long as the cache lives', { gapThresholdMinutes: 60 }, []],
  ])('clears old results of %s', (_, settings, expected) => {
    expect(cleared(settings)).toEqual(expected)
  })
})

describe('the cheapest settings', () => {
  const history = historyOf([...turnOf('a', 'x '.repeat(2_000)), { role: 'user', content: 'go' }])
  const truncate = mechanismOf('truncate')
  const priced = { prices: flatPrices(8, 1, 10, 40), rule: prefixRule() }

  test('are unknown where the price before is', () => {
    const measured = [{ cost: 1, lostUses: 0 }]
    expect(cheapestKeeping(measured, 2, 0, 1)).toBe(measured[0])
    expect(cheapestKeeping(measured, undefined, 0, 1)).toBeUndefined()
  })

  test.each([
    ['cost', priced],
    ['tokens, without a price', UNCACHED],
  ])('are those that somebody chose, if no other has less %s', (_, terms) => {
    const chosen = { head_chars: 10, tail_chars: 0 }
    const searched = (settings?: Settings) =>
      resultOf(searchedMechanism([{ history, terms }], truncate, 0, settings))
    const { measure, best } = searched(chosen)
    expect(best).toBe(measure)
    const tried = searched()
    expect(tried.best.tokens).toBeGreaterThan(best.tokens)
    expect(tried.best.tokens).toBeLessThan(tried.measure.tokens)
  })
})

test('a setting of a number is read from digits alone', () => {
  const row = { key: 'n', value: 5, least: 1, most: 9 }
  const expected = { expected: { key: 'whole_number_from_to', values: { least: 1, most: 9 } } }
  expect(['5', '0', '1e1', 'x', ''].map((text) => readSetting(row, text))).toEqual([
    { value: 5 },
    ...[expected, expected, expected, expected],
  ])
})

test('changed settings are those that differ from a default', () => {
  const defaults = { n: 5, tools: ['a', 'b'], isOn: true }
  expect(changedSettings({ n: 6, tools: ['a', 'b'], isOn: false }, defaults)).toBe('n=6 isOn=false')
})

/** More messages than the highest number that any setting of turns, results or events offers, and results too short to save any. */
const LONG = historyOf(
  [
    { role: 'user', content: 'go' },
    ...Array.from({ length: 250 }, (_, at) => turnOf(`c${at}`, `part ${at}`)),
  ].flat(),
)

test.each(MECHANISMS.map(({ id }) => id))(
  '%s: the cheapest settings for a long session do not cost more than no mechanism',
  (id) => {
    const session = {
      history: LONG,
      terms: { prices: flatPrices(8, 1, 10, 40), rule: prefixRule() },
    }
    const { best, keeping, unchanged } = resultOf(
      searchedMechanism([session], mechanismOf(id), 0.95),
    )
    expect(best.cost).toBeLessThanOrEqual((unchanged.cost ?? 0) + 1e-9)
    // With the main setting where nothing changes, no use is lost.
    expect(keeping).toBeDefined()
  },
)

const anyValue = fc.oneof(
  fc.integer({ min: -2, max: 2_000_000_000 }),
  fc.boolean(),
  fc.stringMatching(/^[\w.-]{1,9}$/),
  fc.array(fc.stringMatching(/^[\w.-]{1,5}$/), { maxLength: 2 }),
)

test.each(MECHANISMS.map(({ id }) => id))(
  '%s: what is refused of written settings is what is not used',
  (id) => {
    const mechanism = mechanismOf(id)
    const keys = [...mechanism.rows.map(({ key }) => key), 'no_such_setting']
    const written = fc.dictionary(fc.constantFrom(...keys), anyValue)
    forAll(50, [written], (settings) => {
      const used = validSettings(mechanism, settings)
      const unused = Object.keys(settings).filter(
        (key) => shownSetting(settings[key] ?? '') !== shownSetting(used[key] ?? NOT_USED),
      )
      expect(refusedSettings(mechanism, settings)).toHaveLength(unused.length)
    })
  },
)

/** No setting is shown so. */
const NOT_USED = '\u0000'
