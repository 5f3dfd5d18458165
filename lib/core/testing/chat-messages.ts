/**
 * Arbitrary chat-completions conversations, as JSON values: parallel calls, orphans, unanswered calls, ids used twice,
 * contents of every kind, errors, keys such as `__proto__`, lone surrogates, unknown roles, items that are not messages.
 * Ids and names come from small pools, so that they repeat.
 */
import fc from 'fast-check'

export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue }

export type ChatMessage = Readonly<Record<string, JsonValue>>

const IDS: readonly JsonValue[] = [
  'a',
  'b',
  'c',
  'call_1',
  'call_2',
  '__proto__',
  'toString',
  'é"\\',
  '',
  7,
  null,
]
const TOOLS: readonly JsonValue[] = ['read', 'search', 'bash', 'constructor', 'timeout', '', null]

const TEXTS = [
  '',
  'ok',
  'Traceback (most recent call last):',
  'error: no such file',
  '  error not at the line start',
  '{"error": null}',
  '{"status":"error"}',
  'connection refused',
  '<script>alert(1)</script>',
  '<|endoftext|>',
  '{tool_call_id} $& $1 {original_chars}',
  '[masked a]',
  '\ud83d\ude00 x',
  'line one\r\nline two\u2028\u0000\u001b[31m',
]

/** Any UTF-16 code units, including lone surrogates. */
const anyUnits = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 12 })
  .map((units) => String.fromCharCode(...units))

export const anyText: fc.Arbitrary<string> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.integer({ min: 1, max: 9 }).map((times) => 'a line of a file\n'.repeat(times)),
  },
  { weight: 4, arbitrary: fc.constantFrom(...TEXTS) },
  { weight: 2, arbitrary: fc.string({ unit: 'grapheme', maxLength: 40 }) },
  { weight: 2, arbitrary: anyUnits },
)

const anyScalar: fc.Arbitrary<JsonValue> = fc.oneof(
  anyText,
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
  fc.boolean(),
  fc.constant(null),
)

const EXTRA_KEYS = [
  '__proto__',
  'constructor',
  'reasoning_content',
  'timestamp',
  'a/b~c',
  '',
  'é',
  'cache_control',
]

/** Unknown keys; `fromEntries` makes `__proto__` a key like any other. */
const extraKeys: fc.Arbitrary<Readonly<Record<string, JsonValue>>> = fc
  .array(
    fc.tuple(
      fc.constantFrom(...EXTRA_KEYS),
      fc.oneof(anyScalar, fc.array(anyScalar, { maxLength: 2 })),
    ),
    { maxLength: 3 },
  )
  .map((entries) => Object.fromEntries(entries))

const anyId = fc.constantFrom(...IDS)

const callArguments: fc.Arbitrary<JsonValue> = fc.oneof(
  fc.constant('{"path":"a.ts"}'),
  anyText,
  fc.constant({ path: 'a.ts', '\u2028': 1 }),
  fc.constant(null),
)

const anyCall: fc.Arbitrary<JsonValue> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .tuple(anyId, fc.constantFrom(...TOOLS), callArguments, extraKeys)
      .map(([id, name, text, extra]) => ({
        ...extra,
        id,
        type: 'function',
        function: { name, arguments: text },
      })),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom<JsonValue>(null, 'call', { id: 'a', function: 'read' }, []),
  },
)

const textPart = anyText.map((text) => ({ type: 'text', text }))
const otherPart = fc.constantFrom<JsonValue>(
  { type: 'image_url', image_url: { url: 'data:' } },
  { type: 'text' },
  null,
  'bare',
)

export const anyContent: fc.Arbitrary<JsonValue> = fc.oneof(
  { weight: 8, arbitrary: anyText },
  { weight: 3, arbitrary: fc.array(textPart, { maxLength: 3 }) },
  { weight: 1, arbitrary: fc.array(fc.oneof(textPart, otherPart), { maxLength: 3 }) },
  { weight: 1, arbitrary: fc.constantFrom<JsonValue>(null, 3, false, { text: 'x' }) },
)

/** A message with its keys in arbitrary order; an undefined role is omitted. */
function message(
  required: Readonly<Record<string, fc.Arbitrary<JsonValue>>>,
): fc.Arbitrary<ChatMessage> {
  const keys = Object.keys(required)
  return fc
    .tuple(fc.record(required), extraKeys, fc.shuffledSubarray(keys, { minLength: keys.length }))
    .map(([values, extra, order]) =>
      Object.fromEntries([
        ...order.map((key): [string, JsonValue] => [key, values[key] as JsonValue]),
        ...Object.entries(extra),
      ]),
    )
}

