import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DEFAULT_POLICY, type MaskPolicy } from '../policy/policy'
import { anyConversation, anyMessages, type JsonValue } from '../testing/chat-messages'
import { deepFreeze } from '../testing/deep-freeze'
import { anyActivePolicy, anyPolicy, countQuarters } from '../testing/policies'
import { maskOldToolResults } from './mask-old-tool-results'

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

describe('maskOldToolResults, whatever the conversation and the policy', {
  timeout: 60_000,
}, () => {
  test('has something to mask in a good part of what is generated', () => {
    const samples = fc.sample(fc.tuple(anyConversation, anyActivePolicy), { numRuns: 300, seed: 1 })
    const withMasked = samples.filter(
      ([messages, policy]) => keptIndices(messages, policy).length < messages.length,
    )
    expect(withMasked.length).toBeGreaterThan(100)
  })

  test('changes the content of tool messages and nothing else', () => {
    fc.assert(
      fc.property(anyConversation, anyPolicy, (messages, policy) => {
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
      }),
      { numRuns: 200 },
    )
  })

  test('keeps the number and the keys of text parts', () => {
    fc.assert(
      fc.property(anyMessages, anyActivePolicy, (messages, policy) => {
        const output = mask(messages, { ...policy, textParts: true })
        for (const [index, message] of messages.entries()) {
          const after = (output[index] as Record<string, JsonValue>).content
          if (!Array.isArray(message.content)) continue
          expect(after).toHaveLength(message.content.length)
          const keysOf = (parts: readonly JsonValue[]) =>
            parts.map((part) => (part === null ? null : Object.keys(part)))
          expect(keysOf(after as JsonValue[])).toEqual(keysOf(message.content))
        }
      }),
    )
  })

  test('never writes to its input', () => {
    fc.assert(
      fc.property(anyConversation, anyPolicy, (messages, policy) => {
        mask(deepFreeze(messages), deepFreeze(policy))
      }),
    )
  })

  test('gives back the same array when it is off', () => {
    fc.assert(
      fc.property(
        anyConversation,
        anyPolicy,
        fc.integer({ max: 0 }),
        (messages, policy, window) => {
          expect(mask(messages, { ...policy, enabled: false })).toBe(messages)
          expect(mask(messages, { ...policy, windowTurns: window })).toBe(messages)
        },
      ),
    )
  })

  test('masking twice equals masking once', () => {
    fc.assert(
      fc.property(anyConversation, anyPolicy, (messages, policy) => {
        const once = mask(messages, policy)
        expect(mask(once, policy)).toEqual(once)
      }),
      { numRuns: 200 },
    )
  })

  test('a larger window keeps a superset', () => {
    fc.assert(
      fc.property(anyMessages, anyActivePolicy, fc.nat(8), (messages, policy, more) => {
        const windowTurns = policy.windowTurns + more
        expectSuperset(
          keptIndices(messages, { ...policy, windowTurns }),
          keptIndices(messages, policy),
        )
      }),
    )
  })

  test('a larger K keeps a superset', () => {
    fc.assert(
      fc.property(anyMessages, anyActivePolicy, fc.nat(3), (messages, policy, more) => {
        const keepLastKPerTool = policy.keepLastKPerTool + more
        expectSuperset(
          keptIndices(messages, { ...policy, keepLastKPerTool }),
          keptIndices(messages, policy),
        )
      }),
    )
  })

  test('keeping errors keeps a superset, and so does one more rule', () => {
    fc.assert(
      fc.property(anyMessages, anyActivePolicy, (messages, policy) => {
        const kept = keptIndices(messages, { ...policy, keepErrors: true })
        expectSuperset(kept, keptIndices(messages, { ...policy, keepErrors: false }))
        const { errorRules } = DEFAULT_POLICY
        expectSuperset(keptIndices(messages, { ...policy, keepErrors: true, errorRules }), kept)
      }),
    )
  })

  test('never_grow, excluded tools and a trigger only ever keep more', () => {
    fc.assert(
      fc.property(anyMessages, anyActivePolicy, (messages, policy) => {
        const plain = { ...policy, neverGrow: false, excludeTools: [], triggerTokens: 0 }
        expectSuperset(keptIndices(messages, policy), keptIndices(messages, plain))
      }),
    )
  })

  test('with its extensions at their defaults needs no token counter', () => {
    fc.assert(
      fc.property(anyMessages, anyActivePolicy, (messages, policy) => {
        const { enabled, windowTurns, keepErrors, keepLastKPerTool } = policy
        const schema1 = { ...DEFAULT_POLICY, enabled, windowTurns, keepErrors, keepLastKPerTool }
        expect(maskOldToolResults(messages, schema1)).toEqual(mask(messages, schema1))
      }),
    )
  })
})

describe('maskOldToolResults', () => {
  const turn = (id: string, content: JsonValue) => [
    { role: 'assistant', content: null, tool_calls: [{ id, function: { name: 'read' } }] },
    { role: 'tool', tool_call_id: id, content },
  ]
  const policy = { ...DEFAULT_POLICY, enabled: true, windowTurns: 1, placeholderTemplate: '[gone]' }

  test('leaves unmasked messages the same objects', () => {
    const messages = [...turn('a', 'old'), ...turn('b', 'new')]
    const output = maskOldToolResults(messages, policy)
    expect(output).not.toBe(messages)
    expect(output[1]).toEqual({ role: 'tool', tool_call_id: 'a', content: '[gone]' })
    expect([output[0], output[2], output[3]]).toEqual([messages[0], messages[2], messages[3]])
    expect(output[3]).toBe(messages[3])
  })

  test('takes a key called __proto__ for a key', () => {
    const result = JSON.parse(
      '{"role":"tool","tool_call_id":"a","content":"old","__proto__":{"x":1}}',
    )
    const [, masked] = maskOldToolResults([turn('a', '')[0], result, ...turn('b', 'new')], policy)
    expect(JSON.stringify(masked)).toBe(
      '{"role":"tool","tool_call_id":"a","content":"[gone]","__proto__":{"x":1}}',
    )
    expect((masked as { x?: unknown }).x).toBeUndefined()
  })

  test('leaves what is no message where it stands', () => {
    const messages = [null, 3, ...turn('a', 'old'), 'text', ...turn('b', 'new')]
    const output = maskOldToolResults<unknown>(messages, policy)
    expect(output.map((message, index) => message === messages[index])).toEqual([
      true,
      true,
      true,
      false,
      true,
      true,
      true,
    ])
  })

  test('says so when a setting needs counts that are not given', () => {
    const messages = [...turn('a', 'old'), ...turn('b', 'new')]
    for (const [setting, needs] of [
      [{ neverGrow: true }, 'never_grow'],
      [{ triggerTokens: 1 }, 'trigger_tokens'],
      [{ placeholderTemplate: '{original_tokens}' }, '{original_tokens}'],
    ] as const) {
      expect(() => maskOldToolResults(messages, { ...policy, ...setting })).toThrow(
        `${needs} needs token counts`,
      )
    }
  })
})
