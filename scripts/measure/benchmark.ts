/**
 * Measures the speed of the core against alternatives in the same run, prints ratios, and ends with status 1 if one is
 * over its bound. Arguments are the areas to measure.
 */
import { type ModelMessage, pruneMessages } from 'ai'
import { countTokens as countByLibrary } from 'gpt-tokenizer/encoding/o200k_base'
import { parseTree } from 'jsonc-parser'
import { readDocument } from '../../lib/core/formats/read-document'
import { maskEdits } from '../../lib/core/mask/mask-document'
import { maskOldToolResults } from '../../lib/core/mask/mask-old-tool-results'
import { decide } from '../../lib/core/policy/decide'
import { DEFAULT_POLICY } from '../../lib/core/policy/policy'
import { parseJsonTree } from '../../lib/core/text/json-tree'
import { applyEdits } from '../../lib/core/text/span'
import { loadEncoding } from '../../lib/core/tokens/encoding'
import { createJobRunner } from '../../lib/worker/job-runner'
import type { Part } from '../../lib/worker/jobs'
import { REPLAY } from './benchmark-replay'
import { collectGarbage, compare, onFresh } from './compare'
import { type ChatMessage, LINE, linesOf, makeBody, makeMessages, megabytes } from './transcripts'

const POLICY = { ...DEFAULT_POLICY, enabled: true }

const AREAS: Readonly<Record<string, readonly (() => Promise<string[]>)[]>> = {
  masking: [
    () => compareWithOthers(30),
    () => compareWithOthers(2_000),
    () => compareWithScan('Latin-1 text', LINE),
    () => compareWithScan('text beyond Latin-1', `→${LINE}`),
  ],
  replay: REPLAY,
  reading: [() => compareReading(3_000), () => compareOpening(3_000), () => compareStep(3_000)],
  counting: [
    () => compareCounting('source code', LINE.repeat(400), 2),
    () => compareCounting('one letter', 'a'.repeat(4_000), 1),
    () => compareCounting('Chinese', '漢字'.repeat(1_000), 1),
  ],
}

function compareWithOthers(turns: number): Promise<string[]> {
  const messages = makeMessages({ turns })
  const modelMessages = messages.map(toModelMessage)
  const toolCalls = `before-last-${2 * POLICY.windowTurns}-messages` as const
  const prune = (all: ModelMessage[]) => pruneMessages({ messages: all, toolCalls })
  const mask = (all: readonly ChatMessage[]) =>
    maskOldToolResults(all, { ...POLICY, keepErrors: false })
  return compare(`Masking ${turns.toLocaleString('en')} turns, \`keep_errors\` off`, [
    { name: '`pruneMessages` of the AI SDK', run: () => prune(modelMessages) },
    { name: '`maskOldToolResults`', run: () => mask(messages), atMost: 2 },
  ])
}

function toModelMessage({ role, content, tool_calls, tool_call_id }: ChatMessage): ModelMessage {
  if (role === 'assistant') {
    const calls = (tool_calls ?? []).map(({ id, function: { name, arguments: input } }) => ({
      type: 'tool-call' as const,
      toolCallId: id,
      toolName: name,
      input: JSON.parse(input) as unknown,
    }))
    return { role, content: calls }
  }
  if (role !== 'tool') return { role: 'user', content: content ?? '' }
  const output = { type: 'text' as const, value: content ?? '' }
  const toolCallId = tool_call_id ?? ''
  return { role, content: [{ type: 'tool-result', toolCallId, toolName: 'tool', output }] }
}

