/**
 * How long the core's loops take, as ratios to a yardstick measured in the same run: times of two machines, or of one
 * machine on two days, say nothing to each other. Nothing passes or fails here. Data is made up, of set sizes.
 */
import { parseTree, visit } from 'jsonc-parser'
import { measure } from 'mitata'
import { readDocument } from '../lib/core/formats/read-document'
import { maskEdits } from '../lib/core/mask/mask-edits'
import { maskOldToolResults } from '../lib/core/mask/mask-old-tool-results'
import { decide } from '../lib/core/policy/decide'
import { DEFAULT_POLICY } from '../lib/core/policy/policy'
import { cacheFamilyById, NO_CACHE } from '../lib/core/replay/cache-rules'
import { maskFacts } from '../lib/core/replay/mask-facts'
import { priceSheet } from '../lib/core/replay/price-sheet'
import { replayTotal } from '../lib/core/replay/replay'
import { sessionOf } from '../lib/core/replay/requests'
import { sweepFacts } from '../lib/core/replay/sweep'
import { parseJsonTree } from '../lib/core/text/json-tree'
import { applyEdits } from '../lib/core/text/span'
import { countConversation } from '../lib/core/tokens/count-conversation'
import { ENCODING_IDS, loadEncoding } from '../lib/core/tokens/encoding'
import { createJobRunner } from '../lib/worker/run-jobs'

const POLICY = { ...DEFAULT_POLICY, enabled: true }
const LINE =
  '  const total = items.reduce((sum, item) => sum + item.price * item.count, 0) // ligne 42, été\n'

/** A request body of so many turns with one call each, its results a kilobyte long. */
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

/** A Claude Code session of so many turns, its results four kilobytes long and repeated beside themselves. */
function makeClaudeSession(turns: number): string {
  const around = { sessionId: 'session', isSidechain: false, version: '2.1.14', cwd: '/home/user' }
  const lines = Array.from({ length: turns }, (_, turn) => {
    const id = `toolu_${turn}`
    const call = { type: 'tool_use', id, name: `tool_${turn % 7}`, input: { path: 'a.ts' } }
    const output = `${turn}\n${LINE.repeat(40)}`
    const result = { type: 'tool_result', tool_use_id: id, content: output }
    return [
      {
        ...around,
        type: 'assistant',
        message: { id: `msg_${turn}`, role: 'assistant', content: [call] },
      },
      {
        ...around,
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

type Case = readonly [name: string, run: () => unknown]

/** Measures cases in turn and prints each beside the first. */
async function compare(title: string, cases: readonly Case[]): Promise<void> {
  const medians: number[] = []
  for (const [, run] of cases) {
    // One sample of a slow case is enough; a fast one gets half a second.
    const { p50 } = await measure(run, { min_cpu_time: 5e8, min_samples: 5 })
    medians.push(p50 as number)
  }
  const [yardstick] = medians
  const width = Math.max(...cases.map(([name]) => name.length))
  console.log(`\n${title}`)
  for (const [index, [name]] of cases.entries()) {
    const median = medians[index] as number
    const ratio = (median / (yardstick as number)).toFixed(2).padStart(8)
    console.log(`  ${name.padEnd(width)}  ${ratio} x  ${(median / 1e6).toFixed(3).padStart(10)} ms`)
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

/** What opening a file costs: the worker's own jobs, up to the first counts on the page. */
async function compareOpening(turns: number): Promise<void> {
  const text = makeClaudeSession(turns)
  const open = async (): Promise<void> => {
    // A new encoding each time: one that has counted a text remembers it.
    const run = createJobRunner(await loadEncoding('o200k_base'))
    const surroundings = { onProgress: () => {}, pause: async () => {} }
    await run({ kind: 'read', document: 1, text, format: undefined }, surroundings)
    await run({ kind: 'count', document: 1 }, surroundings)
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
  if (conversation === undefined) throw new Error('The body made up is no conversation.')
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
      // A new encoding each time: one that has counted a text remembers it.
      cases.push([`${id}, ${name}`, async () => (await loadEncoding(id)).countTokens(text)])
    }
  }
  await compare('Counting tokens, 1 MB', cases)
}

async function compareSweeping(turns: number): Promise<void> {
  const { conversations } = readDocument(JSON.stringify(makeBody(turns)))
  const [conversation] = conversations
  if (conversation === undefined) throw new Error('The body made up is no conversation.')
  const { countTokens } = await loadEncoding('o200k_base')
  const session = sessionOf(conversation, countConversation(conversation, countTokens))
  const sources = {
    textOf: (index: number) => conversation.resultTexts[index]?.join('') ?? '',
    placeholderTokensOf: (_: number, placeholder: string) => countTokens(placeholder),
  }
  for (const id of ['openai-5', 'anthropic-1024']) {
    const family = cacheFamilyById(id) ?? NO_CACHE
    const prices = priceSheet(undefined, family, { input: 1, output: 4 })
    const terms = { prices, rule: family.rule }
    const facts = maskFacts(session, { ...POLICY, keepLastKPerTool: 3 }, sources)
    const windows = Array.from({ length: turns }, (_, index) => index + 1)
    await compare(`Sweeping ${turns} turns, last 3 of each tool kept, cache rule ${id}`, [
      [`sweep: ${turns} windows, 1 batch`, () => sweepFacts(facts, terms, [16])],
      [
        `replays: ${turns} windows, 1 batch`,
        () =>
          windows.map((windowTurns) => replayTotal(facts, { windowTurns, batchTurns: 16 }, terms)),
      ],
      [`sweep: ${turns} windows, 6 batches`, () => sweepFacts(facts, terms)],
      [
        `the same, all decisions made anew`,
        () => sweepFacts(maskFacts(session, { ...POLICY, keepLastKPerTool: 3 }, sources), terms),
      ],
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

console.log('Medians, each beside the first line of its block.')
await compareReading(300)
await compareReading(10_000)
await compareOpening(260)
await compareDeciding(303)
await compareDeciding(10_000)
await compareWriting(303)
await compareWriting(10_000)
await compareSweeping(300)
await compareCounting()
