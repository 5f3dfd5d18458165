/** Measures the speed of the core against plainer ways in the same run, and prints ratios, each of which has a bound. */
import { countTokens as countByLibrary } from 'gpt-tokenizer/encoding/o200k_base'
import { parseTree } from 'jsonc-parser'
import { expect, test } from 'vitest'
import { prepareSession } from '../../lib/core/fleet/measure-sessions'
import { readDocument } from '../../lib/core/formats/read-document'
import { maskDocument } from '../../lib/core/mask/mask-document'
import { maskOldToolResults } from '../../lib/core/mask/mask-old-tool-results'
import { anthropicClearToolUses } from '../../lib/core/mechanisms/anthropic'
import { bestSettings, triedSettings } from '../../lib/core/mechanisms/best-settings'
import { readHistory } from '../../lib/core/mechanisms/history'
import type { Settings } from '../../lib/core/mechanisms/mechanism'
import { measureMechanism } from '../../lib/core/mechanisms/testing/test-history'
import { DEFAULT_POLICY } from '../../lib/core/policy/policy'
import { cacheFamilyById, NO_CACHE } from '../../lib/core/replay/cache-rules'
import { sessionLimit } from '../../lib/core/replay/limit/session-limit'
import { priceSheet } from '../../lib/core/replay/price-sheet'
import { replayPrepared } from '../../lib/core/replay/replay'
import { createSession } from '../../lib/core/replay/sessions'
import { sweepPrepared } from '../../lib/core/replay/sweep'
import { resultOf } from '../../lib/core/steps'
import { parseJsonTree } from '../../lib/core/text/json-tree'
import { countConversation } from '../../lib/core/tokens/count-conversation'
import { loadEncoding } from '../../lib/core/tokens/encoding'
import { findLaterUses } from '../../lib/core/uses/find-later-uses'
import { createJobRunner } from '../../lib/worker/job-runner'
import type { Part } from '../../lib/worker/jobs'
import { compare } from './testing/compare'
import {
  LINE,
  linesOf,
  type MadeMessage,
  makeBody,
  makeMessages,
  megabytes,
} from './testing/transcripts'

const POLICY = { ...DEFAULT_POLICY, enabled: true }

/** Messages that were just parsed, so that nothing is known about their texts. */
function compareWithScan(kind: string, line: string) {
  const turns = 267
  const body = JSON.stringify(makeMessages({ turns, resultOf: linesOf(10, line) }))
  let messages: readonly MadeMessage[] = []
  let texts: readonly string[] = []
  const parse = () => {
    messages = JSON.parse(body)
    texts = messages
      .slice(0, -2 * POLICY.windowTurns)
      .flatMap(({ role, content }) => (role === 'tool' ? [content] : []))
  }
  const scan = (text: string) => {
    let sum = 0
    for (let index = 0; index < text.length; index++) sum += text.charCodeAt(index)
    return sum
  }
  const mask = () => maskOldToolResults(messages, POLICY)
  return compare(`Masking ${turns} turns, \`keep_errors\` on, ${kind}`, [
    ['a scan of the texts that can be masked', () => texts.map(scan), Infinity, parse],
    ['`maskOldToolResults`', mask, 3, parse],
    ['`maskOldToolResults`, the same again', mask, 1],
  ])
}

/** Lengths instead of tokens: only the replay is measured. */
const countQuarters = (text: string): number => Math.ceil(text.length / 4)

/** A generated session, prepared for a replay under a cache rule. */
function prepare(turns: number, lines: number, rule: string) {
  const [conversation] = readDocument(makeBody({ turns, resultOf: linesOf(lines) })).conversations
  if (conversation === undefined) throw new Error('The generated body is not a conversation.')
  const session = createSession(conversation, countConversation(conversation, countQuarters))
  const policy = { ...POLICY, keepLastKPerTool: 3 }
  const prepared = prepareSession(session, conversation.resultTexts, policy, countQuarters)
  const family = cacheFamilyById(rule) ?? NO_CACHE
  const prices = priceSheet(undefined, family, { input: 1, output: 4 })
  return { conversation, prepared, terms: { prices, rule: family.rule } }
}

