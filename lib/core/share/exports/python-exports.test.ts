import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decideMessages, maskOldToolResults } from '../../mask/mask-old-tool-results'
import { type CacheTerms, DEFAULT_CACHE } from '../../policy/break-even'
import {
  DEFAULT_POLICY,
  isMaskingOff,
  type MaskPolicy,
  needsCounts,
  POLICY_FIELDS,
} from '../../policy/policy'
import { inputWithoutTranscript } from '../../testing/export-input'
import { anyPolicy, countQuarters } from '../../testing/policies'
import { testSize } from '../../testing/test-size'
import { pythonWindowSource } from './python-text-source'
import { anyCase, atBreakEven, GROWN, LONG_CASE, ON } from './testing/any-python-case'
import { exported as exportedAs } from './testing/export-samples'
import { answerOf, type PythonCase, runPython, whyNoPython } from './testing/run-in-python'

const reason = whyNoPython()
/** In each of its rounds. */
const GENERATED = testSize(200, 2_000)

function exported(id: 'python' | 'litellm', policy: MaskPolicy): string {
  return exportedAs(id, inputWithoutTranscript(policy)).text
}

/** A policy by its published names. */
function publishedOf(policy: MaskPolicy): Record<string, unknown> {
  return Object.fromEntries(POLICY_FIELDS.map(({ toml, key }) => [toml, policy[key]]))
}

test('the module has the cache of the model that its requests go to', () => {
  const cacheOf = (changes: Partial<CacheTerms>) =>
    pythonWindowSource({ ...DEFAULT_POLICY, cache: { ...DEFAULT_CACHE, ...changes } }, (key) => key)
  const line = (head: string, seconds: number) =>
    `\n_KEEPS_ONLY_HEAD, _LIFETIME_SECONDS = ${head}, ${seconds}\n`
  expect(cacheOf({})).toContain(line('False', 3600))
  expect(cacheOf({ keepsOnlyHead: true, lifetimeSeconds: 300 })).toContain(line('True', 300))
})

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

interface PublishedCase extends PythonCase {
  readonly name: string
  readonly reasons: Readonly<Record<string, string>>
  readonly masked: Readonly<Record<string, string>>
}

describe.skipIf(reason !== undefined)(`Python${reason ? ` (skipped: ${reason})` : ''}`, () => {
  test('decides the published cases as published, and generated conversations like the core', () => {
    const source = exported('python', ON)
    const file = new URL('../../conformance/schema1.json', import.meta.url)
    const { cases }: { cases: readonly PublishedCase[] } = JSON.parse(readFileSync(file, 'utf8'))
    expect(cases).toHaveLength(65)
    const seed = Number(process.env.TEST_SEED ?? Date.now())
    for (let round = 0; round < testSize(1, 25); round++) {
      const made = fc.sample(anyCase, { numRuns: GENERATED, seed: seed + round })
      // What Python reads is what JSON keeps.
      const published = cases.flatMap(({ messages }) => atBreakEven(messages))
      const own = [LONG_CASE, ...GROWN, ...published, ...made].map(([messages, policy]) => ({
        messages: JSON.parse(JSON.stringify(messages)) as unknown[],
        policy,
      }))
      const answers = runPython(source, [
        ...cases,
        ...own.map(({ messages, policy }) => ({ messages, policy: publishedOf(policy) })),
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
      expect(answers).toHaveLength(3 * cases.length + 1 + GROWN.length + GENERATED)
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
      modules: policies.map((policy) => [exported('python', policy), exported('litellm', policy)]),
    }) as readonly { policy: object; sent: object[]; missing: string; typo: string }[]
    for (const [index, policy] of policies.entries()) {
      const answer = answers[index] as (typeof answers)[number]
      expect(answer.policy).toEqual(publishedOf(policy))
      expect(answer.sent).toEqual(maskOldToolResults(messages, policy, countQuarters))
      const isCounting = !isMaskingOff(policy) && needsCounts(policy)
      expect(answer.missing).toBe(isCounting ? MISSING_COUNTER : 'none')
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
