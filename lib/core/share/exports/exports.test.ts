import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { parse } from 'smol-toml'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { OPTIONAL_ERROR_RULES, type ReadConversation } from '../../conversation/conversation'
import { readDocument } from '../../formats/read-document'
import { maskDocument } from '../../mask/mask-document'
import { DEFAULT_POLICY, isSamePolicy, type MaskPolicy } from '../../policy/policy'
import { anyText } from '../../testing/chat-messages'
import { inputWithoutTranscript } from '../../testing/export-input'
import { anyActivePolicy, anyPolicy, countQuarters } from '../../testing/policies'
import { fuzz } from '../../testing/test-size'
import { readPolicyToml } from '../toml/read-policy-toml'
import { EXPORT_IDS, type ExportId, type ExportInput } from './export-target'
import { EXPORT_TARGETS } from './export-targets'
import { plainPlaceholder } from './langchain-export'
import { policyJson } from './native-exports'
import { providerAddress } from './provider-address'
import {
  type Cleared,
  load,
  ROOT,
  runInAiSdk,
  runInLangchain,
  runInLanggraph,
  sourceFolder,
} from './testing/run-in-packages'

const folder = sourceFolder('exports')
afterAll(folder.end)

const ON: MaskPolicy = { ...DEFAULT_POLICY, enabled: true }

/** Policies with settings that some target does not support. */
const POLICIES: readonly (readonly [string, MaskPolicy])[] = [
  ['the default', ON],
  ['off', DEFAULT_POLICY],
  ['a window of 0', { ...ON, windowTurns: 0 }],
  ['tight, errors masked too', { ...ON, windowTurns: 2, keepErrors: false }],
  ['in batches', { ...ON, windowTurns: 5, batchTurns: 4 }],
  [
    'with tools excluded and kept',
    { ...ON, windowTurns: 1, excludeTools: ['read_file', 'say "it"'], keepLastKPerTool: 2 },
  ],
  ['with few error rules', { ...ON, windowTurns: 1, errorRules: ['error_line', 'flag'] }],
  ['with the flag alone', { ...ON, windowTurns: 1, errorRules: ['flag'] }],
  [
    'with the rules beyond Schema 1 and own texts',
    {
      ...ON,
      windowTurns: 1,
      errorRules: OPTIONAL_ERROR_RULES,
      errorPatterns: ['E', 'Not "found"'],
    },
  ],
  [
    'with a placeholder that means to break out',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it must not be read as a template
    { ...ON, windowTurns: 3, placeholderTemplate: '`${id}` \\ {tool_name}\n"\'</script>$' },
  ],
  ['longer than any session', { ...ON, windowTurns: 500 }],
]

/** They need a tokenizer, which exported code does not have. */
const ESTIMATED: MaskPolicy = {
  ...ON,
  windowTurns: 2,
  textParts: true,
  neverGrow: true,
  triggerTokens: 2000,
  placeholderTemplate: '[{original_tokens} {tool_arguments}]',
}

const SAMPLES = ['coding-session.json', 'data-analysis.json', 'log-reading.json'].map((name) => {
  const text = readFileSync(join(ROOT, 'public/samples', name), 'utf8')
  const document = readDocument(text)
  const parsed = JSON.parse(text)
  const messages = Array.isArray(parsed) ? parsed : parsed.messages
  return { name, text, messages, conversation: document.conversations[0] as never, document }
})

function inputFor(sample: (typeof SAMPLES)[number], policy: MaskPolicy): ExportInput {
  const { conversations } = sample.document
  const { decisions } = maskDocument({ text: sample.text, conversations }, policy, countQuarters)
  return {
    ...inputWithoutTranscript(policy, sample.name),
    shown: { conversation: sample.conversation, decisions: decisions[0] ?? [] },
  }
}

function exported(id: ExportId, input: ExportInput) {
  const target = EXPORT_TARGETS.find((target) => target.id === id)
  if (target === undefined) throw new RangeError(id)
  return target.write(input)
}

const idsOf = (input: ExportInput, indices: ReadonlySet<number> | undefined) =>
  [...(indices ?? [])].map((index) => input.shown?.conversation.results[index]?.callId).sort()

