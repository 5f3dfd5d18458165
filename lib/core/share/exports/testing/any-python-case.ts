/** Conversations and policies that Python could decide in another way than the core. */
import fc from 'fast-check'
import { ALL_ERROR_RULES } from '../../../conversation/conversation'
import { DEFAULT_POLICY, type MaskPolicy } from '../../../policy/policy'
import { anyUnicode } from '../../../testing/any-unicode'
import { anyConversation, anyConversationWithoutIds } from '../../../testing/chat-messages'
import { anyPolicy } from '../../../testing/policies'

/** Masks all but the last eight turns. */
export const ON: MaskPolicy = { ...DEFAULT_POLICY, enabled: true }

/** White space of JavaScript, of Python, and of both. */
const SPACE = fc.constantFrom(
  ...['', ' ', '\t', '\v', '\f', '\n', '\r', '\x1c', '\x1f', '\x85', '\u00a0', '\u1680', '\u180e'],
  ...['\u2003', '\u2007', '\u2028', '\u2029', '\u202f', '\u205f', '\u3000', '\ufeff', '\u200b'],
)
const DIGIT = fc.constantFrom('1', '0', '9', '\u0661', '\uff11', '\u00b2', 'x')
const JSON_TEXTS = [
  ...'{"status":"error"} {"status":"ERROR"} [{"status":"error"}] {"a":{"status":"error"}}'.split(
    ' ',
  ),
  ...['{"\\u0065rror":1}', '{"st\\u0061tus":"error"}', '{"st\\u0061tus":"ok","a":"error"}'],
  ...['NaN', '-Infinity', '01', '"\x01"', '"\x7f"', '\u0661', '1e999'].map(
    (value) => `{"status":"error","a":${value}}`,
  ),
  ...['{"status":"error",}', '{"status":"error"}{}', '{"status":"error","status":"ok"}'],
  '{"__proto__":{"status":"error"},"b":"\\u0061"}',
]
const WORDS = ['traceback', 'exception', 'timeout', 'connect_error', 'connection refused', 'error']
const LOOK_ALIKE: Readonly<Record<string, string>> = { k: '\u212a', s: '\u017f', i: '\u0130' }

/** Texts that regular expressions, cases, digits, white space and JSON of other languages decide differently. */
const anyMore = fc.integer({ min: -3, max: 3 })
const anyHardText = fc
  .tuple(SPACE, SPACE, DIGIT, anyMore, fc.constantFrom('', 'x', '\u{1f600}'))
  .chain(([a, b, digit, more, end]) =>
    fc.oneof(
      fc.constantFrom(
        `"error"${a}:${end}`,
        `"${end}is_error"${a}:${b}True`.replace(end, ''),
        `"success"${a}:${b}false${end}`,
        `"status"${a}:${b}"Error"`,
        `${end}${a}error`,
        `${end}\nerror:${a}(${more > 0 ? 'None' : '0'})${b}${end}`,
        `Traceback (most recent call last):${a}\n${b}File "`,
        `\n    at ${'\u{1f600}'.repeat(100 + more)}:${digit}`,
        `\n\tat ${'x'.repeat(200 + more)}:${digit}`,
        `exit code${a}:${b}${digit}`,
        `[${digit.repeat(15 + more)}]`,
        `<${'x'.repeat(160 + more)}>`,
        `<${'\u{1f600}'.repeat(80 + more)}>`,
        `<${a}${b}${end}>`,
        `${a}${'\u{1f600}'.repeat(80 + more)}${b}`,
      ),
      fc.constantFrom(...JSON_TEXTS).map((json) => a + json + b),
      fc.constantFrom(...WORDS).map((word) => {
        const at = (more + 3) % word.length
        const letter = word[at] as string
        return word.slice(0, at) + (LOOK_ALIKE[letter] ?? letter.toUpperCase()) + word.slice(at + 1)
      }),
      anyUnicode({ maxLength: 4 }),
    ),
  )

const anyParts = fc.tuple(anyHardText, anyHardText, fc.constantFrom('text', 'image_text', 'imaged'))
const anyHardParts = anyParts.map(([one, two, type]) => [
  { type, text: one },
  { text: two, type: 'text' },
])
const anyHardContent = fc.oneof(
  { weight: 3, arbitrary: anyHardText },
  { weight: 1, arbitrary: anyHardParts },
)

/** Arguments whose JSON is easily written in another way than JavaScript's. */
const anyArguments = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.dictionary(fc.constantFrom('b', '10', '9', '01', '4294967295', '-1', '\ud800'), fc.double()),
  fc.constantFrom(1e21, 1e-7, 123456789012345680000, -0, 1e-6, 0.1, { a: 1.5e300 }),
  fc
    .tuple(SPACE, SPACE, fc.integer({ min: 560, max: 645 }))
    .map(([a, b, length]) => `${a}x${b.repeat(length)}${'\u{1f600}x'.repeat(90)}`),
)

