import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ALL_ERROR_RULES } from '../../conversation/conversation'
import { decideMessages, maskOldToolResults } from '../../mask/mask-old-tool-results'
import { DEFAULT_POLICY, type MaskPolicy } from '../../policy/policy'
import { POLICY_FIELDS } from '../../policy/policy-fields'
import { anyConversation, anyConversationWithoutIds } from '../../testing/chat-messages'
import { inputWithoutTranscript } from '../../testing/export-input'
import { anyPolicy, countQuarters } from '../../testing/policies'
import { testSize } from '../../testing/test-size'
import { litellmExport, pythonExport } from './python-exports'
import { answerOf, type PythonCase, runPython, whyNoPython } from './testing/run-in-python'

const ON: MaskPolicy = { ...DEFAULT_POLICY, enabled: true }
const reason = whyNoPython()

function exported({ write }: typeof pythonExport, policy: MaskPolicy): string {
  return write(inputWithoutTranscript(policy)).text
}

/** A policy by its published names. */
function published(policy: MaskPolicy): Record<string, unknown> {
  return Object.fromEntries(POLICY_FIELDS.map(({ toml, key }) => [toml, policy[key]]))
}

/** What the core answers for a case of the Python module. */
function expectedOf(messages: readonly unknown[], policy: MaskPolicy) {
  const masked = maskOldToolResults(messages, policy, countQuarters)
  return {
    changed: masked.flatMap((message, index) =>
      message === messages[index] ? [] : [[index, (message as { content: unknown }).content]],
    ),
    reasons: decideMessages(messages, policy, countQuarters).map(({ message, decision }) => [
      message,
      decision.reason,
    ]),
    breaches: [],
    isSameList: masked === messages,
  }
}

/** White space of JavaScript, of Python, and of both. */
const SPACE = fc.constantFrom(
  ...['', ' ', '\t', '\v', '\f', '\n', '\r', '\x1c', '\x1f', '\x85', '\u00a0', '\u1680', '\u180e'],
  ...['\u2003', '\u2007', '\u2028', '\u2029', '\u202f', '\u205f', '\u3000', '\ufeff', '\u200b'],
)
const DIGIT = fc.constantFrom('1', '0', '9', '\u0661', '\uff11', '\u00b2', 'x')
const JSON_TEXTS = [
  ...[
    '{"status":"error"}',
    '{"status":"ERROR"}',
    '[{"status":"error"}]',
    '{"a":{"status":"error"}}',
  ],
  ...['{"\\u0065rror":1}', '{"st\\u0061tus":"error"}', '{"st\\u0061tus":"ok","a":"error"}'],
  ...[
    '{"status":"error","a":NaN}',
    '{"status":"error","a":-Infinity}',
    '{"status":"error","a":01}',
  ],
  ...['{"status":"error","a":"\x01"}', '{"status":"error","a":"\x7f"}', '{"status":"error",}'],
  ...['{"status":"error","a":\u0661}', '{"status":"error"}{}', '{"status":"error","status":"ok"}'],
  ...['{"status":"error","a":1e999}', '{"__proto__":{"status":"error"},"b":"\\u0061"}'],
]
const WORDS = ['traceback', 'exception', 'timeout', 'connect_error', 'connection refused', 'error']
const LOOK_ALIKE: Readonly<Record<string, string>> = { k: '\u212a', s: '\u017f', i: '\u0130' }

/** Texts that regular expressions, cases, digits, white space and JSON of other languages decide differently. */
const anyHardText = fc
  .tuple(
    SPACE,
    SPACE,
    DIGIT,
    fc.integer({ min: -3, max: 3 }),
    fc.constantFrom('', 'x', '\u{1f600}'),
  )
  .chain(([a, b, digit, more, end]) =>
    fc.oneof(
      fc.constantFrom(
        `"error"${a}:${end}`,
        `"${end}is_error"${a}:${b}True`.replace(end, ''),
        `"success"${a}:${b}false${end}`,
        `"status"${a}:${b}"Error"`,
        `${end}${a}error`,
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
      fc.string({ unit: 'binary', maxLength: 4 }),
    ),
  )

const anyParts = fc.tuple(anyHardText, anyHardText, fc.constantFrom('text', 'image_text', 'imaged'))
const anyHardContent = fc.oneof(
  { weight: 3, arbitrary: anyHardText },
  {
    weight: 1,
    arbitrary: anyParts.map(([one, two, type]) => [
      { type, text: one },
      { text: two, type: 'text' },
    ]),
  },
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
      errorPatterns: fc.constantFrom(
        [],
        [],
        ['K\u017f', 'i\u0307'],
        ['\ud83d', '', 'U'],
        ['\udc00'],
      ),
      textParts: fc.boolean(),
      placeholderTemplate: fc.constantFrom(
        '[{original_chars}]',
        '<{first_line}>',
        '{tool_arguments}',
      ),
    })
    .map((rest): MaskPolicy => ({ ...ON, windowTurns: 1, ...rest })),
)

const anyCase = fc.oneof(
  { weight: 3, arbitrary: fc.tuple(anyConversation, anyPolicy) },
  { weight: 1, arbitrary: fc.tuple(anyConversationWithoutIds, anyPolicy) },
  { weight: 3, arbitrary: anyHardCase },
)

interface PublishedCase extends PythonCase {
  readonly name: string
  readonly reasons: Readonly<Record<string, string>>
  readonly masked: Readonly<Record<string, string>>
}

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
const LONG_CASE = [
  LONG_TEXTS.flatMap((content, at) => [
    { role: 'assistant', tool_calls: [{ id: `c${at}`, function: { name: 'run' } }] },
    { role: 'tool', tool_call_id: `c${at}`, content },
  ]),
  { ...ON, windowTurns: 1, errorRules: ALL_ERROR_RULES },
] as const

