/**
 * Measures the speed of the core against alternatives in the same run, prints ratios, and ends with status 1 if one is
 * over its bound. Arguments are the areas to measure.
 */
import { type ModelMessage, pruneMessages } from 'ai'
import { countTokens as countByLibrary } from 'gpt-tokenizer/encoding/o200k_base'
import { parseTree } from 'jsonc-parser'
import { readDocument } from '../../lib/core/formats/read-document'
import { maskDocument } from '../../lib/core/mask/mask-document'
import { maskOldToolResults } from '../../lib/core/mask/mask-old-tool-results'
import { DEFAULT_POLICY } from '../../lib/core/policy/policy'
import { parseJsonTree } from '../../lib/core/text/json-tree'
import { loadEncoding } from '../../lib/core/tokens/encoding'
import { createJobRunner } from '../../lib/worker/job-runner'
import type { Part } from '../../lib/worker/jobs'
import { REPLAY } from './benchmark-replay'
import { collectGarbage, compare, onFresh } from './compare'
import { LINE, linesOf, type MadeMessage, makeBody, makeMessages, megabytes } from './transcripts'

const POLICY = { ...DEFAULT_POLICY, enabled: true }

function compareWithOthers(turns: number) {
  const messages = makeMessages({ turns })
  const modelMessages = messages.map(toModelMessage)
  const toolCalls = `before-last-${2 * POLICY.windowTurns}-messages` as const
  const policy = { ...POLICY, keepErrors: false }
  return compare(`Masking ${turns.toLocaleString('en')} turns, \`keep_errors\` off`, [
    ['`pruneMessages` of the AI SDK', () => pruneMessages({ messages: modelMessages, toolCalls })],
    ['`maskOldToolResults`', () => maskOldToolResults(messages, policy), 2],
  ])
}

function toModelMessage(message: MadeMessage): ModelMessage {
  if (message.role === 'user') return message
  const { role, content } = message
  if (role === 'assistant') {
    const calls = message.tool_calls.map(({ id, function: called }) => ({
      type: 'tool-call' as const,
      toolCallId: id,
      toolName: called.name,
      input: JSON.parse(called.arguments) as unknown,
    }))
    return { role, content: calls }
  }
  const result = {
    type: 'tool-result',
    toolCallId: message.tool_call_id,
    toolName: 'tool',
  } as const
  return { role, content: [{ ...result, output: { type: 'text', value: content } }] }
}

/** Messages that were just parsed, so that nothing is known about their texts. */
function compareWithScan(kind: string, line: string) {
  const turns = 267
  const body = JSON.stringify(makeMessages({ turns, resultOf: linesOf(10, line) }))
  const parse = () => JSON.parse(body) as MadeMessage[]
  const known = parse()
  const oldTexts = () =>
    parse()
      .slice(0, -2 * POLICY.windowTurns)
      .flatMap(({ role, content }) => (role === 'tool' ? [content] : []))
  const scan = (text: string) => {
    let sum = 0
    for (let index = 0; index < text.length; index++) sum += text.charCodeAt(index)
    return sum
  }
  const mask = (all: readonly MadeMessage[]) => maskOldToolResults(all, POLICY)
  return compare(`Masking ${turns} turns, \`keep_errors\` on, ${kind}`, [
    onFresh('a scan of the texts that can be masked', oldTexts, (texts) => texts.map(scan)),
    onFresh('`maskOldToolResults`', parse, mask, 3),
    ['`maskOldToolResults`, the same again', () => mask(known), 0.6],
  ])
}

function compareReading() {
  const text = makeBody({ turns: 3_000 })
  return compare(`Reading ${megabytes(text)} of JSON`, [
    ['JSON.parse', () => JSON.parse(text)],
    ['jsonc-parser `parseTree`', () => parseTree(text)],
    ['`parseJsonTree`: positions', () => parseJsonTree(text), 15],
    ['`readDocument`: values, positions, conversation', () => readDocument(text), 60],
  ])
}

/** The worker's job that opens a file, up to the counts. */
function compareOpening() {
  const messages = makeMessages({ turns: 3_000 })
  const text = messages.map((message) => JSON.stringify(message)).join('\n')
  const open = async (): Promise<void> => {
    // An encoding caches the texts it has counted, so each run gets a new one.
    const { run } = createJobRunner(await loadEncoding('o200k_base'))
    const input = { document: 1, text, wanted: { shown: 0, questions: [] } }
    await new Promise<void>((resolve) => {
      const onPart = ({ name }: Part) => name === 'counts' && resolve()
      void run('open', input, { onProgress: () => {}, onPart, pause: async () => {} })
    })
  }
  return compare(`Opening ${megabytes(text)} of JSON Lines`, [
    ['JSON.parse of each line', () => text.split('\n').map((line) => JSON.parse(line))],
    ['`readDocument`', () => readDocument(text), 90],
    ["the worker's job, up to the counts", open, 300],
  ])
}

/** A slider step: decisions and edits, against parsing, masking and writing the text again. */
function compareStep() {
  const text = makeBody({ turns: 3_000 })
  const { conversations } = readDocument(text)
  const plainStep = (): string => {
    const body = JSON.parse(text) as { messages: readonly object[] }
    return JSON.stringify({ ...body, messages: maskOldToolResults(body.messages, POLICY) }, null, 2)
  }
  const step = () => maskDocument({ text, conversations }, POLICY).text
  return compare(`A slider step, ${megabytes(text)} of JSON`, [
    ['the plain way: JSON.parse, mask, JSON.stringify', plainStep, undefined, collectGarbage],
    ['decide, and edit the text', step, 0.8, collectGarbage],
  ])
}

async function compareCounting(kind: string, text: string, atMost: number) {
  const { countTokens } = await loadEncoding('o200k_base')
  let runs = 0
  // A number that changes makes each text new to the caches of whole texts and long runs.
  const fresh = (): string => `${text}${text.at(-1)?.repeat(runs++ % 97)}${runs}`
  return compare(`Counting ${text.length.toLocaleString('en')} characters of ${kind}`, [
    ['gpt-tokenizer', () => countByLibrary(fresh())],
    ['`countTokens`', () => countTokens(fresh()), atMost],
  ])
}

const AREAS: Readonly<Record<string, readonly (() => Promise<string[]>)[]>> = {
  masking: [
    () => compareWithOthers(30),
    () => compareWithOthers(2_000),
    () => compareWithScan('Latin-1 text', LINE),
    () => compareWithScan('text beyond Latin-1', `→${LINE}`),
  ],
  replay: REPLAY,
  reading: [compareReading, compareOpening, compareStep],
  counting: [
    () => compareCounting('source code', LINE.repeat(400), 2),
    () => compareCounting('one letter', 'a'.repeat(4_000), 1),
    () => compareCounting('Chinese', '漢字'.repeat(1_000), 1),
  ],
}

const names = process.argv.slice(2)
const unknown = names.find((name) => !Object.hasOwn(AREAS, name))
if (unknown !== undefined) {
  console.error(`There is no area "${unknown}"; expected ${Object.keys(AREAS).join(', ')}.`)
  process.exit(2)
}
console.log('Processor time, with ratios to the last line above that has 1.00.')
for (const name of names.length > 0 ? names : Object.keys(AREAS))
  for (const measure of AREAS[name] ?? [])
    for (const sentence of await measure()) {
      console.error(sentence)
      process.exitCode = 1
    }
