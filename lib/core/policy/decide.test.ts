/** The extensions, by hand; what Schema 1 itself says is in the published cases. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonValue } from '../testing/chat-messages'
import { conversationOf, turnOf } from '../testing/conversation-of'
import { forAll } from '../testing/test-size'
import { type Decision, decide, firstKeptTurn } from './decide'
import { DEFAULT_POLICY, type MaskPolicy } from './policy'

const POLICY: MaskPolicy = { ...DEFAULT_POLICY, enabled: true, windowTurns: 1 }

/** Decides with one token a character. */
function decideFor(
  messages: readonly JsonValue[],
  settings: Partial<MaskPolicy>,
  requestTokens = 0,
): Decision[] {
  const conversation = conversationOf(messages)
  const textsOf = (index: number) => conversation.resultTexts[index] ?? []
  return decide(
    conversation,
    { ...POLICY, ...settings },
    {
      textOf: (index) => textsOf(index).join(''),
      tokensOf: (index) => textsOf(index).join('').length,
      placeholderTokensOf: (_, placeholder) => placeholder.length,
      requestTokens,
    },
  )
}

function reasonsFor(
  messages: readonly JsonValue[],
  settings: Partial<MaskPolicy>,
  requestTokens = 0,
): string {
  return decideFor(messages, settings, requestTokens)
    .map(({ reason }) => reason)
    .join(' ')
}

const turns = (count: number) =>
  Array.from({ length: count }, (_, turn) => turnOf(`call_${turn}`, `result ${turn}`)).flat()

describe('batch_turns', () => {
  test('moves the window in steps', () => {
    const kept = (count: number) => firstKeptTurn(count, { windowTurns: 3, batchTurns: 4 })
    expect([0, 3, 6, 7, 8, 10, 11, 14, 15].map(kept)).toEqual([0, 0, 0, 4, 4, 4, 8, 8, 12])
  })

  test('keeps at least the window and less than a batch more, and never steps back', () => {
    const anyCount = fc.integer({ min: 1, max: 20 })
    forAll(100, [fc.nat(200), anyCount, anyCount], (turnCount, windowTurns, batchTurns) => {
      const first = firstKeptTurn(turnCount, { windowTurns, batchTurns })
      const kept = turnCount - first
      expect(kept).toBeGreaterThanOrEqual(Math.min(windowTurns, turnCount))
      expect(kept).toBeLessThan(windowTurns + batchTurns)
      expect(first % batchTurns).toBe(0)
      expect(firstKeptTurn(turnCount + 1, { windowTurns, batchTurns })).toBeGreaterThanOrEqual(
        first,
      )
    })
  })

  test('keeps a result that the sliding window would mask, with the reason in_window', () => {
    expect(reasonsFor(turns(5), { windowTurns: 2 })).toBe(
      'masked masked masked in_window in_window',
    )
    expect(reasonsFor(turns(5), { windowTurns: 2, batchTurns: 2 })).toBe(
      'masked masked in_window in_window in_window',
    )
  })
})

describe('text_parts', () => {
  const parts = (...texts: string[]): JsonValue => texts.map((text) => ({ type: 'text', text }))
  const mixed: JsonValue = [{ type: 'text', text: 'a' }, { type: 'image_url' }]

  test('masks lists of text parts only', () => {
    const messages = [
      ...turnOf('a', parts('one', 'two')),
      ...turnOf('b', mixed),
      ...turnOf('c', []),
      ...turns(1),
    ]
    expect(reasonsFor(messages, {})).toBe('non_text non_text non_text in_window')
    expect(reasonsFor(messages, { textParts: true })).toBe('masked non_text non_text in_window')
  })

  test('looks for errors in them only if it is on, since Schema 1 does not read them', () => {
    const messages = [...turnOf('a', parts('fine', 'error: no')), ...turns(1)]
    expect(reasonsFor(messages, {})).toBe('non_text in_window')
    expect(reasonsFor(messages, { textParts: true })).toBe('kept_error in_window')
  })

  test('recognises a placeholder by all parts together', () => {
    const placeholderTemplate = '[gone {original_chars}]'
    const messages = [
      ...turnOf('a', parts('[gone 7]', '')),
      ...turnOf('b', parts('[gone', ' 7]')),
      ...turns(1),
    ]
    expect(reasonsFor(messages, { textParts: true, placeholderTemplate })).toBe(
      'already_masked already_masked in_window',
    )
  })
})

