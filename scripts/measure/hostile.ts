/**
 * Runs inputs made to break a reader, a counter or a scan, and prints a table: `npm run hostile`; `--only TEXT` runs those
 * whose name has this text. Ends with status 1 if one takes longer than its bound. A new input is a row.
 */
import { parseArgs } from 'node:util'
import { gzipSync, zipSync } from 'fflate'
import { errorRulesOf } from '../../lib/core/conversation/error-rules'
import { createUnpackBudget } from '../../lib/core/files/byte-sink'
import { unpack } from '../../lib/core/files/unpack'
import { lastConversationOf, prepareSession } from '../../lib/core/fleet/measure-sessions'
import { readDocument } from '../../lib/core/formats/read-document'
import { decodeFile } from '../../lib/core/formats/reading/open-source'
import { maskDocument } from '../../lib/core/mask/mask-document'
import { DEFAULT_POLICY } from '../../lib/core/policy/policy'
import { ReadError } from '../../lib/core/problem'
import { UNKNOWN_PRICES } from '../../lib/core/replay/price-sheet'
import { replayPrepared } from '../../lib/core/replay/replay'
import { createSessions } from '../../lib/core/replay/sessions'
import { packText, unpackText } from '../../lib/core/share/link/packed-text'
import { readSettingsLink } from '../../lib/core/share/link/settings-link'
import { countConversation } from '../../lib/core/tokens/count-conversation'
import { loadEncoding } from '../../lib/core/tokens/encoding'
import { describeProblem } from '../../lib/core/words/english'
import { collectGarbage, markdownTable, timeOf } from './compare'

type Input = string | Uint8Array

const POLICY = { ...DEFAULT_POLICY, enabled: true }
const TERMS = { prices: UNKNOWN_PRICES, rule: { kind: 'none' } } as const

const textOf = (input: Input) => (typeof input === 'string' ? input : decodeFile(input))

const plural = (count: number, word: string) =>
  `${count.toLocaleString('en')} ${word}${count === 1 ? '' : 's'}`

/** Says what happened to an input. */
type Run = (input: Input) => string | Promise<string>

/** Reads, counts, masks, and replays the first sessions. */
const open: Run = async (input) => {
  const { countTokens } = await loadEncoding('o200k_base')
  const text = textOf(input)
  const { conversations, problems } = readDocument(text)
  const counts = conversations.map((one) => countConversation(one, countTokens))
  const { edits } = maskDocument({ text, conversations }, POLICY, countTokens)
  for (const session of createSessions(conversations, counts).slice(0, 20)) {
    const texts = conversations[lastConversationOf(session)]?.resultTexts ?? []
    replayPrepared(prepareSession(session, texts, POLICY, countTokens), POLICY, TERMS)
  }
  const first = problems.slice(0, 1).map((problem) => `: ${describeProblem(problem)}`)
  const said = `${plural(conversations.length, 'conversation')}, ${plural(edits.length, 'edit')}`
  return `${said}, ${plural(problems.length, 'problem')}${first}`
}
const errorRules: Run = (input) => `marks: ${errorRulesOf(textOf(input)).join(', ') || 'none'}`
const link: Run = (input) => plural(readSettingsLink(textOf(input)).problems.length, 'problem')
const packed: Run = (input) => unpackText(textOf(input)).state.replace('_', ' ')
const archive: Run = async (input) => {
  const files = await unpack('a.zip', input as Uint8Array, createUnpackBudget())
  const problem = files.find((file) => 'problem' in file)?.problem
  return problem === undefined ? plural(files.length, 'file') : describeProblem(problem)
}

const MB = 1_000_000
const repeat = (part: string, chars: number) => part.repeat(Math.ceil(chars / part.length))
const list = <Item>(length: number, item: (index: number) => Item) =>
  Array.from({ length }, (_, index) => item(index))

const call = (id: string) => ({ id, type: 'function', function: { name: 'read', arguments: '{}' } })
const result = (id: string, content: unknown) => ({ role: 'tool', tool_call_id: id, content })
const turn = (id: string, content: unknown) => [
  { role: 'assistant', content: null, tool_calls: [call(id)] },
  result(id, content),
]
const MESSAGES = `"messages":${JSON.stringify(turn('a', 'x'))}`
/** A conversation of a few turns whose first result is this text. */
const resultOf = (text: string) =>
  JSON.stringify([turn('a', text), ...list(9, (at) => turn(`b${at}`, 'x'))].flat())

/** What is run, its stage, the most seconds of processor time that it may take, and the inputs by name, as values or texts. */
const inputsOf = (run: Run, stage: string, bound: number, makers: Record<string, () => unknown>) =>
  Object.entries(makers).map(([name, make]) => ({ run, stage, bound, name, make }))

