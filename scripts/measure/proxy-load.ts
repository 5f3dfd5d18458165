/**
 * Many agents at once through the proxy, and the same without it: `npm run proxy-load -- --agents 200 --seconds 60`. Fails if
 * a request is lost, an answer is another's, or memory keeps growing. With `--bodies`, long bodies one by one instead, and
 * how long other clients wait meanwhile.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { Pool } from 'undici'
import { turn } from '../../lib/core/testing/provider-server'
import { maskRequestBody } from '../../lib/pipeline/mask-request'
import { markdownTable, quantile } from './compare'
import { makeMessages, sampledShape } from './transcripts'

/** Memory in the second half of a run, as a share of that in the first; a leak of the answers would double it. */
const MOST_GROWTH = 1.4
/** Pieces of a long answer, which is one megabyte. */
const EVENTS = 64
const FILLING = 'x'.repeat(1e6 / EVENTS - 100)
/** Stands for the number of an agent in a request. */
const NUMBER = '00000000'
const ADDRESS = /http:\/\/127\.0\.0\.1:\d+/

const { values } = parseArgs({
  options: {
    agents: { type: 'string', default: '200' },
    seconds: { type: 'string', default: '60' },
    /** For the process that this file starts: it answers as a provider. */
    provider: { type: 'boolean', default: false },
    bodies: { type: 'boolean', default: false },
  },
})
const [agents, seconds] = [Number(values.agents), Number(values.seconds)]

const write = (messages: readonly object[]) => JSON.stringify({ model: 'gpt-5', messages })
const turns = (count: number, content: string, args?: string) =>
  Array.from({ length: count }, (_, at) => turn(`call_${at}`, content, args)).flat()
/** Old results, which are masked, and a text. */
const withText = (content: string) =>
  write([...turns(12, 'an old result '.repeat(20)), { role: 'user', content }])
/** Characters without the order of a language, the same ones each time. */
function noise(length: number, letters: string): string {
  let state = 1
  return Array.from({ length }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return letters[state % letters.length]
  }).join('')
}
const LOWER = 'abcdefghijklmnopqrstuvwxyz'

/** Bodies that once held the proxy. Repairs end by a time limit, so what arrives of theirs is not known before. */
const BODIES: readonly (readonly [name: string, make: () => string, repair?: boolean])[] = [
  ['8 MB of lower-case letters', () => withText(noise(8e6, LOWER))],
  ['40 MB of lower-case letters', () => withText(noise(4e7, LOWER))],
  ['30 MB, a single word', () => withText('a'.repeat(3e7))],
  ['5 MB of base64', () => withText(noise(5e6, `${LOWER}${LOWER.toUpperCase()}0123456789+/`))],
  ['49 MB of words', () => withText('some words and numbers 12345, '.repeat(1.633e6))],
  ['a million empty messages', () => write(Array(1e6).fill({ role: 'user', content: '' }))],
  ['250,000 calls and their results', () => write(turns(2.5e5, 'ok'))],
  ['40 calls of 400,000 quotation marks', () => write(turns(40, 'ok', '"'.repeat(4e5))), true],
]

const hashOf = (body: string) => createHash('sha1').update(body).digest('hex')

/** The provider's answer: what arrived of the request, as events. */
const answerTo = (request: unknown, sha1: string, events: number) =>
  `data: {"request":"${request}","sha1":"${sha1}","text":"${FILLING}"}\n\n`.repeat(events)

async function serveAsProvider(): Promise<void> {
  const server = createServer(async (incoming, outgoing) => {
    const { 'x-request': request, 'x-events': events } = incoming.headers
    const hash = createHash('sha1')
    for await (const piece of incoming) hash.update(piece)
    outgoing.writeHead(200, { 'content-type': 'text/event-stream' })
    outgoing.end(answerTo(request, hash.digest('hex'), Number(events)))
  })
  server.keepAliveTimeout = 75_000
  await once(server.listen(0, '127.0.0.1'), 'listening')
  console.error(`http://127.0.0.1:${(server.address() as AddressInfo).port} answers`)
}

let requests = 0

/**
 * Sends a request that has to arrive with this hash, any one if it is undefined. Lost is a request without a whole answer,
 * mixed is an answer with bytes of another request.
 */
