import { describe, expect, test } from 'vitest'
import { readDocument } from '../formats/read-document'
import type { Decision } from '../policy/decide'
import { DEFAULT_POLICY, type MaskPolicy } from '../policy/policy'
import { turnOf } from '../testing/conversation-of'
import { anyDocument, parseText } from '../testing/documents'
import { expectMaskedOnly } from '../testing/expect-masked'
import { anyActivePolicy, anyPolicy, countQuarters } from '../testing/policies'
import { forAll } from '../testing/test-size'
import { type MaskedDocument, maskDocument, maskEdits, printDecisions } from './mask-document'
import { maskOldToolResults } from './mask-old-tool-results'

const MASK_ALL: MaskPolicy = {
  ...DEFAULT_POLICY,
  enabled: true,
  windowTurns: 1,
  keepErrors: false,
  textParts: true,
}

function maskText(text: string, policy: MaskPolicy): MaskedDocument {
  const { conversations } = readDocument(text)
  return maskDocument({ text, conversations }, policy, countQuarters)
}

test('a result without a decision is not masked', () => {
  const { conversations } = readDocument('[{"role":"tool","tool_call_id":"a","content":"x"}]')
  expect(conversations[0]?.results).toHaveLength(1)
  expect(maskEdits(conversations, [])).toEqual([])
})

test('edits are in the order of the text, whatever the order of the strings of a result', () => {
  const span = (start: number) => ({ pointer: '', start, end: start + 2, encoded: 0, filler: 'x' })
  const decision = { action: 'mask', reason: 'old', placeholder: 'x' } as unknown as Decision
  const edits = maskEdits(
    [{ results: [{ spans: [span(9), span(2), span(5)] } as never] }],
    [[decision]],
  )
  expect(edits.map(({ start }) => start)).toEqual([2, 5, 9])
})

test('parts of a text that are masked are not masked again', () => {
  const policy = { ...MASK_ALL, placeholderTemplate: '[{original_chars}]', neverGrow: false }
  const call = (id: string) =>
    `{"role":"assistant","tool_calls":[{"id":"${id}","function":{"name":"read","arguments":"{}"}}]}`
  const parts = '[{"type":"text","text":"ab"},{"type":"text","text":"cde"}]'
  const text = `[${call('a')},{"role":"tool","tool_call_id":"a","content":${parts}},${call('b')}]`
  const once = maskText(text, policy).text
  expect(once).toContain('[{"type":"text","text":"[5]"},{"type":"text","text":""}]')
  expect(maskText(once, policy).text).toBe(once)
})

describe('maskDocument, for all texts and policies', () => {
  test('changes the strings of masked results and nothing else', () => {
    forAll(150, [anyDocument, anyPolicy], ({ text }, policy) => {
      const document = readDocument(text)
      const masked = maskDocument({ text, ...document }, policy, countQuarters)
      expectMaskedOnly(document, masked)
    })
  })

  test('changes nothing in its own output', () => {
    forAll(100, [anyDocument, anyActivePolicy], ({ text }, policy) => {
      const once = maskText(text, policy)
      const twice = maskText(once.text, policy)
      expect(twice.text).toBe(once.text)
    })
  })

  test('equals maskOldToolResults on the parsed messages', () => {
    forAll(100, [anyDocument, anyPolicy], ({ text, layout, listsOf }, policy) => {
      // A document may bring tool schemas, which count for the trigger; a list of messages cannot.
      const untriggered = { ...policy, triggerTokens: 0 }
      const before = listsOf(parseText(text, layout))
      const after = listsOf(parseText(maskText(text, untriggered).text, layout))
      expect(after).toEqual(
        before.map((messages) => maskOldToolResults(messages, untriggered, countQuarters)),
      )
    })
  })
})

