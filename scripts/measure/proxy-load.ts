/**
 * Many agents at once through the proxy, and the same without it: `npm run proxy-load -- --agents 200 --seconds 60`. Fails if
 * a request is lost, an answer is another's, or memory keeps growing.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { Pool } from 'undici'
import { markdownTable } from './compare'
import { makeMessages, sampledResults } from './transcripts'

/** Memory in the second half of a run, as a share of that in the first; a leak of the answers would double it. */
const MOST_GROWTH = 1.4
const MEGABYTE = 1_000_000
const EVENTS = 64
const PIECE = 16_384
/** Stands for the number of an agent in a request, and for that of a request in an answer. */
const NUMBER = '00000000'

const { values } = parseArgs({
  options: {
    agents: { type: 'string', default: '200' },
    seconds: { type: 'string', default: '60' },
    /** For the process that this file starts: it answers as a provider. */
    provider: { type: 'boolean', default: false },
  },
})
const [agents, seconds] = [Number(values.agents), Number(values.seconds)]

interface Template {
  readonly bytes: Buffer
  /** Where the number stands. */
  readonly places: readonly number[]
}

/** A session of one megabyte whose results differ from agent to agent. */
function requestTemplate(): Template {
  const result = sampledResults(15_500)
  const messages = makeMessages({ turns: 60, resultOf: () => `${NUMBER} ${result()}` })
  const question = { role: 'user', content: `Agent ${NUMBER}` }
  const body = { model: 'gpt-5', stream: true, messages: [question, ...messages] }
  return templateOf(JSON.stringify(body))
}

/** An answer of one megabyte as a stream of events. */
function answerTemplate(): Template {
  const filler = 'x'.repeat(MEGABYTE / EVENTS - 60)
  const events = Array.from(
    { length: EVENTS },
    (_, at) => `data: {"request":"${NUMBER}","event":${at},"text":"${filler}"}\n\n`,
  )
  return templateOf(`${events.join('')}data: [DONE]\n\n`)
}

function templateOf(text: string): Template {
  const bytes = Buffer.from(text)
  const places: number[] = []
  for (let at = bytes.indexOf(NUMBER); at >= 0; at = bytes.indexOf(NUMBER, at + 1)) places.push(at)
  return { bytes, places }
}

function withNumber({ bytes, places }: Template, number: number): Buffer {
  const copy = Buffer.from(bytes)
  const digits = String(number).padStart(NUMBER.length, '0')
  for (const place of places) copy.write(digits, place, 'latin1')
  return copy
}

/** Checks each request and streams the answer to it. */
function serveAsProvider(): void {
  const answer = answerTemplate()
  const server = createServer((incoming, outgoing) => {
    const pieces: Buffer[] = []
    incoming.on('data', (piece: Buffer) => pieces.push(piece))
    incoming.on('end', () => {
      const agent = String(incoming.headers['x-agent']).padStart(NUMBER.length, '0')
      const body = Buffer.concat(pieces)
      if (!body.includes(`Agent ${agent}"`) || body.at(-1) !== 0x7d)
        return outgoing.writeHead(400).end(`not the request of agent ${agent}`)
      outgoing.writeHead(200, { 'content-type': 'text/event-stream' })
      const bytes = withNumber(answer, Number(incoming.headers['x-request']))
      let at = 0
      const write = () => {
        while (at < bytes.length) {
          const piece = bytes.subarray(at, at + PIECE)
          at += PIECE
          if (!outgoing.write(piece)) return outgoing.once('drain', write)
        }
        return outgoing.end()
      }
      return write()
    })
  })
  server.keepAliveTimeout = 75_000
  server.listen(0, '127.0.0.1', () => {
    process.stderr.write(`http://127.0.0.1:${(server.address() as AddressInfo).port} answers\n`)
  })
}

interface Run {
  readonly name: string
  readonly requests: number
  /** Requests without a whole answer, and answers with bytes of another request. */
  readonly lost: number
  readonly mixed: number
  readonly seconds: number
  /** Milliseconds of each request to the last byte of its answer, in ascending order. */
  readonly times: readonly number[]
  /** Bytes of the proxy, each second. */
  readonly memory: readonly number[]
  /** Processor time of the proxy, in seconds. */
  readonly processor: number
}

