import { describe, expect, test } from 'vitest'
import type { Conversation } from '@/lib/core/conversation/conversation'
import { decide } from '@/lib/core/policy/decide'
import { DEFAULT_POLICY, type MaskPolicy } from '@/lib/core/policy/policy'
import type { JsonValue } from '@/lib/core/testing/chat-messages'
import { conversationOf as read, turnOf } from '@/lib/core/testing/conversation-of'
import { explainNothingMasked } from './nothing-masked'

const LONG = 'a line of output\n'.repeat(20)
const PARTS = [{ type: 'text', text: LONG }]

/** One turn per content; undefined makes the call unanswered. */
function conversationOf(
  contents: readonly (JsonValue | undefined)[],
  rest: readonly JsonValue[] = [],
) {
  const messages = contents.flatMap((content, turn) =>
    turnOf(`call_${turn}`, content ?? null).slice(0, content === undefined ? 1 : 2),
  )
  return read([{ role: 'user', content: 'go' }, ...messages, ...rest])
}

function explain(
  conversation: Conversation,
  change: Partial<MaskPolicy>,
  tokens = { result: 100, placeholder: 30, request: 1000 },
) {
  const policy = { ...DEFAULT_POLICY, enabled: true, ...change }
  const decideWith = (other: MaskPolicy) =>
    decide(conversation, other, {
      textOf: () => LONG,
      tokensOf: () => tokens.result,
      placeholderTokensOf: () => tokens.placeholder,
      requestTokens: () => tokens.request,
    })
  return explainNothingMasked({ conversation, policy, decisions: decideWith(policy), decideWith })
}

const repeat = <Value>(value: Value, times: number) => Array.from({ length: times }, () => value)

describe('explainNothingMasked', () => {
  test('returns nothing if something is masked', () => {
    expect(explain(conversationOf(repeat(LONG, 10)), { windowTurns: 3 })).toBeUndefined()
  })

  const six = conversationOf(repeat(LONG, 6))
  const ten = conversationOf(repeat(LONG, 10))
  const twenty = conversationOf(repeat(LONG, 20))
  const parts = conversationOf(repeat(PARTS, 10))
  const W8 = { windowTurns: 8 }
  test.each([
    ['text_parts', parts, {}, 7, { textParts: true }, 7],
    ['in_window', six, W8, 6, { windowTurns: 3 }, 3],
    ['in_window', six, { ...W8, batchTurns: 16 }, 6, { windowTurns: 3, batchTurns: 1 }, 3],
    ['before_first_step', ten, { batchTurns: 16 }, 10, { batchTurns: 1 }, 7],
    ['window_off', twenty, { windowTurns: 0 }, 20, W8, 12],
    ['disabled', ten, { ...W8, enabled: false }, 10, { enabled: true }, 2],
    ['below_trigger', ten, { triggerTokens: 5000 }, 10, { triggerTokens: 0 }, 7],
    ['excluded_tool', ten, { excludeTools: ['read'] }, 7, { excludeTools: [] }, 7],
    ['kept_last_k', ten, { keepLastKPerTool: 99 }, 7, { keepLastKPerTool: 0 }, 7],
  ] as const)(
    '%s keeps results, and a change is offered',
    (reason, all, set, results, change, masks) => {
      const nothing = explain(all, { windowTurns: 3, ...set })
      expect(nothing?.best).toEqual({ reason, results, change, masks })
      const rest = all.results.length - results
      const inWindow = { reason: 'in_window', results: rest, change: undefined, masks: 0 }
      expect(nothing?.lines).toEqual([nothing?.best, ...(rest === 0 ? [] : [inWindow])])
    },
  )

  test('chooses the change that masks most, not the most frequent reason', () => {
    const contents = [...repeat(null, 6), ...repeat(PARTS, 2), ...repeat(LONG, 3)]
    const nothing = explain(conversationOf(contents), { windowTurns: 3 })
    expect(nothing?.lines[0]?.reason).toBe('non_text')
    expect(nothing?.best).toMatchObject({ reason: 'text_parts', masks: 2 })
  })

  test('reports that there are no tool results', () => {
    const lines = [{ reason: 'no_results', results: 0, change: undefined }]
    expect(explain(conversationOf([undefined]), {})).toMatchObject({ results: 0, lines })
  })

  test('offers to link results without ids by order', () => {
    const turn = [
      { role: 'assistant', tool_calls: [{ function: { name: 'read', arguments: {} } }] },
      { role: 'tool', tool_name: 'read', content: LONG },
    ]
    const nothing = explain(conversationOf([], repeat(turn, 5).flat()), { windowTurns: 3 })
    const change = { linkByOrder: true }
    expect(nothing?.lines).toEqual([{ reason: 'without_ids', results: 5, change, masks: 2 }])
  })

  test('offers to link results to the nearest call where calls reuse ids', () => {
    const turn = [
      { role: 'assistant', tool_calls: [{ id: 'a', function: { name: 'read', arguments: '{}' } }] },
      { role: 'tool', tool_call_id: 'a', content: LONG },
    ]
    const nothing = explain(conversationOf([], repeat(turn, 5).flat()), { windowTurns: 3 })
    const change = { nearestCall: true }
    expect(nothing?.best).toEqual({ reason: 'reused_id', results: 4, change, masks: 2 })
  })

  test('reports that every placeholder would be longer', () => {
    const conversation = conversationOf(repeat('ok', 10))
    const tokens = { result: 1, placeholder: 30, request: 1000 }
    const nothing = explain(conversation, { windowTurns: 3, neverGrow: true }, tokens)
    expect(nothing?.best).toMatchObject({ reason: 'would_grow', change: { neverGrow: false } })
  })

  test('offers no change where no setting helps', () => {
    const orphans = [
      { role: 'tool', tool_call_id: 'nobody', content: LONG },
      { role: 'tool', tool_call_id: 'nobody', content: LONG },
      { role: 'tool', content: LONG },
    ]
    const nothing = explain(conversationOf(repeat(null, 6), orphans), { windowTurns: 2 })
    expect(nothing?.lines.map(({ reason, results }) => [reason, results])).toEqual([
      ['non_text', 4],
      ['in_window', 2],
      ['orphan', 2],
      ['no_call_id', 1],
    ])
    expect(nothing?.lines.every(({ change }) => change === undefined)).toBe(true)
    expect(nothing?.best).toBeUndefined()
  })
})
