/** The extensions, by hand; what Schema 1 itself says is in the published cases. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonValue } from '../testing/chat-messages'
import { conversationOf, turnOf } from '../testing/conversation-of'
import { forAll } from '../testing/test-size'
import { type Decision, decide } from './decide'
import { DEFAULT_POLICY, type MaskPolicy } from './policy'
import { firstKeptTurn } from './window-steps'

const POLICY: MaskPolicy = { ...DEFAULT_POLICY, enabled: true, windowTurns: 1 }

/** Decides with one token a character. */
function decideFor(
  messages: readonly JsonValue[],
  settings: Partial<MaskPolicy>,
  requestTokens = 0,
): Decision[] {
  const conversation = conversationOf(messages)
  const textOf = (index: number) => conversation.resultTexts[index]?.join('') ?? ''
  const tokensOf = (index: number) => textOf(index).length
  const placeholderTokensOf = (_: unknown, placeholder: string) => placeholder.length
  const sources = { textOf, tokensOf, placeholderTokensOf, requestTokens: () => requestTokens }
  return decide(conversation, { ...POLICY, ...settings }, sources)
}

const reasonsFor = (...given: Parameters<typeof decideFor>) =>
  decideFor(...given)
    .map(({ reason }) => reason)
    .join(' ')

const turns = (count: number) =>
  Array.from({ length: count }, (_, turn) => turnOf(`call_${turn}`, `result ${turn}`)).flat()
/** Turns with these results, and a last one that the window keeps. */
const resultsBefore = (...results: JsonValue[]) => [
  ...results.flatMap((result, at) => turnOf(`${at}`, result)),
  ...turns(1),
]

describe('batch_turns', () => {
  test('keeps at least the window and less than a batch more, and never steps back', () => {
    const anyCount = fc.integer({ min: 1, max: 20 })
    forAll(100, [fc.nat(200), anyCount, anyCount], (turnCount, windowTurns, batchTurns) => {
      const first = firstKeptTurn(turnCount, { windowTurns, batchTurns })
      const kept = turnCount - first
      expect(kept).toBeGreaterThanOrEqual(Math.min(windowTurns, turnCount))
      expect(kept).toBeLessThan(windowTurns + batchTurns)
      expect(first % batchTurns).toBe(0)
      const next = firstKeptTurn(turnCount + 1, { windowTurns, batchTurns })
      expect(next).toBeGreaterThanOrEqual(first)
    })
  })

  test('keeps a result that the sliding window would mask, with the reason in_window', () => {
    const sliding = 'masked masked masked in_window in_window'
    expect(reasonsFor(turns(5), { windowTurns: 2 })).toBe(sliding)
    const inSteps = 'masked masked in_window in_window in_window'
    expect(reasonsFor(turns(5), { windowTurns: 2, batchTurns: 2 })).toBe(inSteps)
  })
})

describe('text_parts', () => {
  const parts = (...texts: string[]): JsonValue => texts.map((text) => ({ type: 'text', text }))
  const mixed: JsonValue = [{ type: 'text', text: 'a' }, { type: 'image_url' }]

  test('masks lists of text parts only', () => {
    const messages = resultsBefore(parts('one', 'two'), mixed, [])
    expect(reasonsFor(messages, {})).toBe('non_text non_text non_text in_window')
    const masked = 'masked non_text non_text in_window'
    expect(reasonsFor(messages, { textParts: true })).toBe(masked)
  })

  test('looks for errors in them only if it is on, since Schema 1 does not read them', () => {
    const messages = resultsBefore(parts('fine', 'error: no'))
    expect(reasonsFor(messages, {})).toBe('non_text in_window')
    expect(reasonsFor(messages, { textParts: true })).toBe('kept_error in_window')
  })

  test('recognises a placeholder by all parts together', () => {
    const settings = { textParts: true, placeholderTemplate: '[gone {original_chars}]' }
    const messages = resultsBefore(parts('[gone 7]', ''), parts('[gone', ' 7]'))
    expect(reasonsFor(messages, settings)).toBe('already_masked already_masked in_window')
  })
})

