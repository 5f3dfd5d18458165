import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { readDocument } from '../formats/read-document'
import { maskDocument } from '../mask/mask-document'
import { maskOldToolResults } from '../mask/mask-old-tool-results'
import { checkSetting } from '../policy/check-setting'
import type { Reason } from '../policy/decide'
import { DEFAULT_POLICY, type MaskPolicy, POLICY_FIELDS } from '../policy/policy'
import { inEnglish } from '../words/english'

interface ConformanceCase {
  readonly name: string
  readonly policy: Readonly<Record<string, unknown>>
  readonly messages: readonly Readonly<Record<string, unknown>>[]
  readonly reasons: Readonly<Record<string, Reason>>
  readonly masked: Readonly<Record<string, string>>
}

const file = new URL('./schema1.json', import.meta.url)
const { cases, default_policy } = JSON.parse(readFileSync(file, 'utf8')) as {
  readonly cases: readonly ConformanceCase[]
  readonly default_policy: Readonly<Record<string, unknown>>
}

function policyOf(settings: Readonly<Record<string, unknown>>): MaskPolicy {
  let policy = DEFAULT_POLICY
  for (const field of POLICY_FIELDS) {
    if (!Object.hasOwn(settings, field.toml)) continue
    const checked = checkSetting(field, settings[field.toml])
    if (checked.state !== 'valid') throw new Error(inEnglish(checked.reason))
    policy = { ...policy, [field.key]: checked.value }
  }
  return policy
}

test('all 65 published cases are here', () => {
  expect(cases).toHaveLength(65)
})

test('the published default is the default', () => {
  expect(policyOf(default_policy)).toEqual(DEFAULT_POLICY)
})

describe.each(cases)('$name', ({ policy: settings, messages, reasons, masked }) => {
  const policy = policyOf(settings)
  const expected = messages.map((message, index) =>
    Object.hasOwn(masked, index) ? { ...message, content: masked[index] } : message,
  )

  test('messages in, messages out', () => {
    const before = structuredClone(messages)
    const output = maskOldToolResults(messages, policy)
    expect(output).toEqual(expected)
    expect(output.map((message) => Object.keys(message))).toEqual(
      expected.map((message) => Object.keys(message)),
    )
    expect(messages).toEqual(before)
    if (!policy.enabled || policy.windowTurns <= 0) expect(output).toBe(messages)
  })

  // The reader refuses an empty list; there is nothing to decide in it.
  test.skipIf(messages.length === 0)('text in, text out, with the reason of every result', () => {
    const text = JSON.stringify({ messages })
    const { conversations } = readDocument(text)
    const output = maskDocument({ text, conversations }, policy)
    expect(JSON.parse(output.text)).toEqual({ messages: expected })
    const found = (conversations[0]?.results ?? []).map(
      (result, index) => [result.message, output.decisions[0]?.[index]?.reason] as const,
    )
    expect(Object.fromEntries(found)).toEqual(reasons)
  })
})