describe('every export', () => {
  test('is listed once, in order', () => {
    expect(EXPORT_TARGETS.map(({ id }) => id)).toEqual(EXPORT_IDS)
  })

  test('is written for any policy, with or without a transcript, and lists each difference once', () => {
    const sample = SAMPLES[1] as (typeof SAMPLES)[number]
    fc.assert(
      fc.property(anyPolicy, fc.boolean(), (policy, hasTranscript) => {
        const input = hasTranscript ? inputFor(sample, policy) : inputWithoutTranscript(policy)
        for (const { write, mediaType } of EXPORT_TARGETS) {
          const { text, notes } = write(input)
          expect(text).toMatch(/\n$/)
          // JSON has no comments.
          if (!mediaType.endsWith('json')) expect(text).toMatch(/^(?:\/\/|#|'''|""") ?\S/)
          const codes = notes.map(({ code }) => code)
          expect(new Set(codes).size).toBe(codes.length)
        }
      }),
      fuzz(100),
    )
  })
})

test.each(['langchain', 'swe_agent'] as const)(
  '%s: without a transcript, no result is cleared and none is counted',
  (id) => {
    const { cleared, notes } = exported(id, inputWithoutTranscript({ ...ON, batchTurns: 4 }))
    expect(cleared).toBeUndefined()
    expect(notes.some(({ code }) => code === 'orphans_removed')).toBe(false)
  },
)

test.each([
  ['anthropic/claude-opus-4-5', 'openai-chat', 'https://api.anthropic.com', ''],
  [undefined, 'claude-code', 'https://api.anthropic.com', ''],
  [undefined, 'openai-chat', 'https://api.openai.com/v1', '/v1'],
  ['own/new-model', 'gemini', 'https://generativelanguage.googleapis.com', ''],
  ['own/new-model', 'openai-chat', 'https://host/v1', '/v1'],
  ['aws/anthropic.claude', 'bedrock-converse', 'https://bedrock-runtime.REGION.amazonaws.com', ''],
] as const)('the proxy forwards to the provider of %s in %s', (model, format, address, path) => {
  const provider = providerAddress(model, format)
  const { text } = exported('proxy', { ...inputWithoutTranscript(ON), provider })
  expect(text).toContain(`--target ${address} --config policy.toml`)
  expect(text).toContain(`gets http://127.0.0.1:8787${path} as its base URL.`)
})

describe('exports for this project', () => {
  test('the TOML reads back', () => {
    fc.assert(
      fc.property(anyPolicy, (policy) => {
        const read = readPolicyToml(exported('toml', inputWithoutTranscript(policy)).text)
        const expected = { ...policy, windowTurns: Math.max(0, policy.windowTurns) }
        if (policy.placeholderTemplate.isWellFormed()) {
          expect(read.state === 'read' && isSamePolicy(read.policy, expected)).toBe(true)
        }
      }),
      fuzz(100),
    )
  })

  test('the JSON has the published names', () => {
    expect(policyJson(DEFAULT_POLICY)).toEqual({
      enabled: false,
      window_turns: 8,
      keep_errors: true,
      keep_last_k_per_tool: 0,
      placeholder_template: DEFAULT_POLICY.placeholderTemplate,
    })
    expect(policyJson({ ...ON, batchTurns: 16 })).toMatchObject({ extensions: { batch_turns: 16 } })
  })

  test('a shell reads the command line literally', () => {
    const anyName = anyText.map((name) => name.toWellFormed().replaceAll('\0', ''))
    fc.assert(
      fc.property(anyActivePolicy, anyName, (policy, fileName) => {
        const placeholderTemplate = policy.placeholderTemplate.toWellFormed().replaceAll('\0', '')
        const input = { ...inputWithoutTranscript({ ...policy, placeholderTemplate }), fileName }
        const { text } = exported('command', input)
        const script = text.replace('npx observation-masking mask', "printf '%s\\0'")
        const { stdout } = spawnSync('sh', ['-c', script], { encoding: 'utf8' })
        const parts = stdout.split('\0').slice(0, -1)
        expect(parts[0]).toBe(fileName.startsWith('-') ? `./${fileName}` : fileName)
        const isDefault = placeholderTemplate === DEFAULT_POLICY.placeholderTemplate
        const flag = `--placeholder-template=${placeholderTemplate}`
        expect(parts.includes(flag)).toBe(!isDefault)
      }),
      { ...fuzz(60), examples: [[ON, '-x.json']] },
    )
  })

  test.each(POLICIES)('the library call masks like the page: %s', async (_, policy) => {
    for (const sample of SAMPLES) {
      const input = inputFor(sample, policy)
      const { mask } = await load(folder.write(exported('library', input).text))
      const masked = (mask as (messages: object[]) => object[])(sample.messages)
      const { conversations } = sample.document
      const { text } = maskDocument({ text: sample.text, conversations }, policy)
      const expected = JSON.parse(text)
      expect(masked).toEqual(Array.isArray(expected) ? expected : expected.messages)
    }
  })
})

test.each(POLICIES)('the fetch wrapper masks like the page: %s', async (_, policy) => {
  const { text, document, messages } = SAMPLES[0] as (typeof SAMPLES)[number]
  const sent: unknown[] = []
  vi.stubGlobal('fetch', async (_: unknown, { body }: RequestInit) => {
    sent.push(JSON.parse(String(body)).messages)
    return new Response()
  })
  const source = exported('fetch', inputWithoutTranscript(policy)).text
  const { maskingFetch } = await load(folder.write(source))
  const body = JSON.stringify({ model: 'm', messages })
  await (maskingFetch as typeof fetch)('http://127.0.0.1/', { method: 'POST', body })
  const expected = JSON.parse(
    maskDocument({ text, conversations: document.conversations }, policy).text,
  )
  expect(sent).toEqual([Array.isArray(expected) ? expected : expected.messages])
})

describe.each([
  ['ai_sdk', runInAiSdk],
  ['langgraph', runInLanggraph],
  ['langchain', runInLangchain],
] as const)('%s, in the real package', (id, run) => {
  const isExact = id !== 'langchain'

  test.each(POLICIES)('clears the results listed in the panel: %s', async (_, policy) => {
    for (const sample of SAMPLES) {
      const input = inputFor(sample, policy)
      const { text, cleared, notes } = exported(id, input)
      const seen: Cleared = await run(folder.write(text), sample.messages)
      expect([_, sample.name, [...seen.keys()].sort()]).toEqual([
        _,
        sample.name,
        idsOf(input, cleared),
      ])
      if (!isExact) {
        const placeholders = new Set(seen.values())
        const plain = plainPlaceholder(policy.placeholderTemplate)
        expect([...placeholders]).toEqual(seen.size === 0 ? [] : [plain])
        continue
      }
      const isOff = notes.some(({ code }) => code === 'off')
      expect(notes.some(({ code }) => code === 'exact')).toBe(!isOff)
      for (const [index, decision] of (input.shown?.decisions ?? []).entries()) {
        const callId = input.shown?.conversation.results[index]?.callId ?? ''
        expect(seen.get(callId)).toBe(decision.placeholder)
      }
    }
  })

  test('runs with estimates, and lists no cleared results', async () => {
    const sample = SAMPLES[0] as (typeof SAMPLES)[number]
    const { text, notes, cleared } = exported(id, inputFor(sample, ESTIMATED))
    const seen = await run(folder.write(text), sample.messages)
    expect(seen.size).toBeGreaterThan(50)
    expect(notes.map(({ code }) => code)).toContain('trigger_estimated')
    if (isExact) expect(cleared).toBeUndefined()
    const { messages } = sample.document.conversations[0] as ReadConversation
    const chars = messages.reduce((sum, message) => sum + message.chars, 0)
    const near = { ...ESTIMATED, triggerTokens: Math.round(chars / 4) }
    expect(exported(id, inputFor(sample, near)).cleared).toBeUndefined()
    const small = { ...ESTIMATED, triggerTokens: 50_000_000 }
    const { text: never } = exported(id, inputFor(sample, small))
    expect((await run(folder.write(never), sample.messages)).size).toBe(0)
  })
})

describe('exported code', () => {
  test.each(['ai_sdk', 'langgraph'] as const)(
    'decides like the page, for any policy: %s',
    async (id) => {
      const run = id === 'ai_sdk' ? runInAiSdk : runInLanggraph
      // Without tokens: the code has no tokenizer.
      const anyExact = anyActivePolicy.map((policy) => ({
        ...policy,
        neverGrow: false,
        triggerTokens: 0,
        excludeTools: policy.excludeTools.map((name) => (name === 'read' ? 'read_file' : name)),
        placeholderTemplate: policy.placeholderTemplate
          .replaceAll('{original_tokens}', '')
          .toWellFormed(),
      }))
      await fc.assert(
        fc.asyncProperty(anyExact, fc.constantFrom(...SAMPLES.slice(1)), async (policy, sample) => {
          const input = inputFor(sample, policy)
          const seen = await run(folder.write(exported(id, input).text), sample.messages)
          const { results } = sample.document.conversations[0] as ReadConversation
          const masked = (input.shown?.decisions ?? []).flatMap(({ placeholder }, index) =>
            placeholder === undefined ? [] : [[results[index]?.callId, placeholder]],
          )
          expect([...seen].sort()).toEqual(masked.sort())
        }),
        fuzz(25),
      )
    },
  )
})

describe('langchain, on a history with parallel calls, an orphan and a misplaced result', () => {
  const call = (id: string, name: string) => ({
    id,
    type: 'function',
    function: { name, arguments: '{}' },
  })
  const result = (id: string) => ({
    role: 'tool',
    tool_call_id: id,
    content: `the output of ${id}`,
  })
  const messages = [
    { role: 'user', content: 'begin' },
    { role: 'assistant', content: '', tool_calls: [call('a', 'read'), call('b', 'search')] },
    result('b'),
    { role: 'assistant', content: '', tool_calls: [call('c', 'read')] },
    result('a'),
    result('nobody'),
    result('c'),
    { role: 'assistant', content: '', tool_calls: [call('d', 'read'), call('e', 'search')] },
    result('d'),
    result('e'),
  ]
  const text = JSON.stringify(messages)
  const document = readDocument(text)
  const sample = {
    name: 'made.json',
    text,
    messages,
    conversation: document.conversations[0] as never,
    document,
  }

  test.each([1, 2, 3])(
    'clears the results listed in the panel with a window of %i',
    async (windowTurns) => {
      const input = inputFor(sample, { ...ON, windowTurns, excludeTools: ['search'] })
      const { text, cleared, notes } = exported('langchain', input)
      const seen = await runInLangchain(folder.write(text), messages)
      expect([...seen.keys()].sort()).toEqual(idsOf(input, cleared))
      expect(notes).toContainEqual({ code: 'orphans_removed', values: { n: 1 } })
    },
  )
})

describe('TypeScript exports', () => {
  const sample = SAMPLES[0] as (typeof SAMPLES)[number]
  let output = ''

  beforeAll(() => {
    const checked = sourceFolder('exports-types')
    for (const [, policy] of [...POLICIES, ['estimated', ESTIMATED] as const]) {
      for (const { mediaType, write } of EXPORT_TARGETS) {
        if (mediaType === 'text/typescript') checked.write(write(inputFor(sample, policy)).text)
      }
    }
    const settings = {
      extends: '../../tsconfig.json',
      compilerOptions: { incremental: false, plugins: [] },
      include: ['*.ts'],
    }
    writeFileSync(join(checked.folder, 'tsconfig.json'), JSON.stringify(settings))
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
    const run = spawnSync(process.execPath, [tsc, '--noEmit', '-p', checked.folder])
    output = `${run.stdout}${run.stderr}`
    checked.end()
  }, 120_000)

  test("pass the compiler's strict check against the real packages' types", () => {
    expect(output).toBe('')
  })
})

/** The parameters that the export for Anthropic adds to a request. */
const parametersIn = (text: string) =>
  JSON.parse(/contextManagement = (.*) satisfies/s.exec(text)?.[1] ?? '{}')

describe('configs of other programs', () => {
  const sample = SAMPLES[0] as (typeof SAMPLES)[number]

  test('Anthropic: keeps as many tool uses as the window has results', () => {
    const input = inputFor(sample, { ...ON, windowTurns: 8, excludeTools: ['a'] })
    const { text, notes } = exported('anthropic', input)
    const keep = input.shown?.decisions.filter(({ reason }) => reason === 'in_window').length
    expect(parametersIn(text)).toEqual({
      betas: ['context-management-2025-06-27'],
      context_management: {
        edits: [
          {
            type: 'clear_tool_uses_20250919',
            trigger: { type: 'tool_uses', value: keep },
            keep: { type: 'tool_uses', value: keep },
            exclude_tools: ['a'],
          },
        ],
      },
    })
    expect(notes).toContainEqual({ code: 'counts_calls', values: { keep, window: 8 } })
  })

  test.each(['anthropic', 'langchain'] as const)(
    '%s: counting results is the same as counting turns if every turn has one',
    (id) => {
      const turn = (at: number) => [
        { role: 'assistant', tool_calls: [{ id: `${at}`, function: { name: 'f' } }] },
        { role: 'tool', tool_call_id: `${at}`, content: [{ type: 'text', text: 'x'.repeat(400) }] },
      ]
      const messages = [1, 2, 3].flatMap(turn)
      const text = JSON.stringify(messages)
      const document = readDocument(text)
      const made = {
        ...sample,
        text,
        messages,
        document,
        conversation: document.conversations[0] as never,
      }
      const codesOf = (policy: MaskPolicy) =>
        exported(id, inputFor(made, policy)).notes.map(({ code }) => code)
      const codes = codesOf({ ...ON, windowTurns: 1 })
      expect(codes).not.toContain('counts_calls')
      expect(codes).not.toContain('counts_results')
      const { cleared } = exported(
        id,
        inputFor(made, { ...ON, windowTurns: 1, triggerTokens: 9_000 }),
      )
      expect([...(cleared ?? [])]).toEqual([])
    },
  )

  test('Anthropic: steps become the minimum to clear', () => {
    const policy = { ...ON, windowTurns: 8, batchTurns: 4 }
    const { text, notes, cleared } = exported('anthropic', inputFor(sample, policy))
    const [edit] = parametersIn(text).context_management.edits
    const { results, turnCount } = sample.document.conversations[0] as ReadConversation
    const perTurn = results.reduce((sum, { chars }) => sum + chars / 4, 0) / turnCount
    expect(edit.clear_at_least.type).toBe('input_tokens')
    expect(Math.abs(edit.clear_at_least.value - perTurn * 4)).toBeLessThanOrEqual(50)
    expect(notes.map(({ code }) => code)).toContain('clear_at_least')
    expect(cleared).toBeUndefined()
    const alone = exported('anthropic', inputWithoutTranscript(policy))
    expect(alone.text).not.toContain('clear_at_least')
    expect(alone.notes).toContainEqual({ code: 'no_batch', values: { batch: 4 } })
  })

  test('SWE-agent: notes that tools cannot be excluded', () => {
    const name = sample.document.conversations[0]?.results[0]?.toolName as string
    const input = inputFor(sample, { ...ON, windowTurns: 3, excludeTools: [name] })
    const { text, notes, cleared } = exported('swe_agent', input)
    expect(text).not.toContain('tag_tool_call_observations')
    expect(notes.map(({ code }) => code)).toContain('tags_calls')
    expect(cleared?.has(0)).toBe(true)
  })

  test('OpenHands: about two events for each call', () => {
    const { text } = exported('openhands', inputWithoutTranscript({ ...ON, windowTurns: 50 }))
    expect(parse(text)).toEqual({
      condenser: { type: 'observation_masking', attention_window: 100 },
    })
  })

  test("SWE-agent: the steps follow SWE-agent's formula", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 30 }),
        fc.integer({ min: 1, max: 9 }),
        (window, batch) => {
          const policy = { ...ON, windowTurns: window, batchTurns: batch, keepErrors: false }
          const input = inputFor(sample, policy)
          const { text, cleared, notes } = exported('swe_agent', input)
          expect(text).toContain(`n: ${window}\n`)
          // Observations as SWE-agent numbers them: the task first, then one per turn.
          const count = (input.shown?.conversation.turnCount ?? 0) + 1
          const all = Array.from({ length: count }, (_, index) => index)
          const last = Math.max(0, Math.floor(count / batch) * batch - window)
          const removed = all.slice(1, last)
          const turns = new Set(
            [...(cleared ?? [])].map((index) => input.shown?.conversation.results[index]?.turn),
          )
          expect([...turns].sort()).toEqual(removed.map((observation) => observation - 1).sort())
          if (!notes.some(({ code }) => code === 'steps_elsewhere')) {
            const masked = input.shown?.decisions.filter(({ action }) => action === 'mask').length
            expect(cleared?.size).toBe(masked)
          }
        },
      ),
      fuzz(60),
    )
  })
})
