import { describe, expect, test } from 'vitest'
import type { Conversation } from '@/lib/core/conversation/conversation'
import { readDocument } from '@/lib/core/formats/read-document'
import { decide } from '@/lib/core/policy/decide'
import { DEFAULT_POLICY, type MaskPolicy } from '@/lib/core/policy/policy'
import { explainNothingMasked } from './nothing-masked'

const LONG = 'a line of output\n'.repeat(20)
const PARTS = [{ type: 'text', text: LONG }]

/** One turn per content; undefined makes the call unanswered. */
function conversationOf(contents: readonly unknown[], rest: readonly object[] = []): Conversation {
  const messages: object[] = contents.flatMap((content, turn) => {
    const call = { id: `call_${turn}`, function: { name: 'read', arguments: '{}' } }
    const opening = { role: 'assistant', content: null, tool_calls: [call] }
    if (content === undefined) return [opening]
    return [opening, { role: 'tool', tool_call_id: call.id, content }]
  })
  const text = JSON.stringify([{ role: 'user', content: 'go' }, ...messages, ...rest])
  return readDocument(text).conversations[0] as Conversation
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
      requestTokens: tokens.request,
    })
  return explainNothingMasked({ conversation, policy, decisions: decideWith(policy), decideWith })
}

const repeat = (content: unknown, times: number) => Array.from({ length: times }, () => content)

describe('explainNothingMasked', () => {
  test('returns nothing if something is masked', () => {
    expect(explain(conversationOf(repeat(LONG, 10)), { windowTurns: 3 })).toBeUndefined()
  })

  test('counts results that are lists of text parts and offers to mask them', () => {
    const nothing = explain(conversationOf(repeat(PARTS, 10)), { windowTurns: 3 })
    expect(nothing?.lines).toEqual([
      { reason: 'text_parts', results: 7, change: { textParts: true }, masks: 7 },
      { reason: 'in_window', results: 3, change: undefined, masks: 0 },
    ])
    expect(nothing?.best?.reason).toBe('text_parts')
  })

  test('offers to link results without ids by order', () => {
    const turn = [
      { role: 'assistant', tool_calls: [{ function: { name: 'read', arguments: {} } }] },
      { role: 'tool', tool_name: 'read', content: LONG },
    ]
    const nothing = explain(conversationOf([], repeat(turn, 5).flat() as object[]), {
      windowTurns: 3,
    })
    expect(nothing?.lines).toEqual([
      { reason: 'without_ids', results: 5, change: { linkByOrder: true }, masks: 2 },
    ])
  })

  test('offers a window of half a conversation that is shorter than the window', () => {
    expect(explain(conversationOf(repeat(LONG, 6)), { windowTurns: 8 })?.best).toEqual({
      reason: 'in_window',
      results: 6,
      change: { windowTurns: 3 },
      masks: 3,
    })
  })

  test('also changes the batch if a shorter window alone would mask nothing', () => {
    const nothing = explain(conversationOf(repeat(LONG, 6)), { windowTurns: 8, batchTurns: 16 })
    expect(nothing?.best).toMatchObject({ change: { windowTurns: 3, batchTurns: 1 }, masks: 3 })
  })

  test('distinguishes a window before its first batch from one that is too long', () => {
    const nothing = explain(conversationOf(repeat(LONG, 12)), { windowTurns: 3, batchTurns: 16 })
    expect(nothing?.lines).toEqual([
      { reason: 'before_first_step', results: 12, change: { batchTurns: 1 }, masks: 9 },
    ])
  })

  test('distinguishes a window of 0 from masking that is off', () => {
    const conversation = conversationOf(repeat(LONG, 20))
    expect(explain(conversation, { windowTurns: 0 })?.best).toMatchObject({
      reason: 'window_off',
      change: { windowTurns: 8 },
      masks: 12,
    })
    expect(explain(conversation, { enabled: false })?.best).toMatchObject({
      reason: 'disabled',
      change: { enabled: true },
      masks: 12,
    })
  })

  test.each([
    ['below_trigger', { triggerTokens: 5000 }, { triggerTokens: 0 }],
    ['excluded_tool', { excludeTools: ['read'] }, { excludeTools: [] }],
    ['kept_last_k', { keepLastKPerTool: 99 }, { keepLastKPerTool: 0 }],
  ] as const)('undoes the setting behind %s', (reason, set, change) => {
    const nothing = explain(conversationOf(repeat(LONG, 10)), { windowTurns: 3, ...set })
    expect(nothing?.best).toMatchObject({ reason, change, masks: 7 })
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

  test('reports that there are no tool results', () => {
    const nothing = explain(conversationOf([undefined]), {})
    expect(nothing).toMatchObject({
      results: 0,
      lines: [{ reason: 'no_results', results: 0, change: undefined }],
    })
  })

  test('chooses the change that masks most, not the most frequent reason', () => {
    const contents = [...repeat(null, 6), ...repeat(PARTS, 2), ...repeat(LONG, 3)]
    const nothing = explain(conversationOf(contents), { windowTurns: 3 })
    expect(nothing?.lines[0]?.reason).toBe('non_text')
    expect(nothing?.best).toMatchObject({ reason: 'text_parts', masks: 2 })
  })
})
