import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DEFAULT_POLICY, type MaskPolicy } from '../policy/policy'
import { anyConversation, anyMessages, type JsonValue } from '../testing/chat-messages'
import { turnOf } from '../testing/conversation-of'
import { anyActivePolicy, anyPolicy, countQuarters } from '../testing/policies'
import { forAll } from '../testing/test-size'
import { countMessages, maskOldToolResults } from './mask-old-tool-results'

function mask(messages: readonly JsonValue[], policy: MaskPolicy): readonly JsonValue[] {
  return maskOldToolResults(messages, policy, countQuarters)
}

/** Indices of messages that are the same objects as before. */
function keptIndices(messages: readonly JsonValue[], policy: MaskPolicy): number[] {
  const output = mask(messages, policy)
  return messages.flatMap((message, index) => (output[index] === message ? [index] : []))
}

function expectSuperset(larger: readonly number[], smaller: readonly number[]): void {
  expect(smaller.filter((index) => !larger.includes(index))).toEqual([])
}

test('changes the content of tool messages and nothing else', () => {
  forAll(200, [anyConversation, anyPolicy], (messages, policy) => {
    const output = mask(messages, policy)
    expect(output).toHaveLength(messages.length)
    for (const [index, message] of messages.entries()) {
      const masked = output[index]
      if (masked === message) continue
      const before = message as Record<string, JsonValue>
      const after = masked as Record<string, JsonValue>
      expect(before.role).toBe('tool')
      expect(Object.keys(after)).toEqual(Object.keys(before))
      for (const key of Object.keys(before)) {
        if (key !== 'content') expect(after[key]).toBe(before[key])
      }
      expect(Object.getPrototypeOf(after)).toBe(Object.prototype)
    }
  })
})

test('never mutates its input', () => {
  forAll(100, [anyConversation, anyPolicy], (messages, policy) => {
    mask(deepFreeze(messages), deepFreeze(policy))
  })
})

test('masks changed messages as if it had not seen them before', () => {
  forAll(100, [anyMessages, anyMessages, anyActivePolicy], (messages, others, policy) => {
    const own: Record<string, unknown>[] = structuredClone([...messages])
    maskOldToolResults(own, policy, countQuarters)
    for (const [at, { content }] of others.entries()) Object.assign(own[at] ?? {}, { content })
    const again = maskOldToolResults(own, policy, countQuarters)
    expect(again).toEqual(maskOldToolResults(structuredClone(own), policy, countQuarters))
  })
})

test('returns the same array if it is off', () => {
  const anyClosed = fc.integer({ max: 0 })
  forAll(100, [anyConversation, anyPolicy, anyClosed], (messages, policy, windowTurns) => {
    expect(mask(messages, { ...policy, enabled: false })).toBe(messages)
    expect(mask(messages, { ...policy, windowTurns })).toBe(messages)
  })
})

test('masking twice equals masking once', () => {
  forAll(200, [anyConversation, anyPolicy], (messages, policy) => {
    const once = mask(messages, policy)
    expect(mask(once, policy)).toEqual(once)
  })
})

test.each(['windowTurns', 'keepLastKPerTool'] as const)('a larger %s keeps a superset', (key) => {
  forAll(100, [anyMessages, anyActivePolicy, fc.nat(8)], (messages, policy, more) => {
    const larger = { ...policy, [key]: policy[key] + more }
    expectSuperset(keptIndices(messages, larger), keptIndices(messages, policy))
  })
})

test('keeping errors keeps a superset, and so does one more rule', () => {
  forAll(100, [anyMessages, anyActivePolicy], (messages, policy) => {
    const kept = keptIndices(messages, { ...policy, keepErrors: true })
    expectSuperset(kept, keptIndices(messages, { ...policy, keepErrors: false }))
    const { errorRules } = DEFAULT_POLICY
    expectSuperset(keptIndices(messages, { ...policy, keepErrors: true, errorRules }), kept)
  })
})

test('never_grow, excluded tools and a trigger only ever keep more', () => {
  forAll(100, [anyMessages, anyActivePolicy], (messages, policy) => {
    const plain = { ...policy, neverGrow: false, excludeTools: [], triggerTokens: 0 }
    expectSuperset(keptIndices(messages, policy), keptIndices(messages, plain))
  })
})

test('with its extensions at their defaults needs no token counter', () => {
  forAll(100, [anyMessages, anyActivePolicy], (messages, policy) => {
    const { enabled, windowTurns, keepErrors, keepLastKPerTool } = policy
    const schema1 = { ...DEFAULT_POLICY, enabled, windowTurns, keepErrors, keepLastKPerTool }
    expect(maskOldToolResults(messages, schema1)).toEqual(mask(messages, schema1))
  })
})

describe('two turns, of which the first is masked', () => {
  const MESSAGES = [...turnOf('a', 'what a gave'), ...turnOf('b', 'what b gave')]
  const ON: MaskPolicy = { ...DEFAULT_POLICY, enabled: true, windowTurns: 1, textParts: true }
  const length = (text: string) => text.length
  const contentOf = (messages: readonly unknown[]) => (messages[1] as { content: unknown }).content

  test('throws if a setting needs counts that are missing', () => {
    for (const [setting, needs] of [
      [{ neverGrow: true }, 'never_grow'],
      [{ triggerTokens: 1 }, 'trigger_tokens'],
      [{ placeholderTemplate: '{original_tokens}' }, '{original_tokens}'],
    ] as const) {
      const run = () => maskOldToolResults(MESSAGES, { ...ON, ...setting })
      expect(run).toThrow(`${needs} needs token counts`)
    }
  })

  test('the same messages are counted anew by another counter', () => {
    const policy = { ...ON, placeholderTemplate: '[{original_tokens}]', neverGrow: false }
    // Long enough for its placeholder to be kept.
    const messages = [...turnOf('a', 'x'.repeat(9_000)), ...turnOf('b', 'y')]
    expect(contentOf(maskOldToolResults(messages, policy, length))).toBe('[9000]')
    const twice = (text: string) => text.length * 2
    expect(contentOf(maskOldToolResults(messages, policy, twice))).toBe('[18000]')
  })

  test('the trigger compares all tokens of the messages, and no others', () => {
    const total = countMessages(MESSAGES, '', length)
    const masked = (triggerTokens: number) =>
      contentOf(maskOldToolResults(MESSAGES, { ...ON, triggerTokens }, length)) !== 'what a gave'
    expect([total - 1, total + 1].map(masked)).toEqual([true, false])
    // 3 for the request, 3 for the message.
    expect(countMessages([null], '', length)).toBe(6)
  })
})

/** Freezes a JSON value and everything in it, so that any write to it throws. */
function deepFreeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const key of Object.getOwnPropertyNames(value))
      deepFreeze((value as Record<string, unknown>)[key])
  }
  return value
}