const HOSTILE = [
  ...inputsOf(open, 'open', 15, {
    '400 requests of a log, each with one message more': () => {
      const messages = list(400, (at) => turn(`c${at}`, `result ${at}`)).flat()
      return list(400, (at) =>
        JSON.stringify({ model: 'm', messages: messages.slice(0, 2 * at + 2) }),
      ).join('\n')
    },
  }),
  ...inputsOf(open, 'open', 5, {
    'one line of 10 MB in a result': () => resultOf(repeat('all in one line ', 10 * MB)),
    '50,000 calls in one turn': () => [
      { role: 'assistant', content: null, tool_calls: list(50_000, (at) => call(`c${at}`)) },
      ...list(50_000, (at) => result(`c${at}`, `result ${at}`)),
    ],
    '500 turns whose ids are all equal': () => list(500, (at) => turn('a', `result ${at}`)).flat(),
    '10,000 conversations in JSON Lines': () =>
      list(10_000, (at) => JSON.stringify({ messages: turn(`c${at}`, 'result') })).join('\n'),
    '100,000 results without a call': () => list(100_000, (at) => result(`c${at}`, 'x')),
    'an object of 200,000 keys beside the messages': () => ({
      messages: turn('a', 'x'),
      metadata: Object.fromEntries(list(200_000, (at) => [`key ${at}`, at])),
    }),
    'a key given 100,000 times': () => `{${repeat('"role":"x",', 1.1 * MB)}${MESSAGES}}`,
    'a number of 1 MB': () => `{"n":${repeat('9', MB)},${MESSAGES}}`,
    '100,000 exponents beyond every number': () =>
      `{"n":[${list(100_000, () => '1e999999999').join()}],${MESSAGES}}`,
    '1 MB of lone surrogates': () => resultOf(repeat('\ud800', MB)),
    'JSON in a string, ten times': () =>
      list(10, () => 0).reduce(
        (content) => JSON.stringify([{ role: 'user', content }]),
        JSON.stringify(turn('a', 'x')),
      ),
    '100,000 lines that are not JSON': () => `{${MESSAGES}}\n${repeat('{"a":\n', 600_000)}`,
    'a cURL command of 5 MB of quotes': () =>
      `curl https://example.org -d '${repeat("'\\''", 5 * MB)}'`,
  }),
  ...inputsOf(open, 'open', 1, {
    '100,000 nested arrays': () => '['.repeat(100_000),
    '100,000 nested objects, closed': () => `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`,
  }),
  ...inputsOf(open, 'open', 2, {
    '1 MB of spaces': () => resultOf(repeat(' ', MB)),
    '1 MB of one letter': () => resultOf(repeat('a', MB)),
    '1 MB of one Chinese character': () => resultOf(repeat('中', MB / 3)),
    '1 MB of base64': () =>
      resultOf(
        Buffer.from(list(0.75 * MB, (at) => (at * 7919 + (at >> 4) * 31) % 256)).toString('base64'),
      ),
  }),
  ...inputsOf(errorRules, 'error rules', 0.5, {
    'error in quotes, no colon, 1 MB': () => repeat('"error', MB),
    'error in quotes before 1 MB of spaces': () => `"error"${repeat(' ', MB)}`,
    'beginnings of every mark, 1 MB': () =>
      repeat('tracebac exceptio timeou connect_erro connection refuse ', MB),
    'an error object nested 1 MB deep': () =>
      `{"status":"error","a":${'['.repeat(MB)}${']'.repeat(MB)}}`,
    'error_ repeated, 1 MB': () => repeat('error_', MB),
  }),
  ...inputsOf(link, 'link', 1, {
    '10,000 characters of rubbish': () => repeat('A%!8&=', 10_000),
    '1 MB of % signs': () => repeat('%', MB),
    '100,000 unknown keys': () => list(100_000, (at) => `k${at}=${at}`).join('&'),
    '100,000 excluded tools': () => `v=2&x=${repeat('bash,', 500_000)}`,
  }),
  ...inputsOf(packed, 'transcript in a link', 2, {
    'a bomb: 50 MB packed into 65 kB': () => packText(' '.repeat(50 * MB)),
    '1 MB that is not packed': () => repeat('A', MB),
  }),
  ...inputsOf(archive, 'archive', 6, {
    'a gzip bomb of 1 GB, packed twice': () => {
      const packed = Buffer.from(gzipSync(new Uint8Array(100 * MB)))
      return new Uint8Array(gzipSync(Buffer.concat(list(10, () => packed))))
    },
    'a zip of 20 members of 50 MB': () => {
      const zeros = new Uint8Array(50 * MB)
      return zipSync(Object.fromEntries(list(20, (at) => [`${at}.json`, zeros])))
    },
    'a zip of 20,000 files': () =>
      zipSync(Object.fromEntries(list(20_000, (at) => [`${at}.json`, new Uint8Array([91, 93])]))),
  }),
]

const { values } = parseArgs({ options: { only: { type: 'string', default: '' } } })
const over: string[] = []
const rows: Record<string, string>[] = []
for (const { run, stage, bound, name, make } of HOSTILE) {
  if (!`${stage} ${name}`.includes(values.only)) continue
  const made = make()
  const isInput = typeof made === 'string' || made instanceof Uint8Array
  const input = isInput ? made : JSON.stringify(made)
  const bytes = typeof input === 'string' ? Buffer.byteLength(input) : input.length
  let outcome = ''
  let seconds = Infinity
  // A busy machine makes one run long, hardly three.
  for (let tries = 0; tries < 3 && seconds > bound; tries++) {
    collectGarbage()
    const milliseconds = await timeOf(async () => {
      try {
        outcome = await run(input)
      } catch (error) {
        // The sentence of a refusal is an outcome, too.
        if (!(error instanceof ReadError)) throw error
        outcome = describeProblem(error.problem)
      }
    })
    seconds = Math.min(seconds, milliseconds / 1000)
  }
  if (seconds > bound) over.push(name)
  const size = bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`
  const said = outcome.replace(/[|\\`<]/g, '\\$&').replace(/\s+/g, ' ')
  const time = `${seconds.toFixed(2)} s`
  rows.push({ stage, input: name, size, 'what happened': said, time, bound: `${bound} s` })
}
console.log(markdownTable(rows))
console.log(`\n${rows.length} inputs, ${[`${over.length} over their bound`, ...over].join(': ')}.`)
process.exitCode = over.length === 0 ? 0 : 1