const anyCallOfId = fc
  .tuple(anyArguments, fc.nat(5))
  .map(
    ([given, kind]) =>
      [
        { function: { name: 'run', arguments: given } },
        { function: { arguments: given }, name: 'other' },
        { custom: { name: 'run', input: given }, name: 'other' },
        { name: 'run', args: given },
        { name: 'run', arguments: given, args: 1 },
        { function: 'run', name: 'other', arguments: given },
      ][kind],
  )

const PATTERNS = [['K\u017f', 'i\u0307'], ['\ud83d', '', 'U'], ['\udc00']]
const TEMPLATES = ['[{original_chars}]', '<{first_line}>', '{tool_arguments}']

/** A conversation of such texts under one error rule, or under all. */
const anyHardCase = fc.tuple(
  fc.array(fc.tuple(anyHardContent, anyCallOfId), { minLength: 6, maxLength: 12 }).map((turns) => [
    ...turns.flatMap(([content, call], at) => [
      { role: 'assistant', tool_calls: [{ ...call, id: `c${at}` }] },
      { role: 'tool', tool_call_id: `c${at}`, content },
    ]),
    { role: 'assistant', tool_calls: [{ id: 'last' }] },
  ]),
  fc
    .record({
      errorRules: fc.oneof(
        fc.constantFrom(...ALL_ERROR_RULES).map((rule) => [rule]),
        fc.constantFrom([...ALL_ERROR_RULES], []),
      ),
      errorPatterns: fc.oneof(fc.constant([]), fc.constantFrom(...PATTERNS)),
      textParts: fc.boolean(),
      placeholderTemplate: fc.constantFrom(...TEMPLATES),
    })
    .map((rest): MaskPolicy => ({ ...ON, windowTurns: 1, ...rest })),
)

/** Any conversation and policy; often one with such texts. */
export const anyCase = fc.oneof(
  { weight: 3, arbitrary: fc.tuple(anyConversation, anyPolicy) },
  { weight: 1, arbitrary: fc.tuple(anyConversationWithoutIds, anyPolicy) },
  { weight: 3, arbitrary: anyHardCase },
)

const AUTO: MaskPolicy = { ...ON, windowTurns: 2, batchTurns: 'auto' }

/** A session of some minutes, and of hours at its end; tools, times and sizes vary. */
const TURNS = [...Array(24).keys()].flatMap((at) => [
  {
    role: 'assistant',
    content: at % 5 === 0 ? 'Now \u{1f600}.' : null,
    tool_calls: [{ id: `c${at}`, function: { name: at % 3 ? 'run' : 'read', arguments: { at } } }],
    ...(at > 18 && { timestamp: `2026-11-27T1${at % 10}:00:00.5+01:00` }),
  },
  {
    ...{
      role: 'tool',
      tool_call_id: `c${at}`,
      content: 'a line \u{1f600}\n'.repeat(20 + (at % 7) * 9),
    },
    ...(at % 2 === 0 && { created_at: 1_795_000_000 + at * 4_000 * Number(at > 18) }),
  },
])

/** Each request of that session, under policies whose window moves at break-even. */
export const GROWN = [
  AUTO,
  { ...AUTO, windowTurns: 1, keepLastKPerTool: 2, cacheReadRatio: 0.5 as const },
  { ...AUTO, nearestCall: true, cacheWriteRatio: 1 as const, excludeTools: ['read'] },
].flatMap((policy) =>
  [...TURNS.keys(), TURNS.length].map(
    (end) => [[{ role: 'system', content: 'go' }, ...TURNS.slice(0, end)], policy] as const,
  ),
)

/** Any messages with such policies; by the last one, every move is free. */
export const atBreakEven = (messages: readonly unknown[]) =>
  [AUTO, { ...AUTO, windowTurns: 1, cacheWriteRatio: 0.1 }].map(
    (policy) => [messages, policy] as const,
  )

const DEEP = '['.repeat(3_000) + ']'.repeat(3_000)
/** JSON that is deeper than Python's reader goes, with and without an error, and long texts. */
const LONG_TEXTS = [
  `{"status":"error","a":${DEEP}}`,
  `{"status":"error","a":${DEEP}]}`,
  `{"status":"error","a":${DEEP},}`,
  `{"status":"error","status":${DEEP}}`,
  `{"status":"error"} ${DEEP}`,
  `{"a":${DEEP},"status":"error"}`,
  `{"a":{"status":"error","b":${DEEP}}}`,
  `{"\\u0065rror":${DEEP}}`,
  `[{"status":"error"},${DEEP}]`,
  `{"status":"error","a":${'9'.repeat(9_000)}}`,
  `"error"${' '.repeat(100_000)}`,
  '\n    at \u{1f600}'.repeat(20_000),
]
export const LONG_CASE = [
  LONG_TEXTS.flatMap((content, at) => [
    { role: 'assistant', tool_calls: [{ id: `c${at}`, function: { name: 'run' } }] },
    { role: 'tool', tool_call_id: `c${at}`, content },
  ]),
  { ...ON, windowTurns: 1, errorRules: ALL_ERROR_RULES },
] as const