const assistant = message({
  role: fc.constant('assistant'),
  content: fc.oneof(fc.constant(null), anyContent),
  tool_calls: fc.oneof(
    { weight: 6, arbitrary: fc.array(anyCall, { maxLength: 3 }) },
    { weight: 1, arbitrary: fc.constantFrom<JsonValue>(null, 'none', {}) },
  ),
})
const tool = message({ role: fc.constant('tool'), tool_call_id: anyId, content: anyContent })
const other = message({
  role: fc.constantFrom('user', 'system', 'developer', 'function', '_other', ''),
  content: anyContent,
})
const legacy = message({
  role: fc.constant('assistant'),
  content: fc.constant(null),
  function_call: fc.constant({ name: 'read', arguments: '{}' }),
})
const noMessage = fc.constantFrom<JsonValue>(null, 3, 'text', [], {}, { role: 4 })

const anyMessage: fc.Arbitrary<JsonValue> = fc.oneof(
  { weight: 6, arbitrary: assistant },
  { weight: 8, arbitrary: tool },
  { weight: 2, arbitrary: other },
  { weight: 1, arbitrary: legacy },
)

/** A usual turn: calls with unique ids, then their results in any order, some missing. */
const plainTurn: fc.Arbitrary<(turn: number) => readonly JsonValue[]> = fc
  .array(fc.tuple(fc.constantFrom('read', 'search', 'bash'), callArguments, anyContent), {
    minLength: 1,
    maxLength: 3,
  })
  .chain((calls) =>
    fc
      .shuffledSubarray([...calls.keys()], { minLength: Math.max(1, calls.length - 1) })
      .map((answered) => (turn: number) => {
        const idOf = (index: number) => `call_${turn}_${index}`
        return [
          {
            role: 'assistant',
            content: null,
            tool_calls: calls.map(([name, text], index) => ({
              id: idOf(index),
              type: 'function',
              function: { name, arguments: text },
            })),
          },
          ...answered.map((index) => ({
            role: 'tool',
            tool_call_id: idOf(index),
            content: calls[index]?.[2] as JsonValue,
          })),
        ]
      }),
  )

const anyPart = fc.oneof(
  { weight: 3, arbitrary: plainTurn },
  { weight: 2, arbitrary: anyMessage.map((message) => () => [message]) },
)

const FIRST: ChatMessage = { role: 'user', content: 'begin' }
const SECOND: ChatMessage = { role: 'user', content: 'go on' }

/** Only messages; the first two are plain, so that any reader recognises the list. */
export const anyMessages: fc.Arbitrary<readonly ChatMessage[]> = fc
  .array(anyPart, { maxLength: 14, size: 'max' })
  .map((parts) => [FIRST, SECOND, ...parts.flatMap((part, turn) => part(turn))] as ChatMessage[])

/** Like `anyMessages`, with at most one item that is not a message. */
export const anyConversation: fc.Arbitrary<readonly JsonValue[]> = fc
  .tuple(anyMessages, fc.option(noMessage, { nil: undefined }), fc.nat(8))
  .map(([messages, stranger, at]) =>
    stranger === undefined ? messages : messages.toSpliced(2 + at, 0, stranger as ChatMessage),
  )

const anyName = fc.constantFrom<JsonValue>('read', 'read', 'search', 'bash', '', null)

/** A call without an id, as in requests to Ollama; sometimes its id is empty. */
const anyCallWithoutId = fc
  .tuple(anyName, callArguments, fc.constantFrom({}, {}, { id: '' }, { type: 'function' }))
  .map(([name, text, rest]) => ({ ...rest, function: { name, arguments: text } }))

const anyMessageWithoutId: fc.Arbitrary<JsonValue> = fc.oneof(
  fc
    .array(anyCallWithoutId, { maxLength: 3 })
    .map((calls) => ({ role: 'assistant', content: '', tool_calls: calls })),
  fc
    .tuple(anyName, callArguments)
    .map(([name, text]) => ({
      role: 'assistant',
      content: null,
      function_call: { name, arguments: text },
    })),
  fc.tuple(anyName, anyContent).map(([name, content]) => ({ role: 'function', name, content })),
  fc
    .tuple(anyName, anyContent)
    .map(([name, content]) => ({ role: 'tool', tool_name: name, content })),
  anyContent.map((content) => ({ role: 'tool', content })),
  fc.constantFrom(FIRST, { role: 'assistant', content: 'done' }),
)

/** Messages with calls and results without ids. */
export const anyMessagesWithoutIds: fc.Arbitrary<readonly ChatMessage[]> = fc
  .array(anyMessageWithoutId, { maxLength: 24, size: 'max' })
  .map((messages) => [FIRST, SECOND, ...messages] as ChatMessage[])

/** Like `anyMessagesWithoutIds`, with at most one message that can have an id. */
export const anyConversationWithoutIds: fc.Arbitrary<readonly JsonValue[]> = fc
  .tuple(anyMessagesWithoutIds, fc.option(anyMessage, { nil: undefined, freq: 8 }), fc.nat(8))
  .map(([messages, other, at]) =>
    other === undefined ? messages : messages.toSpliced(2 + at, 0, other as ChatMessage),
  )