/** Messages that were just parsed, so that nothing is known about their texts. */
function compareWithScan(kind: string, line: string): Promise<string[]> {
  const turns = 267
  const body = JSON.stringify(makeMessages({ turns, resultOf: linesOf(10, line) }))
  const parse = () => JSON.parse(body) as ChatMessage[]
  const known = parse()
  const oldTexts = () =>
    parse()
      .slice(0, -2 * POLICY.windowTurns)
      .flatMap(({ role, content }) => (role === 'tool' ? [content ?? ''] : []))
  const scan = (text: string) => {
    let sum = 0
    for (let index = 0; index < text.length; index++) sum += text.charCodeAt(index)
    return sum
  }
  const mask = (all: readonly ChatMessage[]) => maskOldToolResults(all, POLICY)
  const scanned = onFresh(oldTexts, (texts) => texts.map(scan))
  return compare(`Masking ${turns} turns, \`keep_errors\` on, ${kind}`, [
    { name: 'a scan of the texts that can be masked', ...scanned },
    { name: '`maskOldToolResults`', ...onFresh(parse, mask), atMost: 3 },
    { name: '`maskOldToolResults`, the same again', run: () => mask(known), atMost: 0.6 },
  ])
}

function compareReading(turns: number): Promise<string[]> {
  const text = makeBody({ turns })
  return compare(`Reading ${megabytes(text)} of JSON`, [
    { name: 'JSON.parse', run: () => JSON.parse(text) },
    { name: 'jsonc-parser `parseTree`', run: () => parseTree(text) },
    { name: '`parseJsonTree`: positions', run: () => parseJsonTree(text), atMost: 15 },
    {
      name: '`readDocument`: values, positions, conversation',
      run: () => readDocument(text),
      atMost: 60,
    },
  ])
}

/** The worker's job that opens a file, up to the counts. */
function compareOpening(turns: number): Promise<string[]> {
  const messages = makeMessages({ turns })
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
    {
      name: 'JSON.parse of each line',
      run: () => text.split('\n').map((line) => JSON.parse(line)),
    },
    { name: '`readDocument`', run: () => readDocument(text), atMost: 90 },
    { name: "the worker's job, up to the counts", run: open, atMost: 300 },
  ])
}

/** A slider step: decisions and edits, against parsing, masking and writing the text again. */
function compareStep(turns: number): Promise<string[]> {
  const text = makeBody({ turns })
  const { conversations } = readDocument(text)
  const plainStep = (): string => {
    const body = JSON.parse(text) as { messages: readonly object[] }
    return JSON.stringify({ ...body, messages: maskOldToolResults(body.messages, POLICY) }, null, 2)
  }
  const step = (): string => {
    const decisions = conversations.map((conversation) =>
      decide(conversation, POLICY, {
        textOf: (index) => conversation.resultTexts[index]?.join('') ?? '',
      }),
    )
    return applyEdits(text, maskEdits(conversations, decisions))
  }
  const before = collectGarbage
  return compare(`A slider step, ${megabytes(text)} of JSON`, [
    { name: 'the plain way: JSON.parse, mask, JSON.stringify', run: plainStep, before },
    { name: 'decide, and edit the text', run: step, before, atMost: 0.8 },
  ])
}

async function compareCounting(kind: string, text: string, atMost: number): Promise<string[]> {
  const { countTokens } = await loadEncoding('o200k_base')
  let runs = 0
  // A number that changes makes each text new to the caches of whole texts and long runs.
  const fresh = (): string => `${text}${text.at(-1)?.repeat(runs++ % 97)}${runs}`
  return compare(`Counting ${text.length.toLocaleString('en')} characters of ${kind}`, [
    { name: 'gpt-tokenizer', run: () => countByLibrary(fresh()) },
    { name: '`countTokens`', run: () => countTokens(fresh()), atMost },
  ])
}

const names = process.argv.slice(2)
const unknown = names.find((name) => !Object.hasOwn(AREAS, name))
if (unknown !== undefined) {
  console.error(`There is no area "${unknown}"; expected ${Object.keys(AREAS).join(', ')}.`)
  process.exit(2)
}
console.log('Processor time, with ratios to the last line above that has 1.00.')
for (const [name, comparisons] of Object.entries(AREAS)) {
  if (names.length > 0 && !names.includes(name)) continue
  for (const measure of comparisons)
    for (const sentence of await measure()) {
      console.error(sentence)
      process.exitCode = 1
    }
}