async function ask(pool: Pool, body: string, sha1: string | undefined, events = 1) {
  const request = String(++requests).padStart(NUMBER.length, '0')
  const headers = {
    'content-type': 'application/json',
    'x-request': request,
    'x-events': String(events),
  }
  const askedAt = performance.now()
  const got = await pool
    .request({ method: 'POST', path: '/v1/chat/completions', headers, body })
    .then(async (answer) => Buffer.from(await answer.body.arrayBuffer()))
    .catch(() => Buffer.alloc(0))
  const known = sha1 ?? /"sha1":"(\w{40})"/.exec(got.toString())?.[1] ?? ''
  const expected = Buffer.from(answerTo(request, known, events))
  const isWhole = got.length === expected.length
  const outcome = got.equals(expected) ? 'right' : isWhole ? 'mixed' : 'lost'
  return { outcome, sha1: known, took: performance.now() - askedAt } as const
}

/** A session of one megabyte whose results differ from agent to agent. */
function requestTemplate(): string {
  const { turns, resultOf } = sampledShape(60, 15_500)
  const messages = makeMessages({ turns, resultOf: (turn) => `${NUMBER} ${resultOf(turn)}` })
  const question = { role: 'user', content: `Agent ${NUMBER}` }
  return JSON.stringify({ model: 'gpt-5', stream: true, messages: [question, ...messages] })
}

interface Run {
  readonly name: string
  readonly origin: string
  /** Undefined for requests that no proxy is in the way of. */
  readonly enabled?: boolean
  /** A long body, beside which two agents send small requests until it is answered and counted. */
  readonly body?: string
  /** The long body is repaired. */
  readonly repair?: boolean
}

/** Sends requests of all agents at once for a time, and checks each answer byte for byte. */
async function run({ name, origin, enabled, body, repair = false }: Run) {
  console.error(name)
  const pool = new Pool(origin, { headersTimeout: 0, bodyTimeout: 0 })
  const isLoad = body === undefined
  const template = isLoad ? requestTemplate() : withText(NUMBER)
  const sentOf = (text: string) => maskRequestBody(text, { enabled: enabled === true }).text
  const masked = sentOf(template)
  /** Bytes of the proxy, each second. */
  const memory: number[] = []
  /** Milliseconds of each request to the last byte of its answer. */
  const times: number[] = []
  const outcomes = { right: 0, lost: 0, mixed: 0 }
  /** Resolves with the processor time of the proxy, in seconds. */
  const sample = async (): Promise<number> => {
    if (enabled === undefined) return 0
    const metrics = await (await fetch(`${origin}/metrics`)).text()
    const read = (name: string) => Number(new RegExp(`^${name} (\\S+)`, 'm').exec(metrics)?.[1])
    memory.push(read('process_resident_memory_bytes'))
    return read('process_cpu_seconds_total')
  }
  const askLong = async (text: string) => {
    // The first small requests connect.
    await sleep(500)
    times.length = 0
    const answered = await ask(pool, text, undefined)
    // Tokens are counted after the request has left.
    await sleep(3000)
    return answered
  }
  const before = await sample()
  const startedAt = performance.now()
  const timer = setInterval(() => sample().catch(() => {}), 1000)
  let isOver = false
  const over = (isLoad ? sleep(seconds * 1000, undefined) : askLong(body)).finally(() => {
    isOver = true
  })
  await Promise.all(
    Array.from({ length: isLoad ? agents : 2 }, async (_, index) => {
      const agent = String(index).padStart(NUMBER.length, '0')
      const sha1 = hashOf(masked.replaceAll(NUMBER, agent))
      while (!isOver) {
        const own = template.replaceAll(NUMBER, agent)
        const { outcome, took } = await ask(pool, own, sha1, isLoad ? EVENTS : 1)
        outcomes[outcome]++
        times.push(took)
        if (!isLoad) await sleep(5)
      }
    }),
  )
  clearInterval(timer)
  const took = (performance.now() - startedAt) / 1000
  const processor = (await sample()) - before
  await pool.close()
  const long = await over
  // Masking it here meanwhile would hold up these clients.
  const isOther = body !== undefined && !repair && long?.sha1 !== hashOf(sentOf(body))
  if (long !== undefined) outcomes[isOther ? 'mixed' : long.outcome]++
  return { name, ...outcomes, took, times, memory, processor, long: long?.took ?? 0 }
}