describe.skipIf(reason !== undefined)(`Python${reason ? ` (skipped: ${reason})` : ''}`, () => {
  test('decides the published cases as published, and 2,000 generated conversations like the core', () => {
    const source = exported(pythonExport, ON)
    const file = new URL('../../conformance/schema1.json', import.meta.url)
    const { cases }: { cases: readonly PublishedCase[] } = JSON.parse(readFileSync(file, 'utf8'))
    expect(cases).toHaveLength(65)
    const seed = Number(process.env.TEST_SEED ?? Date.now())
    // The large test has 50,000 conversations.
    for (let round = 0; round < testSize(1, 25); round++) {
      const made = fc.sample(anyCase, { numRuns: 2_000, seed: seed + round })
      // What Python reads is what JSON keeps.
      const own = [LONG_CASE, ...made].map(([messages, policy]) => ({
        messages: JSON.parse(JSON.stringify(messages)) as unknown[],
        policy,
      }))
      const answers = runPython(source, [
        ...cases,
        ...own.map(({ messages, policy }) => ({ messages, policy: published(policy) })),
      ])
      const found = answers.slice(0, cases.length).map(({ changed, reasons, breaches }, index) => ({
        name: cases[index]?.name,
        masked: Object.fromEntries(changed),
        reasons: Object.fromEntries(reasons),
        breaches,
      }))
      expect(found).toEqual(
        cases.map(({ name, masked, reasons }) => ({ name, masked, reasons, breaches: [] })),
      )
      for (const [index, { messages, policy }] of own.entries()) {
        const answer = answers[cases.length + index]
        const expected = expectedOf(messages, policy)
        // Comparing texts is faster; a difference is shown with its case.
        if (JSON.stringify(answer) === JSON.stringify(expected)) continue
        expect({ ...answer, policy, messages }).toEqual({ ...expected, policy, messages })
      }
      expect(answers).toHaveLength(cases.length + 2_001)
    }
  }, 600_000)

  test('has the policy written in, and runs as LiteLLM hook', () => {
    const policies: readonly MaskPolicy[] = [
      ...[DEFAULT_POLICY, ON, { ...ON, windowTurns: 1, neverGrow: true, keepLastKPerTool: 1 }],
      { ...ON, windowTurns: 1, triggerTokens: 90, placeholderTemplate: '""" \\ \ud800 {x}\r\n%s' },
      { ...ON, windowTurns: 1, errorPatterns: ['\'"""', '\u{1f600}\udc00', '\0\u2028'] },
      ...fc.sample(anyPolicy, 6),
    ]
    const messages = [1, 2, 3].flatMap((at) => [
      { role: 'assistant', tool_calls: [{ id: `c${at}`, function: { name: 'run' } }] },
      { role: 'tool', tool_call_id: `c${at}`, content: 'a line\n'.repeat(90) },
    ])
    const answers = answerOf(LOADER, {
      messages,
      modules: policies.map((policy) => [
        exported(pythonExport, policy),
        exported(litellmExport, policy),
      ]),
    }) as readonly { policy: object; sent: object[]; missing: string; typo: string }[]
    for (const [index, policy] of policies.entries()) {
      const answer = answers[index] as (typeof answers)[number]
      expect(answer.policy).toEqual(published(policy))
      expect(answer.sent).toEqual(maskOldToolResults(messages, policy, countQuarters))
      const { notes, cleared } = pythonExport.write(inputWithoutTranscript(policy))
      const needsCounter = notes.some(({ code }) => code === 'needs_counter')
      expect(answer.missing).toBe(needsCounter ? MISSING_COUNTER : 'none')
      expect(cleared).toBeUndefined()
      expect(answer.typo).toMatch(/^policy\['window'\] is 3; expected .*, for one of enabled, /)
    }
    expect(answers.some(({ missing }) => missing !== 'none')).toBe(true)
  })
})

const MISSING_COUNTER =
  'count_tokens is missing; never_grow, trigger_tokens and {original_tokens} need a function that counts the tokens of a text.'

/** LiteLLM itself is not installed: a package with its two names stands in, and the hook is called as the proxy does. */
const LOADER = `
import ast, asyncio, json, sys, types

litellm = types.ModuleType("litellm")
litellm.token_counter = lambda model, text: -(-len(text.encode("utf-16-le", "surrogatepass")) // 8)
logger = types.ModuleType("litellm.integrations.custom_logger")
logger.CustomLogger = type("CustomLogger", (), {})
for name, module in [("litellm", litellm), ("litellm.integrations", types.ModuleType("")), (logger.__name__, logger)]:
    sys.modules[name] = module

def load(source):
    names = {"__name__": "exported"}
    exec(compile(ast.parse(source, feature_version=(3, 9)), "exported", "exec"), names)
    return names

def failure(call, *values):
    try:
        call(*values)
        return "none"
    except ValueError as error:
        return str(error)

def answer(module, hook, messages):
    module, hook = load(module), load(hook)
    mask = module["mask_old_tool_results"]
    data = {"model": "m", "messages": messages}
    sent = asyncio.run(hook["proxy_handler_instance"].async_pre_call_hook(None, None, data, "completion"))
    return {
        "policy": module["POLICY"],
        "sent": sent["messages"],
        "missing": failure(mask, messages),
        "typo": failure(mask, messages, {"window": 3}),
    }

given = json.load(sys.stdin)
json.dump([answer(*pair, given["messages"]) for pair in given["modules"]], sys.stdout)
`