/** Sends requests of all agents at once for a time, and checks each answer byte for byte. */
async function run(name: string, origin: string, hasMetrics: boolean): Promise<Run> {
  console.error(`${name}: ${agents} agents, ${seconds} s`)
  const pool = new Pool(origin, { connections: agents, headersTimeout: 0, bodyTimeout: 0 })
  const [request, answer] = [requestTemplate(), answerTemplate()]
  const memory: number[] = []
  const times: number[] = []
  let [sent, lost, mixed] = [0, 0, 0]
  const sample = async (): Promise<number> => {
    if (!hasMetrics) return 0
    const text = await (await fetch(`${origin}/metrics`)).text()
    const read = (metric: string) => Number(new RegExp(`^${metric} (\\S+)`, 'm').exec(text)?.[1])
    memory.push(read('process_resident_memory_bytes'))
    return read('process_cpu_seconds_total')
  }
  const ask = async (agent: number): Promise<void> => {
    const number = ++sent
    const askedAt = performance.now()
    const expected = withNumber(answer, number)
    let at = 0
    let isSame = true
    try {
      const { statusCode, body } = await pool.request({
        method: 'POST',
        path: '/v1/chat/completions',
        headers: {
          'content-type': 'application/json',
          'x-agent': String(agent),
          'x-request': String(number),
        },
        body: withNumber(request, agent),
      })
      for await (const piece of body as AsyncIterable<Buffer>) {
        isSame &&= piece.equals(expected.subarray(at, at + piece.length))
        at += piece.length
      }
      if (statusCode !== 200 || at !== expected.length) lost++
      else if (!isSame) mixed++
      times.push(performance.now() - askedAt)
    } catch {
      lost++
    }
  }
  const before = await sample()
  const startedAt = performance.now()
  const timer = setInterval(() => sample().catch(() => {}), 1000)
  await Promise.all(
    Array.from({ length: agents }, async (_, agent) => {
      while (performance.now() < startedAt + seconds * 1000) await ask(agent)
    }),
  )
  clearInterval(timer)
  const took = (performance.now() - startedAt) / 1000
  const processor = (await sample()) - before
  await pool.close()
  times.sort((one, other) => one - other)
  return { name, requests: sent, lost, mixed, seconds: took, times, memory, processor }
}

async function measureLoad(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'proxy-load-'))
  const children: ChildProcess[] = []
  /** Starts a TypeScript file and resolves with the address it prints. */
  const start = (file: string, args: readonly string[]): Promise<string> => {
    const path = fileURLToPath(new URL(file, import.meta.url))
    const child = spawn(process.execPath, ['--import', 'tsx', path, ...args], {
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    children.push(child)
    return new Promise((resolve, reject) => {
      let text = ''
      child.stderr.setEncoding('utf8').on('data', (piece: string) => {
        text += piece
        const address = /http:\/\/127\.0\.0\.1:\d+/.exec(text)?.[0]
        if (address !== undefined) resolve(address)
      })
      child.once('exit', () => reject(new Error(`${file} ended: ${text}`)))
    })
  }
  const runs: Run[] = []
  try {
    const provider = await start('./proxy-load.ts', ['--provider'])
    runs.push(await run('direct', provider, false))
    // One after the other, each proxy in a process of its own.
    for (const enabled of [false, true]) {
      const config = join(folder, `${enabled}.toml`)
      writeFileSync(config, `[observation_masking.schema1]\nenabled = ${enabled}\n`)
      const args = ['--target', `${provider}/v1`, '--config', config, '--port', '0']
      const proxy = await start('../../lib/pipeline/proxy/main.ts', args)
      runs.push(await run(`proxy, masking ${enabled ? 'on' : 'off'}`, proxy, true))
    }
  } finally {
    for (const child of children) child.kill()
    rmSync(folder, { recursive: true })
  }
  report(runs)
}

function report(runs: readonly Run[]): void {
  const [direct] = runs as [Run]
  const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`
  const percentile = ({ times }: Run, part: number) =>
    times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? Number.NaN
  const timeOf = (one: Run, part: number) => {
    const time = percentile(one, part)
    return `${(time / 1000).toFixed(2)} s (${(time / percentile(direct, part)).toFixed(2)}×)`
  }
  const rows = runs.map((one) => {
    const { name, requests, lost, mixed, memory, processor, times } = one
    if (lost > 0 || mixed > 0) fail(`${name}: ${lost} lost, ${mixed} mixed of ${requests}.`)
    const half = Math.floor(memory.length / 2)
    const [first, second] = [memory.slice(0, half), memory.slice(half)].map((part) =>
      Math.max(...part),
    ) as [number, number]
    if (half >= 10 && second > first * MOST_GROWTH)
      fail(`${name}: memory grew from ${megabytes(first)} to ${megabytes(second)}.`)
    const perSecond = (times.length / one.seconds).toFixed(1)
    const isProxy = memory.length > 0
    return [
      ...[name, requests, lost, mixed, perSecond, timeOf(one, 0.5), timeOf(one, 0.99)],
      isProxy ? `${((processor / times.length) * 1000).toFixed(1)} ms` : '',
      half === 0 ? '' : `${megabytes(first)}, ${megabytes(second)}`,
    ]
  })
  const heads = [
    ...['', 'requests', 'lost', 'mixed', 'per second', 'p50', 'p99'],
    ...['processor per request', 'memory, by half'],
  ]
  const load = (loadavg()[0] as number).toFixed(1)
  console.log(
    `${markdownTable(heads, rows)}\n\n${agents} agents, ${seconds} s each, Node ${process.version} on ${cpus().length} cores; load of the machine ${load}.`,
  )
}

function fail(sentence: string): void {
  console.error(sentence)
  process.exitCode = 1
}

if (values.provider) serveAsProvider()
else await measureLoad()
