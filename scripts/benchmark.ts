/**
 * Measures the speed of the core on generated data. Each block prints ratios to its first case, since absolute times of
 * two machines, or of two days, cannot be compared. Nothing passes or fails.
 */
import { type ModelMessage, pruneMessages } from 'ai'
import { countTokens as countByLibrary } from 'gpt-tokenizer/encoding/o200k_base'
import { parseTree, visit } from 'jsonc-parser'
import { measure } from 'mitata'
import { readDocument } from '../lib/core/formats/read-document'
import { maskEdits } from '../lib/core/mask/mask-edits'
import { maskOldToolResults } from '../lib/core/mask/mask-old-tool-results'
import { decide } from '../lib/core/policy/decide'
import { DEFAULT_POLICY } from '../lib/core/policy/policy'
import { cacheFamilyById, NO_CACHE } from '../lib/core/replay/cache-rules'
import { prepareReplay } from '../lib/core/replay/prepare-replay'
import { priceSheet } from '../lib/core/replay/price-sheet'
import { replayTotal } from '../lib/core/replay/replay'
import { createSession } from '../lib/core/replay/sessions'
import { sweepPrepared } from '../lib/core/replay/sweep'
import { parseJsonTree } from '../lib/core/text/json-tree'
import { applyEdits } from '../lib/core/text/span'
import { countConversation } from '../lib/core/tokens/count-conversation'
import { ENCODING_IDS, loadEncoding } from '../lib/core/tokens/encoding'
import { createJobRunner } from '../lib/worker/job-runner'
import { writeSection } from './benchmark/write-section.mjs'

const POLICY = { ...DEFAULT_POLICY, enabled: true }
const LINE =
  '  const total = items.reduce((sum, item) => sum + item.price * item.count, 0) // ligne 42, été\n'

/** A request body with one call in each turn and results of one kilobyte. */
function makeBody(turns: number): { readonly messages: readonly object[] } {
  const messages = Array.from({ length: turns }, (_, turn) => {
    const id = `call_${turn}`
    const call = {
      id,
      type: 'function',
      function: { name: `tool_${turn % 7}`, arguments: '{"path":"a.ts"}' },
    }
    return [
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: id, content: `${turn}\n${LINE.repeat(10)}` },
    ]
  })
  return { messages: [{ role: 'user', content: 'go' }, ...messages.flat()] }
}

/** A Claude Code session with results of four kilobytes, each of them twice. */
function makeClaudeSession(turns: number): string {
  const envelope = {
    sessionId: 'session',
    isSidechain: false,
    version: '2.1.14',
    cwd: '/home/user',
  }
  const lines = Array.from({ length: turns }, (_, turn) => {
    const id = `toolu_${turn}`
    const call = { type: 'tool_use', id, name: `tool_${turn % 7}`, input: { path: 'a.ts' } }
    const output = `${turn}\n${LINE.repeat(40)}`
    const result = { type: 'tool_result', tool_use_id: id, content: output }
    return [
      {
        ...envelope,
        type: 'assistant',
        message: { id: `msg_${turn}`, role: 'assistant', content: [call] },
      },
      {
        ...envelope,
        type: 'user',
        message: { role: 'user', content: [result] },
        toolUseResult: { stdout: output, stderr: '' },
      },
    ]
  })
  return lines
    .flat()
    .map((line) => JSON.stringify(line))
    .join('\n')
}

const tables: string[] = []

type Case = readonly [name: string, run: () => unknown]

/** Measures the cases one after the other and prints each with its ratio to the first. */
async function compare(title: string, cases: readonly Case[]): Promise<void> {
  const medians: number[] = []
  for (const [, run] of cases) {
    // At least five samples, and half a second for fast cases.
    const { p50 } = await measure(run, { min_cpu_time: 5e8, min_samples: 5 })
    medians.push(p50 as number)
  }
  const [yardstick] = medians
  const width = Math.max(...cases.map(([name]) => name.length))
  console.log(`\n${title}`)
  tables.push(`\n${title}\n`, '| case | ratio |', '| --- | ---: |')
  for (const [index, [name]] of cases.entries()) {
    const median = medians[index] as number
    const ratio = (median / (yardstick as number)).toFixed(2)
    tables.push(`| ${name} | ${ratio} |`)
    console.log(
      `  ${name.padEnd(width)}  ${ratio.padStart(8)} x  ${(median / 1e6).toFixed(3).padStart(10)} ms`,
    )
  }
}