const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`

/** A row of the table; what must not happen is an error. */
function rowOf(measured: Awaited<ReturnType<typeof run>>, direct: readonly number[] = []) {
  const { name, lost, mixed, took, memory, processor, times, long } = measured
  const fail = (sentence: string) => {
    console.error(`${name}: ${sentence}`)
    process.exitCode = 1
  }
  if (lost > 0 || mixed > 0) fail(`${lost} lost, ${mixed} mixed of ${times.length}.`)
  const half = Math.floor(memory.length / 2)
  const [first, second] = [Math.max(...memory.slice(0, half)), Math.max(...memory.slice(half))]
  if (long === 0 && half >= 10 && second > first * MOST_GROWTH)
    fail(`memory grew from ${megabytes(first)} to ${megabytes(second)}.`)
  const secondsOf = (milliseconds: number) => `${(milliseconds / 1000).toFixed(2)} s`
  const timeOf = (share: number) => {
    const time = quantile(times, share)
    const ratio = direct.length === 0 ? '' : ` (${(time / quantile(direct, share)).toFixed(2)}×)`
    return `${secondsOf(time)}${ratio}`
  }
  return {
    '': name,
    ...(long > 0 && { 'answered after': secondsOf(long) }),
    requests: times.length,
    lost,
    mixed,
    'per second': (times.length / took).toFixed(1),
    p50: timeOf(0.5),
    p99: timeOf(0.99),
    longest: secondsOf(Math.max(...times)),
    'processor per request':
      memory.length > 0 ? `${((processor / times.length) * 1000).toFixed(1)} ms` : '',
    'memory, by half': half === 0 ? '' : `${megabytes(first)}, ${megabytes(second)}`,
  }
}

async function measure(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'proxy-load-'))
  const children: ChildProcess[] = []
  /** Starts a TypeScript file, and resolves with the address it prints. */
  const start = async (file: string, ...args: readonly string[]): Promise<string> => {
    const path = fileURLToPath(new URL(file, import.meta.url))
    const command = ['--import', 'tsx', path, ...args]
    const child = spawn(process.execPath, command, { stdio: ['ignore', 'ignore', 'pipe'] })
    children.push(child)
    for (;;) {
      const [piece] = await once(child.stderr, 'data')
      const address = ADDRESS.exec(String(piece))?.[0]
      if (address === undefined) continue
      // What else it says is not read, but must not wait.
      child.stderr.resume()
      return address
    }
  }
  try {
    const provider = await start('./proxy-load.ts', '--provider')
    // Each proxy in a process of its own.
    const startProxy = (enabled: boolean, flags: readonly string[] = []) => {
      const config = join(folder, `${enabled}.toml`)
      writeFileSync(config, `[observation_masking.schema1]\nenabled = ${enabled}\n`)
      const args = ['--target', `${provider}/v1`, '--config', config, '--port', '0', ...flags]
      return start('../../lib/pipeline/proxy/main.ts', ...args)
    }
    if (values.bodies) {
      const rows: ReturnType<typeof rowOf>[] = []
      for (const [name, make, repair = false] of BODIES) {
        const origin = await startProxy(true, repair ? ['--repair'] : [])
        rows.push(rowOf(await run({ name, origin, enabled: true, body: make(), repair })))
      }
      return markdownTable(rows)
    }
    const runs = [await run({ name: 'direct', origin: provider })]
    for (const enabled of [false, true]) {
      const name = `proxy, masking ${enabled ? 'on' : 'off'}`
      runs.push(await run({ name, origin: await startProxy(enabled), enabled }))
    }
    const rows = runs.map((one) => rowOf(one, runs[0]?.times ?? []))
    return `${markdownTable(rows)}\n\n${agents} agents, ${seconds} s each, Node ${process.version} on ${cpus().length} cores; load of the machine ${(loadavg()[0] as number).toFixed(1)}.`
  } finally {
    for (const child of children) child.kill()
    rmSync(folder, { recursive: true })
  }
}

if (values.provider) await serveAsProvider()
else console.log(await measure())