describe('maskDocument', () => {
  const call = (id: string) =>
    `{"role":"assistant","content":null,"tool_calls":[{"id":"${id}","function":{"name":"read","arguments":"{}"}}]}`
  const result = (id: string, content: string) =>
    `{"role": "tool", "content": ${content}, "tool_call_id": "${id}"}`
  const list = (content: string) =>
    `[${call('a')},\r\n ${result('a', content)} ,${call('b')},${result('b', '"new"')}]`
  const policy = { ...MASK_ALL, placeholderTemplate: '[gone]' }

  test.each([
    [
      'numbers',
      '"old","n":[9007199254740993,1.0,1e5,-0,0.10]',
      '"[gone]","n":[9007199254740993,1.0,1e5,-0,0.10]',
    ],
    ['a repeated key: the last counts', '"first","content":"last"', '"first","content":"[gone]"'],
    ['a lone surrogate', '"\\ud800","x":"\\udc00 \ud800"', '"[gone]","x":"\\udc00 \ud800"'],
    [
      'a __proto__ key',
      '"old","__proto__":{"content":"x"}',
      '"[gone]","__proto__":{"content":"x"}',
    ],
    ['markup', '"<script>","y":"</script>\\u2028"', '"[gone]","y":"</script>\\u2028"'],
    ['escaped keys', '"old","\\u0063ontent":"same key"', '"old","\\u0063ontent":"[gone]"'],
    [
      'text parts',
      '[{"text":"one","type":"text"},{"type":"text","text":"two","k":1.0}]',
      '[{"text":"[gone]","type":"text"},{"type":"text","text":"","k":1.0}]',
    ],
  ])('leaves everything but the text as it stands: %s', (_, before, after) => {
    expect(maskText(list(before), policy).text).toBe(list(after))
  })

  test('writes every placeholder as a JSON string', () => {
    const { text } = maskText(list('"old"'), {
      ...policy,
      placeholderTemplate: '"\\\n\u2028\ud800{tool_call_id}',
    })
    expect(JSON.parse(text)[1].content).toBe('"\\\n\u2028\ud800a')
  })
})

/** Three turns of one call, then results without a call and without an id. The 😀 has two UTF-16 code units. */
const TEXT = JSON.stringify([
  ...['a', 'b', 'c'].flatMap((id) => turnOf(id, '😀'.repeat(100))),
  { role: 'tool', tool_call_id: 'nobody', content: 'orphan' },
  { role: 'tool', content: 'no id' },
])

test('prints each result with its place, its call and its size before and after', () => {
  const { conversations } = readDocument(TEXT)
  const policy = {
    ...DEFAULT_POLICY,
    enabled: true,
    windowTurns: 2,
    placeholderTemplate: '[😀 {tool_name}]',
  }
  const { decisions } = maskDocument({ text: TEXT, conversations }, policy)
  const masked = { action: 'mask', reason: 'masked', chars_before: 100, chars_after: 8 }
  const kept = { action: 'keep', reason: 'in_window', chars_before: 100, chars_after: 100 }
  const unlinked = (reason: string, chars: number) => ({
    ...kept,
    tool: null,
    turn: null,
    reason,
    chars_before: chars,
    chars_after: chars,
  })
  const printed = [
    { message: 1, tool_call_id: 'a', tool: 'read', turn: 1, ...masked },
    { message: 3, tool_call_id: 'b', tool: 'read', turn: 2, ...kept },
    { message: 5, tool_call_id: 'c', tool: 'read', turn: 3, ...kept },
    { message: 6, tool_call_id: 'nobody', ...unlinked('orphan', 6) },
    { message: 7, tool_call_id: null, ...unlinked('no_call_id', 5) },
  ].map((one) => ({ conversation: 0, ...one }))
  expect(printDecisions(conversations, decisions)).toEqual(printed)
  const twice = printDecisions([...conversations, ...conversations], [...decisions, ...decisions])
  expect(twice).toEqual([...printed, ...printed.map((one) => ({ ...one, conversation: 1 }))])
})