async function compareReading(turns: number): Promise<void> {
  const text = JSON.stringify(makeBody(turns), null, 1)
  await compare(`Reading positions, ${megabytes(text)} of JSON`, [
    ['JSON.parse', () => JSON.parse(text)],
    ['parseJsonTree', () => parseJsonTree(text)],
    ['jsonc-parser visit', () => visit(text, {})],
    ['jsonc-parser parseTree', () => parseTree(text)],
    ['readDocument: parse, positions, conversation', () => readDocument(text)],
  ])
}

/** Measures the worker jobs that open a file, up to the first counts on the page. */
async function compareOpening(turns: number): Promise<void> {
  const text = makeClaudeSession(turns)
  const open = async (): Promise<void> => {
    // An encoding caches the texts it has counted, so each run gets a new one.
    const run = createJobRunner(await loadEncoding('o200k_base'))
    const context = { onProgress: () => {}, pause: async () => {} }
    await run('read', { document: 1, text }, context)
    await run('count', { document: 1 }, context)
  }
  await compare(`Opening a Claude Code session, ${megabytes(text)} of JSON Lines`, [
    ['JSON.parse of each line', () => text.split('\n').map((line) => JSON.parse(line))],
    ['readDocument', () => readDocument(text)],
    ["the worker's jobs: read and count", open],
  ])
}

async function compareDeciding(turns: number): Promise<void> {
  const { conversations } = readDocument(JSON.stringify(makeBody(turns)))
  const [conversation] = conversations
  if (conversation === undefined) throw new Error('The generated body is not a conversation.')
  const sources = { textOf: (index: number) => conversation.resultTexts[index]?.join('') ?? '' }
  await compare(`Deciding on ${conversation.results.length} results`, [
    [
      'a pass over the results',
      () => conversation.results.reduce((total, { chars }) => total + chars, 0),
    ],
    ['decide', () => decide(conversation, POLICY, sources)],
    [
      'decide, last 3 of each tool',
      () => decide(conversation, { ...POLICY, keepLastKPerTool: 3 }, sources),
    ],
  ])
}

/** The texts of `makeBody` as messages of the AI SDK. */
function makeModelMessages(turns: number): ModelMessage[] {
  const messages = Array.from({ length: turns }, (_, turn): ModelMessage[] => {
    const call = { toolCallId: `call_${turn}`, toolName: `tool_${turn % 7}` }
    const output = { type: 'text' as const, value: `${turn}\n${LINE.repeat(10)}` }
    return [
      { role: 'assistant', content: [{ type: 'tool-call', ...call, input: { path: 'a.ts' } }] },
      { role: 'tool', content: [{ type: 'tool-result', ...call, output }] },
    ]
  })
  return [{ role: 'user', content: 'go' }, ...messages.flat()]
}

async function compareMasking(turns: number): Promise<void> {
  const { messages } = makeBody(turns)
  const modelMessages = makeModelMessages(turns)
  const old = messages.slice(0, -2 * POLICY.windowTurns) as { role: string; content: string }[]
  const texts = old.flatMap(({ role, content }) => (role === 'tool' ? [content] : []))
  const toolCalls = `before-last-${2 * POLICY.windowTurns}-messages` as const
  await compare(`Masking the messages of ${turns} turns`, [
    ['a pass over the characters that can be masked', () => texts.map(passOver)],
    ['pruneMessages of the AI SDK', () => pruneMessages({ messages: modelMessages, toolCalls })],
    [
      'maskOldToolResults without keep_errors',
      () => maskOldToolResults(messages, { ...POLICY, keepErrors: false }),
    ],
    ['maskOldToolResults with keep_errors', () => maskOldToolResults(messages, POLICY)],
  ])
}

/** Compares with gpt-tokenizer alone, whose time grows with the square of the length of a run. */
async function compareLongRuns(): Promise<void> {
  const kinds = [
    ['source code', LINE.repeat(10)],
    ['one letter', 'a'.repeat(4_000)],
    ['spaces', ' '.repeat(4_000)],
    ['Chinese', '漢字'.repeat(1_000)],
  ] as const
  const { countTokens } = await loadEncoding('o200k_base')
  let runs = 0
  for (const [name, text] of kinds) {
    // A number that changes makes each text new to the caches of whole texts and long runs.
    const fresh = (): string => `${text}${text.at(-1)?.repeat(runs++ % 97)}${runs}`
    await compare(`Counting ${text.length} characters of ${name}`, [
      ['gpt-tokenizer', () => countByLibrary(fresh())],
      ['countTokens', () => countTokens(fresh())],
    ])
  }
}

