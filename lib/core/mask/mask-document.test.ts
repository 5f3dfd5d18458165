import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readChatMessage } from '../conversation/chat-message'
import { linkByOrder, linkMessages, NO_MESSAGE } from '../conversation/link-messages'
import { readDocument } from '../formats/read-document'
import { type Decision, linkedResults } from '../policy/decide'
import { DEFAULT_POLICY, type MaskPolicy } from '../policy/policy'
import { anyConversation, type JsonValue } from '../testing/chat-messages'
import { turnOf } from '../testing/conversation-of'
import { anyDocument, parseText } from '../testing/documents'
import { anyActivePolicy, anyPolicy, countQuarters } from '../testing/policies'
import { forAll } from '../testing/test-size'
import { linkChatResults } from './link-chat-results'
import { type MaskedDocument, maskDocument, maskEdits, printDecisions } from './mask-document'
import { maskOldToolResults } from './mask-old-tool-results'

const ON: MaskPolicy = { ...DEFAULT_POLICY, enabled: true, windowTurns: 1 }
const MASK_ALL: MaskPolicy = { ...ON, keepErrors: false, textParts: true }

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
  const policy = { ...MASK_ALL, placeholderTemplate: '[{original_chars}]' }
  const parts = ['ab', 'cde'].map((text) => ({ type: 'text', text }))
  const once = maskText(JSON.stringify([...turnOf('a', parts), ...turnOf('b', '')]), policy).text
  expect(once).toContain('[{"type":"text","text":"[5]"},{"type":"text","text":""}]')
  expect(maskText(once, policy).text).toBe(once)
})

test('masking equals maskOldToolResults on the parsed messages', () => {
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

/** Three turns of one call, then results without a call and without an id. The 😀 has two UTF-16 code units. */
const TEXT = JSON.stringify([
  ...['a', 'b', 'c'].flatMap((id) => turnOf(id, '😀'.repeat(100))),
  { role: 'tool', tool_call_id: 'nobody', content: 'orphan' },
  { role: 'tool', content: 'no id' },
])

test('prints each result with its place, its call and its size before and after', () => {
  const { conversations } = readDocument(TEXT)
  const placeholderTemplate = '[😀 {tool_name}]'
  const policy = { ...DEFAULT_POLICY, enabled: true, windowTurns: 2, placeholderTemplate }
  const { decisions } = maskDocument({ text: TEXT, conversations }, policy)
  const rows = [
    [1, 'a', 'read', 1, 'mask', 'masked', 100, 8],
    [3, 'b', 'read', 2, 'keep', 'in_window', 100, 100],
    [5, 'c', 'read', 3, 'keep', 'in_window', 100, 100],
    [6, 'nobody', null, null, 'keep', 'orphan', 6, 6],
    [7, null, null, null, 'keep', 'no_call_id', 5, 5],
  ]
  const printed = rows.map(
    ([message, tool_call_id, tool, turn, action, reason, before, after]) => ({
      ...{ conversation: 0, message, tool_call_id, tool, turn, action, reason },
      ...{ chars_before: before, chars_after: after },
    }),
  )
  expect(printDecisions(conversations, decisions)).toEqual(printed)
  const twice = printDecisions([...conversations, ...conversations], [...decisions, ...decisions])
  expect(twice).toEqual([...printed, ...printed.map((one) => ({ ...one, conversation: 1 }))])
})

/** Reads and links all of every message, as the readers of documents do. */
function linkAll(messages: readonly unknown[], isByOrder = false) {
  const read = messages.map((message) => readChatMessage(message) ?? NO_MESSAGE)
  const raws = isByOrder ? linkByOrder(read) : read
  return linkMessages(raws)
}

/** Calls in all forms, and calls that open no turn. */
const anyOtherMessage: fc.Arbitrary<JsonValue> = fc
  .tuple(
    fc.constantFrom('assistant', 'assistant', 'user', 'tool'),
    fc.constantFrom<JsonValue>(
      { id: 'a', custom: { name: 'read', input: 'x' } },
      { id: 'a', custom: { name: 'read', input: 'x' }, function: 'bash' },
      { id: 'b', name: 'search', args: { path: 'a.ts' } },
      { id: 'b', name: 'search', arguments: ' {\n"path": 1}' },
      { id: 'b', custom: 'read', function: null },
      { id: 'c', function: { arguments: '{}' } },
    ),
  )
  .map(([role, call]) => ({ role, tool_calls: [call], content: null }))

const anyChat = fc
  .tuple(anyConversation, fc.array(fc.tuple(fc.nat(20), anyOtherMessage), { maxLength: 4 }))
  .map(([messages, others]) =>
    others.reduce<readonly JsonValue[]>(
      (all, [at, message]) => all.toSpliced(at, 0, message),
      messages,
    ),
  )

/** Without ids, so that calls and results can be linked by order only. */
const anyChatWithoutIds = anyChat.map((messages) =>
  (JSON.parse(JSON.stringify(messages)) as Record<string, unknown>[]).map((message) => {
    const calls = message?.tool_calls
    if (!Array.isArray(calls)) return message
    return { ...message, tool_calls: calls.map((call) => ({ ...(call as object), id: undefined })) }
  }),
)

const MEMBERS = [
  ...(['message', 'link', 'callId', 'turn', 'toolName', 'toolArguments'] as const),
  ...(['shape', 'texts', 'length', 'chars', 'errorRules', 'firstLine'] as const),
]

test('gives the results that reading all of every message gives', () => {
  const anyMessages = fc.oneof(anyChat, anyChatWithoutIds)
  forAll(500, [anyMessages, anyActivePolicy, fc.boolean()], (messages, any, isAuto) => {
    // Only a window that moves at break-even asks for the nearest call too.
    const auto = { batchTurns: 'auto', nearestCall: false } as const
    const policy = isAuto ? { ...any, ...auto } : any
    const chat = linkChatResults(messages, policy)
    const linked = linkAll(messages, policy.linkByOrder)
    const all = { ...linked, results: linkedResults(linked.results, policy) }
    expect(chat.turnCount).toBe(all.turnCount)
    const membersOf = (result: (typeof all.results | typeof chat.results)[number]) =>
      MEMBERS.map((member) => result[member])
    expect(chat.results.map(membersOf)).toEqual(all.results.map(membersOf))
    const nearestOf = ({ nearest }: Pick<(typeof all.results)[number], 'nearest'>) => nearest
    if (isAuto) expect(chat.results.map(nearestOf)).toEqual(all.results.map(nearestOf))
  })
})