/** Quadratic work would be 4 times for each doubling. */
function compareLengths() {
  const replay = (turns: number) => {
    const { prepared, terms } = prepare(turns, 2, 'anthropic-1024')
    return () => replayPrepared(prepared, POLICY, terms)
  }
  return compare('Replaying a short session and a long one', [
    ['1,000 turns', replay(1_000)],
    ['32,000 turns', replay(32_000), 3 ** 5],
  ])
}

function compareSweeping(rule: string) {
  const { prepared, terms } = prepare(150, 10, rule)
  const batchTurns = 16
  const windows = Array.from({ length: 150 - batchTurns }, (_, index) => index + 1)
  const replays = () =>
    windows.map((windowTurns) => replayPrepared(prepared, { windowTurns, batchTurns }, terms).after)
  const sweep = () => sweepPrepared(prepared, terms, { batches: [batchTurns] })
  return compare(`Sweeping 150 turns, cache rule ${rule}`, [
    [`a replay for each of ${windows.length} windows`, replays],
    ['the sweep of the same windows', sweep, 1],
  ])
}

/** The first is a replay for each move that a window can have made last. */
function compareLimit(rule: string, atMost: number) {
  const { prepared, terms } = prepare(300, 10, rule)
  const replay = () => replayPrepared(prepared, POLICY, terms).after
  return compare(`The limit of a session, 300 turns, cache rule ${rule}`, [
    ['300 replays', () => Array.from({ length: 300 }, replay)],
    ['`sessionLimit`', () => sessionLimit(prepared, POLICY.windowTurns, terms), atMost],
  ])
}

/** The first is a whole measure of each of the settings that are tried. */
function compareMechanism() {
  const { conversation, terms } = prepare(300, 40, 'anthropic-1024')
  const session = createSession(conversation, countConversation(conversation, countQuarters))
  const uses = findLaterUses(session, conversation)
  const both = { session, counted: session }
  const history = readHistory(both, conversation, countQuarters, uses)
  const all = triedSettings(anthropicClearToolUses)
  const measure = (settings: Settings) =>
    measureMechanism(history, anthropicClearToolUses, settings, terms)
  const search = () => resultOf(bestSettings([{ history, terms }], anthropicClearToolUses, 0.95))
  return compare(`The cheapest of ${all.length} settings of a mechanism, 300 turns`, [
    ['`measureMechanism` for each', () => all.map(measure)],
    ['`bestSettings`', search, 1],
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
    ['the plain way: JSON.parse, mask, JSON.stringify', plainStep],
    ['decide, and edit the text', step, 0.8],
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

test.each<[name: string, measure: () => Promise<readonly string[]>]>([
  ['masking Latin-1 text', () => compareWithScan('Latin-1 text', LINE)],
  ['masking text beyond Latin-1', () => compareWithScan('text beyond Latin-1', `→${LINE}`)],
  ['replaying long sessions', compareLengths],
  ['sweeping, longest prefix', () => compareSweeping('openai-5')],
  ['sweeping, breakpoints', () => compareSweeping('anthropic-1024')],
  ['sweeping, units', () => compareSweeping('deepseek-4')],
  ['the limit, longest prefix', () => compareLimit('openai-5', 20)],
  ['the limit, breakpoints', () => compareLimit('anthropic-1024', 3)],
  ['the limit, units', () => compareLimit('deepseek-4', 3)],
  ['the cheapest settings of a mechanism', compareMechanism],
  ['reading', compareReading],
  ['opening', compareOpening],
  ['a slider step', compareStep],
  ['counting source code', () => compareCounting('source code', LINE.repeat(400), 2)],
  ['counting one letter', () => compareCounting('one letter', 'a'.repeat(4_000), 1)],
  ['counting Chinese', () => compareCounting('Chinese', '漢字'.repeat(1_000), 1)],
])('%s stays within its bounds', async (_, measure) => expect(await measure()).toEqual([]), 300_000)
