/**
 * `npm run hostile` runs the hostile inputs and prints a table; `--only TEXT` runs those whose name has this text. Ends with
 * status 1 if one takes longer than its bound. Each has a process of its own (`--input NUMBER`): what others leave in
 * memory slows garbage collection.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { ReadConversation } from '../../lib/core/conversation/conversation'
import { errorRulesOf } from '../../lib/core/conversation/error-rules'
import { createUnpackBudget } from '../../lib/core/files/byte-sink'
import { unpack } from '../../lib/core/files/unpack'
import { readDocument } from '../../lib/core/formats/read-document'
import { decodeFile } from '../../lib/core/formats/reading/open-source'
import { maskDocument } from '../../lib/core/mask/mask-document'
import { DEFAULT_POLICY } from '../../lib/core/policy/policy'
import { ReadError } from '../../lib/core/problem'
import { prepareReplay } from '../../lib/core/replay/prepare-replay'
import { UNKNOWN_PRICES } from '../../lib/core/replay/price-sheet'
import { replayPrepared } from '../../lib/core/replay/replay'
import { createSessions } from '../../lib/core/replay/sessions'
import { sweepPrepared } from '../../lib/core/replay/sweep'
import { unpackText } from '../../lib/core/share/link/packed-text'
import { readSettingsLink } from '../../lib/core/share/link/settings-link'
import { countConversation } from '../../lib/core/tokens/count-conversation'
import { loadEncoding } from '../../lib/core/tokens/encoding'
import { describeProblem } from '../../lib/core/words/english'
import { markdownTable, timeOf } from './compare'
import { HOSTILE_INPUTS, type HostileInput, type Input, type Stage } from './hostile-inputs'

const POLICY = { ...DEFAULT_POLICY, enabled: true }
const TERMS = { prices: UNKNOWN_PRICES, rule: { kind: 'none' } } as const

const textOf = (input: Input) => (typeof input === 'string' ? input : decodeFile(input))

const plural = (count: number, word: string) =>
  `${count.toLocaleString('en')} ${word}${count === 1 ? '' : 's'}`

/** Reads, counts and masks a text; the first sessions are prepared to be replayed. */
async function open(input: Input) {
  const { countTokens } = await loadEncoding('o200k_base')
  const text = textOf(input)
  const { conversations, problems } = readDocument(text)
  const counts = conversations.map((one) => countConversation(one, countTokens))
  const decisions = maskDocument({ text, conversations }, POLICY, countTokens).decisions.flat()
  const prepared = createSessions(conversations, counts)
    .slice(0, 20)
    .map((session) => {
      const last = session.conversations.at(-1) as number
      const { resultTexts } = conversations[last] as ReadConversation
      return prepareReplay(session, POLICY, {
        textOf: (index) => resultTexts[index]?.join('') ?? '',
        placeholderTokensOf: (_, placeholder) => countTokens(placeholder),
      })
    })
  return { conversations, problems, decisions, prepared }
}

/** Each returns a sentence on what happened. */
const STAGES = {
  /** Reads, counts, masks, and replays the first sessions. */
  open: async (input) => {
    const { conversations, problems, decisions, prepared } = await open(input)
    for (const one of prepared) replayPrepared(one, POLICY, TERMS)
    const masked = decisions.filter(({ action }) => action === 'mask').length
    const parts = [
      plural(conversations.length, 'conversation'),
      `${masked.toLocaleString('en')} of ${plural(decisions.length, 'result')} masked`,
    ]
    const [first] = problems
    if (first !== undefined)
      parts.push(`${plural(problems.length, 'problem')}: ${describeProblem(first)}`)
    return parts.join('; ')
  },
  /** The same, and every window in batches of 1 and 8. */
  sweep: async (input) => {
    const { prepared } = await open(input)
    const rows = prepared.flatMap((one) => sweepPrepared(one, TERMS, { batches: [1, 8] }).rows)
    const settings = rows.reduce((sum, { tokens }) => sum + tokens.length, 0)
    return plural(settings, 'setting')
  },
  'error rules': (input) => `marks: ${errorRulesOf(textOf(input)).join(', ') || 'none'}`,
  link: (input) => plural(readSettingsLink(textOf(input)).problems.length, 'problem'),
  'transcript in a link': (input) => unpackText(textOf(input)).state.replace('_', ' '),
  archive: async (input) => {
    const files = await unpack('a.zip', input as Uint8Array, createUnpackBudget())
    const problem = files.find((file) => 'problem' in file)
    return problem !== undefined && 'problem' in problem
      ? describeProblem(problem.problem)
      : plural(files.length, 'file')
  },
} satisfies Record<Stage, (input: Input) => string | Promise<string>>

/** Runs an input; the sentence of a refusal is an outcome too. Other errors are not caught. */
async function outcomeOf(stage: Stage, input: Input): Promise<string> {
  try {
    return await STAGES[stage](input)
  } catch (error) {
    if (error instanceof ReadError) return describeProblem(error.problem)
    throw error
  }
}

interface Row {
  readonly cells: readonly string[]
  readonly isOver: boolean
}

async function run({ stage, name, make, bound }: HostileInput): Promise<Row> {
  const input = make()
  const bytes = typeof input === 'string' ? Buffer.byteLength(input) : input.length
  let outcome = ''
  let seconds = Infinity
  // A busy machine makes one run long, hardly three.
  for (let tries = 0; tries < 3 && seconds > bound; tries++) {
    const milliseconds = await timeOf(async () => {
      outcome = await outcomeOf(stage, input)
    })
    seconds = Math.min(seconds, milliseconds / 1000)
  }
  const size = bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`
  const cells = [stage, name, size, outcome, `${seconds.toFixed(2)} s`, `${bound} s`]
  return { cells, isOver: seconds > bound }
}

/** Runs an input in a new process; throws if the process ends without a row. */
async function runInProcess(index: number): Promise<Row> {
  const runner = fileURLToPath(new URL('../run.mjs', import.meta.url))
  const child = fork(runner, [fileURLToPath(import.meta.url), '--input', `${index}`])
  let row: Row | undefined
  child.once('message', (message) => {
    row = message as Row
  })
  await once(child, 'exit')
  if (row === undefined) throw new Error(`The process of "${HOSTILE_INPUTS[index]?.name}" failed.`)
  if (row.isOver) console.error(`Over its bound: ${row.cells.join(' | ')}`)
  return row
}

const { values } = parseArgs({
  options: { only: { type: 'string', default: '' }, input: { type: 'string' } },
})
if (values.input !== undefined) {
  process.send?.(await run(HOSTILE_INPUTS[Number(values.input)] as HostileInput))
} else {
  const rows: Row[] = []
  for (const [index, { stage, name }] of HOSTILE_INPUTS.entries())
    if (`${stage} ${name}`.includes(values.only)) rows.push(await runInProcess(index))
  const over = rows.filter(({ isOver }) => isOver).length
  const escaped = (cell: string) => cell.replace(/[|\\`<]/g, '\\$&').replace(/\s+/g, ' ')
  const heads = ['stage', 'input', 'size', 'what happened', 'time', 'bound']
  console.log(
    markdownTable(
      heads,
      rows.map(({ cells }) => cells.map(escaped)),
    ),
  )
  console.log(`\n${rows.length} inputs, ${over} over their bound.`)
  process.exitCode = over === 0 ? 0 : 1
}
