/**
 * `npm run fuzz -- --documents 100000 --seed 7` runs random documents through every stage of the core, on two processes.
 * A failing document is written to test-results/fuzz with what failed; `--only NUMBER` repeats one document of a seed.
 */
import { fork } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { checkDocument, type Failure } from './check-document'
import { randomDocuments } from './random-documents'

const PROCESSES = 2
const MOST_FAILURES = 20
const FOLDER = 'test-results/fuzz'

type Message =
  | { readonly done: number }
  | { readonly number: number; readonly text: string; readonly failure: Failure }

const { values } = parseArgs({
  options: {
    documents: { type: 'string', default: '5000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    only: { type: 'string' },
    /** Of a process that this file starts: it checks every second document, from this number on. */
    from: { type: 'string' },
  },
})
const documents = wholeNumber('documents', values.documents)
const seed = wholeNumber('seed', values.seed)

if (values.from !== undefined) await checkShare(Number(values.from))
else if (values.only !== undefined) await checkOne(wholeNumber('only', values.only))
else await checkAll()

function wholeNumber(name: string, value: string): number {
  if (/^\d{1,9}$/.test(value)) return Number(value)
  console.error(`--${name} is ${JSON.stringify(value)}; expected a whole number.`)
  process.exit(2)
}

async function checkOne(number: number): Promise<void> {
  const made = randomDocuments(seed)(number)
  console.log(`${made.text}\n${JSON.stringify(made.policy)}`)
  const failure = await checkDocument(made)
  console.log(failure === undefined ? 'No failure.' : `${failure.stage}: ${failure.message}`)
  process.exitCode = failure === undefined ? 0 : 1
}

async function checkShare(from: number): Promise<void> {
  const send = (message: Message) => process.send?.(message)
  const make = randomDocuments(seed)
  for (let number = from; number < documents; number += PROCESSES) {
    const made = make(number)
    const failure = await checkDocument(made)
    if (failure !== undefined) send({ number, text: made.text, failure })
    if (number % 500 < PROCESSES) send({ done: number })
  }
  process.disconnect?.()
}

async function checkAll(): Promise<void> {
  const startedAt = Date.now()
  console.log(`Seed ${seed}, ${documents} documents.`)
  const failures = new Map<string, number>()
  const runner = fileURLToPath(new URL('../run.mjs', import.meta.url))
  let failed = 0
  const statuses = await Promise.all(
    Array.from({ length: PROCESSES }, (_, from) => {
      const args = ['scripts/fuzz/fuzz.ts', '--documents', `${documents}`, '--seed', `${seed}`]
      const child = fork(runner, [...args, '--from', `${from}`])
      child.on('message', (message: Message) => {
        if ('done' in message) {
          if (from === 0 && message.done % 5000 === 0)
            console.log(`${message.done} documents, ${failed} failures`)
          return
        }
        const { number, text, failure } = message
        const first = failure.message.split('\n', 1)[0] as string
        const kind = `${failure.stage}: ${first.slice(0, 150)}`
        failures.set(kind, (failures.get(kind) ?? 0) + 1)
        failed += 1
        if (failed > MOST_FAILURES) return
        mkdirSync(FOLDER, { recursive: true })
        const path = join(FOLDER, `${seed}-${number}.txt`)
        writeFileSync(path, `${failure.stage}: ${failure.message}\n\n${text}`)
        console.log(`Document ${number} fails at ${kind}\n  written to ${path}`)
      })
      return new Promise<number>((resolve) => {
        child.on('exit', (status) => resolve(status ?? 1))
      })
    }),
  )
  for (const [kind, count] of failures) console.log(`${count} times ${kind}`)
  const seconds = Math.round((Date.now() - startedAt) / 1000)
  console.log(`${documents} documents of seed ${seed}: ${failed} failures, ${seconds} s`)
  process.exitCode = failed === 0 && statuses.every((status) => status === 0) ? 0 : 1
}