test('exclude_tools keeps the results of a tool before other reasons apply', () => {
  const [one, two] = [turnOf('a', 'x', 'read'), turnOf('b', 'error', 'bash')]
  const messages = [...one, ...two, ...turnOf('c', 'y', 'bash')]
  const excludeTools = ['bash']
  expect(reasonsFor(messages, { excludeTools })).toBe('masked excluded_tool in_window')
  const kept = 'kept_last_k excluded_tool in_window'
  expect(reasonsFor(messages, { excludeTools, keepLastKPerTool: 9 })).toBe(kept)
})

test('never_grow keeps a result whose placeholder does not have fewer tokens', () => {
  const messages = resultsBefore('1234', '12345', '123456')
  const settings = { placeholderTemplate: '12_45', neverGrow: true }
  expect(reasonsFor(messages, settings)).toBe('would_grow would_grow masked in_window')
  const masked = 'masked masked masked in_window'
  expect(reasonsFor(messages, { ...settings, neverGrow: false })).toBe(masked)
})

test('trigger_tokens keeps every result of a request below it', () => {
  const messages = [...turns(2), { role: 'tool', tool_call_id: 'none', content: 'x' }]
  const below = 'below_trigger below_trigger below_trigger'
  expect(reasonsFor(messages, { triggerTokens: 100 }, 99)).toBe(below)
  expect(reasonsFor(messages, { triggerTokens: 100 }, 100)).toBe('masked in_window orphan')
})

describe('error_rules', () => {
  const texts = {
    traceback: 'a TraceBack here',
    exception: 'an eXception here',
    error_line: 'first\nERROR second',
    timeout: 'a TimeOut here',
    connection: 'Connection Refused',
    json_error: '{"error" : 1',
  } as const
  const messages = resultsBefore(...Object.values(texts))

  test.each(Object.keys(texts))('%s alone keeps only what it names, as the reason', (rule) => {
    const errorRules = DEFAULT_POLICY.errorRules.filter((known) => known === rule)
    const kept = decideFor(messages, { errorRules }).filter(({ reason }) => reason === 'kept_error')
    expect(kept.map(({ keptBy }) => keptBy)).toEqual([[rule]])
  })

  test('all rules are Schema 1, and no rules are keep_errors off', () => {
    expect(reasonsFor(messages, {}).match(/kept_error/g)).toHaveLength(6)
    const none = reasonsFor(messages, { errorRules: [] })
    expect(none).toBe(reasonsFor(messages, { keepErrors: false }))
  })
})

// Arguments are cut at 80 characters and are on one line; no text of the transcript is interpreted.
test.each<readonly [string, JsonValue[], string, string]>([
  ['tokens', turnOf('a', 'seven c'), '<{original_tokens}>', '<7>'],
  ['code points', turnOf('a', '😀e\u0301\ud800'), '{original_chars}', '4'],
  [
    'arguments',
    turnOf('a', 'x', 'read', `{"path":\n\t"${'😀'.repeat(100)}"}`),
    '{tool_arguments}',
    `{"path": "${'😀'.repeat(70)}`,
  ],
  [
    'marks of other templates',
    turnOf('{tool_name}$&', 'x', '{original_chars}$1'),
    '{tool_call_id}|{tool_name}|{nothing}|{',
    '{tool_name}$&|{original_chars}$1|{nothing}|{',
  ],
])('a placeholder has %s', (_, turn, placeholderTemplate, placeholder) => {
  const [decision] = decideFor([...turn, ...turns(1)], { placeholderTemplate })
  expect(decision?.placeholder).toBe(placeholder)
})

test('a decision is mask or keep, with its reason, rules and placeholder', () => {
  const messages = [...turnOf('a', 'fine'), ...turnOf('b', 'Error: no'), ...turnOf('c', 'last')]
  const keep = { action: 'keep', placeholder: undefined }
  expect(decideFor(messages, { placeholderTemplate: 'gone' })).toEqual([
    { action: 'mask', reason: 'masked', keptBy: [], placeholder: 'gone' },
    { ...keep, reason: 'kept_error', keptBy: ['error_line'] },
    { ...keep, reason: 'in_window', keptBy: [] },
  ])
})