async function compareWriting(turns: number): Promise<void> {
  const text = JSON.stringify(makeBody(turns), null, 1)
  const { conversations } = readDocument(text)
  const decisions = conversations.map((conversation) =>
    decide(conversation, POLICY, {
      textOf: (index) => conversation.resultTexts[index]?.join('') ?? '',
    }),
  )
  await compare(`Writing the masked text, ${megabytes(text)}`, [
    [
      'JSON.parse, mask, JSON.stringify',
      () => {
        const body = JSON.parse(text) as { messages: readonly object[] }
        const messages = maskOldToolResults(body.messages, POLICY)
        return JSON.stringify({ ...body, messages }, null, 1)
      },
    ],
    ['edits applied to the text', () => applyEdits(text, maskEdits(conversations, decisions))],
  ])
}

async function compareCounting(): Promise<void> {
  const size = 1_000_000
  const kinds: readonly (readonly [string, string])[] = [
    ['source code', LINE],
    ['JSON', '{"path": "src/app.ts", "line": 42, "hits": [1, 2, 3]}, '],
    ['one letter, an unbroken run', 'a'],
    ['spaces, an unbroken run', ' '],
  ]
  const code = LINE.repeat(size / LINE.length)
  const cases: Case[] = [['a pass over the characters', () => passOver(code)]]
  for (const id of ENCODING_IDS) {
    for (const [name, piece] of kinds) {
      const text = piece.repeat(size / piece.length)
      // An encoding caches the texts it has counted, so each run gets a new one.
      cases.push([`${id}, ${name}`, async () => (await loadEncoding(id)).countTokens(text)])
    }
  }
  await compare('Counting tokens, 1 MB', cases)
}

async function compareSweeping(turns: number): Promise<void> {
  const { conversations } = readDocument(JSON.stringify(makeBody(turns)))
  const [conversation] = conversations
  if (conversation === undefined) throw new Error('The generated body is not a conversation.')
  const { countTokens } = await loadEncoding('o200k_base')
  const session = createSession(conversation, countConversation(conversation, countTokens))
  const sources = {
    textOf: (index: number) => conversation.resultTexts[index]?.join('') ?? '',
    placeholderTokensOf: (_: number, placeholder: string) => countTokens(placeholder),
  }
  for (const id of ['openai-5', 'anthropic-1024', 'deepseek-4']) {
    const family = cacheFamilyById(id) ?? NO_CACHE
    const prices = priceSheet(undefined, family, { input: 1, output: 4 })
    const terms = { prices, rule: family.rule }
    const prepared = prepareReplay(session, { ...POLICY, keepLastKPerTool: 3 }, sources)
    const batchTurns = 16
    // A window and a batch of more turns than the session has mask nothing and take no time.
    const windows = Array.from({ length: turns - batchTurns }, (_, index) => index + 1)
    const points = (turns * (turns - 1)) / 2
    await compare(`Sweeping ${turns} turns, last 3 of each tool kept, cache rule ${id}`, [
      [
        `replays: ${windows.length} windows, 1 batch`,
        () =>
          windows.map((windowTurns) => replayTotal(prepared, { windowTurns, batchTurns }, terms)),
      ],
      ['sweep: the same', () => sweepPrepared(prepared, terms, [batchTurns])],
      [`sweep: every window and batch, ${points} points`, () => sweepPrepared(prepared, terms)],
    ])
  }
}

function passOver(text: string): number {
  let sum = 0
  for (let index = 0; index < text.length; index++) sum += text.charCodeAt(index)
  return sum
}

function megabytes(text: string): string {
  return `${(text.length / 1e6).toFixed(1)} MB`
}

console.log('Medians, with ratios to the first line of each block.')
await compareReading(300)
await compareReading(10_000)
await compareOpening(260)
await compareDeciding(303)
await compareDeciding(10_000)
await compareMasking(267)
await compareMasking(10_000)
await compareWriting(303)
await compareWriting(10_000)
await compareSweeping(300)
await compareCounting()
await compareLongRuns()
if (process.argv.includes('--write')) writeSection('core', tables.join('\n'))
