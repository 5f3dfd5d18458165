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
  ...['a', 'b', 'c', 'call_1', 'call_2', '__proto__', 'toString', 'é"\\', '', 7, null],
]
const TOOLS: readonly JsonValue[] = ['read', 'search', 'bash', 'constructor', 'timeout', '', null]

const TEXTS = [
  ...['', 'ok', 'Traceback (most recent call last):', 'error: no such file', 'connection refused'],
  ...['  error not at the line start', '{"error": null}', '{"status":"error"}', '<|endoftext|>'],
  ...['<script>alert(1)</script>', '{tool_call_id} $& $1 {original_chars}', '[masked a]'],
  ...['\ud83d\ude00 x', 'line one\r\nline two\u2028\u0000\u001b[31m'],
]

/** Any of these arbitraries, each with its weight. */
const weighted = <Value>(...all: readonly (readonly [number, fc.Arbitrary<Value>])[]) =>
  fc.oneof(...all.map(([weight, arbitrary]) => ({ weight, arbitrary })))

/** Any UTF-16 code units, including lone surrogates. */
const anyUnits = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 12 })
  .map((units) => String.fromCharCode(...units))

const anyLines = fc.integer({ min: 1, max: 9 }).map((times) => 'a line of a file\n'.repeat(times))
export const anyText: fc.Arbitrary<string> = weighted(
  [6, anyLines],
  [4, fc.constantFrom(...TEXTS)],
  [2, fc.string({ unit: 'grapheme', maxLength: 40 })],
  [2, anyUnits],
)

const anyScalar: fc.Arbitrary<JsonValue> = fc.oneof(
  anyText,
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
  fc.boolean(),
  fc.constant(null),
)

const anyExtraKey = fc.constantFrom(
  ...['__proto__', 'constructor', 'reasoning_content', 'timestamp', 'a/b~c', '', 'é'],
  'cache_control',
)
const anyExtra = fc.tuple(anyExtraKey, fc.oneof(anyScalar, fc.array(anyScalar, { maxLength: 2 })))

/** Unknown keys; `fromEntries` makes `__proto__` a key like any other. */
const extraKeys: fc.Arbitrary<Readonly<Record<string, JsonValue>>> = fc
  .array(anyExtra, { maxLength: 3 })
  .map((entries) => Object.fromEntries(entries))

const anyId = fc.constantFrom(...IDS)

const callArguments: fc.Arbitrary<JsonValue> = fc.oneof(
  fc.constant('{"path":"a.ts"}'),
  anyText,
  fc.constant({ path: 'a.ts', '\u2028': 1 }),
  fc.constant(null),
)

const anyWholeCall = fc
  .tuple(anyId, fc.constantFrom(...TOOLS), callArguments, extraKeys)
  .map(([id, name, text, extra]) => {
    return { ...extra, id, type: 'function', function: { name, arguments: text } }
  })
const anyCall = weighted<JsonValue>(
  [8, anyWholeCall],
  [1, fc.constantFrom<JsonValue>(null, 'call', { id: 'a', function: 'read' }, [])],
)

const textPart = anyText.map((text) => ({ type: 'text', text }))
const otherPart = fc.constantFrom<JsonValue>(
  { type: 'image_url', image_url: { url: 'data:' } },
  { type: 'text' },
  null,
  'bare',
)

export const anyContent: fc.Arbitrary<JsonValue> = weighted<JsonValue>(
  [8, anyText],
  [3, fc.array(textPart, { maxLength: 3 })],
  [1, fc.array(fc.oneof(textPart, otherPart), { maxLength: 3 })],
  [1, fc.constantFrom<JsonValue>(null, 3, false, { text: 'x' })],
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
  tool_calls: weighted<JsonValue>(
    [6, fc.array(anyCall, { maxLength: 3 })],
    [1, fc.constantFrom<JsonValue>(null, 'none', {})],
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

const anyMessage = weighted<JsonValue>([6, assistant], [8, tool], [2, other], [1, legacy])

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
        const tool_calls = calls.map(([name, text], index) => {
          return { id: idOf(index), type: 'function', function: { name, arguments: text } }
        })
        const results = answered.map((index) => {
          const content = calls[index]?.[2] as JsonValue
          return { role: 'tool', tool_call_id: idOf(index), content }
        })
        return [{ role: 'assistant', content: null, tool_calls }, ...results]
      }),
  )

const anyPart = weighted<(turn: number) => readonly JsonValue[]>(
  [3, plainTurn],
  [2, anyMessage.map((message) => () => [message])],
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
  fc.tuple(anyName, callArguments).map(([name, text]) => ({
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
