/**
 * `npm run hostile` runs the hostile inputs and prints a table; `--write` puts it into docs/hostile-input.md, and
 * `--only TEXT` runs the inputs whose name has this text. Ends with status 1 if one takes longer than its bound.
 * Each input has a process of its own (`--input NUMBER`): what others leave in memory slows garbage collection.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { replaceSection } from '../benchmark/write-section.mjs'
import { HOSTILE_INPUTS, type HostileInput } from './hostile-inputs'
import { type Input, outcomeOf } from './stages'

const PAGE = new URL('../../docs/hostile-input.md', import.meta.url)

const RUN = fileURLToPath(new URL('../run.mjs', import.meta.url))

const { values } = parseArgs({
  options: {
    write: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    input: { type: 'string' },
  },
})

/** Seconds of processor time of this process, all threads. */
async function secondsOf(work: () => unknown): Promise<number> {
  const startedAt = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(startedAt)
  return (user + system) / 1e6
}

/** Seconds in which `JSON.parse` reads the same bytes: as they are if they are JSON, else as one string. */
async function parseSeconds(input: Input): Promise<number> {
  const text = typeof input === 'string' ? input : Buffer.from(input).toString('latin1')
  let json = text
  try {
    JSON.parse(text)
  } catch {
    json = JSON.stringify(text)
  }
  const times: number[] = []
  for (let run = 0; run < 3; run++) times.push(await secondsOf(() => JSON.parse(json)))
  return Math.max(0.0001, Math.min(...times))
}

interface Row {
  readonly cells: readonly string[]
  readonly isOver: boolean
}

async function run({ stage, name, make, bound }: HostileInput): Promise<Row> {
  const input = make()
  const bytes = typeof input === 'string' ? Buffer.byteLength(input) : input.length
  const plain = await parseSeconds(input)
  let outcome = ''
  let seconds = Infinity
  // A busy machine makes one run long, hardly three.
  for (let tries = 0; tries < 3 && seconds > bound; tries++) {
    const needed = await secondsOf(async () => {
      outcome = await outcomeOf(stage, input)
    })
    seconds = Math.min(seconds, needed)
  }
  const isOver = seconds > bound
  const size = bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`
  const ratio = Math.round(seconds / plain)
  const cells = [stage, name, size, outcome, `${seconds.toFixed(2)} s`, `${ratio}`, `${bound} s`]
  console.log(`${isOver ? 'OVER ' : ''}${cells.join(' | ')}`)
  return { cells, isOver }
}

/** Runs an input in a new process; throws if the process ends without a row. */
async function runInProcess(index: number): Promise<Row> {
  const child = fork(RUN, [fileURLToPath(import.meta.url), '--input', `${index}`])
  let row: Row | undefined
  child.once('message', (message) => {
    row = message as Row
  })
  await once(child, 'exit')
  if (row === undefined) throw new Error(`The process of "${HOSTILE_INPUTS[index]?.name}" failed.`)
  return row
}

async function runAll(): Promise<void> {
  const rows: Row[] = []
  for (const [index, { stage, name }] of HOSTILE_INPUTS.entries())
    if (`${stage} ${name}`.includes(values.only)) rows.push(await runInProcess(index))
  const over = rows.filter(({ isOver }) => isOver).length
  const summary = `${rows.length} inputs, ${over} over their bound.`
  console.log(summary)
  if (values.write) {
    const escaped = (cell: string) => cell.replace(/[|\\`<]/g, '\\$&').replace(/\s+/g, ' ')
    const header = ['stage', 'input', 'size', 'what happened', 'time', 'times JSON.parse', 'bound']
    const table = [header, header.map(() => '---'), ...rows.map(({ cells }) => cells.map(escaped))]
    const machine = `Node ${process.version} on ${cpus()[0]?.model ?? 'an unknown processor'}`
    const lines = table.map((cells) => `| ${cells.join(' | ')} |`)
    const section = [`${summary} ${machine}.`, '', ...lines].join('\n')
    writeFileSync(PAGE, replaceSection(readFileSync(PAGE, 'utf8'), 'table', section))
  }
  process.exitCode = over === 0 ? 0 : 1
}

if (values.input === undefined) await runAll()
else process.send?.(await run(HOSTILE_INPUTS[Number(values.input)] as HostileInput))