describe('exclude_tools', () => {
  const messages = [
    ...turnOf('a', 'x', 'read'),
    ...turnOf('b', 'error', 'bash'),
    ...turnOf('c', 'y', 'bash'),
  ]

  test('keeps the results of a tool before other reasons apply', () => {
    expect(reasonsFor(messages, { excludeTools: ['bash'] })).toBe('masked excluded_tool in_window')
    expect(reasonsFor(messages, { excludeTools: ['bash'], keepLastKPerTool: 9 })).toBe(
      'kept_last_k excluded_tool in_window',
    )
  })
})

describe('never_grow', () => {
  test('keeps a result whose placeholder does not have fewer tokens', () => {
    const messages = [
      ...turnOf('a', '1234'),
      ...turnOf('b', '12345'),
      ...turnOf('c', '123456'),
      ...turns(1),
    ]
    const settings = { placeholderTemplate: '12_45', neverGrow: true }
    expect(reasonsFor(messages, settings)).toBe('would_grow would_grow masked in_window')
    expect(reasonsFor(messages, { ...settings, neverGrow: false })).toBe(
      'masked masked masked in_window',
    )
  })
})

describe('trigger_tokens', () => {
  test('keeps every result of a request below it', () => {
    const messages = [...turns(2), { role: 'tool', tool_call_id: 'none', content: 'x' }]
    expect(reasonsFor(messages, { triggerTokens: 100 }, 99)).toBe(
      'below_trigger below_trigger below_trigger',
    )
    expect(reasonsFor(messages, { triggerTokens: 100 }, 100)).toBe('masked in_window orphan')
  })
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
  const messages = [
    ...Object.values(texts).flatMap((text, index) => turnOf(`call_e${index}`, text)),
    ...turns(1),
  ]

  test.each(Object.keys(texts))(
    '%s alone keeps only what it names, and is given as the reason',
    (rule) => {
      const errorRules = DEFAULT_POLICY.errorRules.filter((known) => known === rule)
      const kept = decideFor(messages, { errorRules }).filter(
        ({ reason }) => reason === 'kept_error',
      )
      expect(kept.map(({ keptBy }) => keptBy)).toEqual([[rule]])
    },
  )

  test('all rules are Schema 1, and no rules are keep_errors off', () => {
    expect(reasonsFor(messages, {}).match(/kept_error/g)).toHaveLength(6)
    expect(reasonsFor(messages, { errorRules: [] })).toBe(
      reasonsFor(messages, { keepErrors: false }),
    )
  })
})

describe('placeholders', () => {
  const placeholderOf = (messages: readonly JsonValue[], placeholderTemplate: string) =>
    decideFor([...messages, ...turns(1)], { placeholderTemplate })[0]?.placeholder

  test('{original_tokens} is the number of tokens before', () => {
    expect(placeholderOf(turnOf('a', 'seven c'), '<{original_tokens}>')).toBe('<7>')
  })

  test('{original_chars} counts code points', () => {
    expect(placeholderOf(turnOf('a', '😀e\u0301\ud800'), '{original_chars}')).toBe('4')
  })

  test('{tool_arguments} is the first 80 characters of the arguments, on one line', () => {
    const text = `{"path":\n\t"${'😀'.repeat(100)}"}`
    expect(placeholderOf(turnOf('a', 'x', 'read', text), '{tool_arguments}')).toBe(
      `{"path": "${'😀'.repeat(70)}`,
    )
  })

  test('never interpret text of the transcript', () => {
    const messages = turnOf('{tool_name}$&', 'x', '{original_chars}$1')
    expect(placeholderOf(messages, '{tool_call_id}|{tool_name}|{nothing}|{')).toBe(
      '{tool_name}$&|{original_chars}$1|{nothing}|{',
    )
  })
})

describe('a decision', () => {
  test('is mask or keep, with its reason, rules and placeholder', () => {
    const [masked, failed, kept] = decideFor(
      [...turnOf('a', 'fine'), ...turnOf('b', 'Error: no'), ...turnOf('c', 'last')],
      { placeholderTemplate: 'gone' },
    )
    expect(masked).toEqual({ action: 'mask', reason: 'masked', keptBy: [], placeholder: 'gone' })
    const keep = { action: 'keep', placeholder: undefined }
    expect(failed).toEqual({ ...keep, reason: 'kept_error', keptBy: ['error_line'] })
    expect(kept).toEqual({ ...keep, reason: 'in_window', keptBy: [] })
  })
})
