/**
 * Many agents at once through the proxy, and the same without it: `npm run proxy-load -- --agents 200 --seconds 60`. Fails if
 * a request is lost, an answer is another's, or memory keeps growing.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { Pool } from 'undici'
import { markdownTable } from './compare'
import { makeMessages, sampledResults } from './transcripts'

/** Memory in the second half of a run, as a share of that in the first; a leak of the answers would double it. */
const MOST_GROWTH = 1.4
const EVENTS = 64
/** Stands for the number of an agent in a request, and for that of a request in an answer. */
const NUMBER = '00000000'
const ADDRESS = /http:\/\/127\.0\.0\.1:\d+/

const { values } = parseArgs({
  options: {
    agents: { type: 'string', default: '200' },
    seconds: { type: 'string', default: '60' },
    /** For the process that this file starts: it answers as a provider. */
    provider: { type: 'boolean', default: false },
  },
})
const [agents, seconds] = [Number(values.agents), Number(values.seconds)]

const digitsOf = (number: number) => String(number).padStart(NUMBER.length, '0')

const withNumber = (template: string, number: number) =>
  Buffer.from(template.replaceAll(NUMBER, digitsOf(number)))

/** A session of one megabyte whose results differ from agent to agent. */
function requestTemplate(): string {
  const result = sampledResults(15_500)
  const messages = makeMessages({ turns: 60, resultOf: () => `${NUMBER} ${result()}` })
  const question = { role: 'user', content: `Agent ${NUMBER}` }
  return JSON.stringify({ model: 'gpt-5', stream: true, messages: [question, ...messages] })
}

/** An answer of one megabyte as a stream of events. */
const answerTemplate = () =>
  `data: {"request":"${NUMBER}","text":"${'x'.repeat(1e6 / EVENTS - 50)}"}\n\n`.repeat(EVENTS)

/** Checks each request and answers it. */
async function serveAsProvider(): Promise<void> {
  const answer = answerTemplate()
  const server = createServer(async (incoming, outgoing) => {
    const agent = digitsOf(Number(incoming.headers['x-agent']))
    const body = await text(incoming)
    if (!body.includes(`Agent ${agent}"`) || !body.endsWith('}'))
      return outgoing.writeHead(400).end(`not the request of agent ${agent}`)
    outgoing.writeHead(200, { 'content-type': 'text/event-stream' })
    return outgoing.end(withNumber(answer, Number(incoming.headers['x-request'])))
  })
  server.keepAliveTimeout = 75_000
  await once(server.listen(0, '127.0.0.1'), 'listening')
  console.error(`http://127.0.0.1:${(server.address() as AddressInfo).port} answers`)
}

/** Sends requests of all agents at once for a time, and checks each answer byte for byte. */
async function run(name: string, origin: string, hasMetrics = true) {
  console.error(`${name}: ${agents} agents, ${seconds} s`)
  const pool = new Pool(origin, { connections: agents, headersTimeout: 0, bodyTimeout: 0 })
  const [request, answer] = [requestTemplate(), answerTemplate()]
  /** Bytes of the proxy, each second. */
  const memory: number[] = []
  /** Milliseconds of each request to the last byte of its answer. */
  const times: number[] = []
  // Lost are requests without a whole answer, mixed are answers with bytes of another request.
  let [requests, lost, mixed] = [0, 0, 0]
  /** Resolves with the processor time of the proxy, in seconds. */
  const sample = async (): Promise<number> => {
    if (!hasMetrics) return 0
    const metrics = await (await fetch(`${origin}/metrics`)).text()
    const read = (name: string) => Number(new RegExp(`^${name} (\\S+)`, 'm').exec(metrics)?.[1])
    memory.push(read('process_resident_memory_bytes'))
    return read('process_cpu_seconds_total')
  }
  const ask = async (agent: number): Promise<void> => {
    const number = ++requests
    const askedAt = performance.now()
    const own = { 'x-agent': String(agent), 'x-request': String(number) }
    try {
      const { statusCode, body } = await pool.request({
        method: 'POST',
        path: '/v1/chat/completions',
        headers: { 'content-type': 'application/json', ...own },
        body: withNumber(request, agent),
      })
      const [got, expected] = [Buffer.from(await body.arrayBuffer()), withNumber(answer, number)]
      if (statusCode !== 200 || got.length !== expected.length) lost++
      else if (!got.equals(expected)) mixed++
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
  return { name, requests, lost, mixed, took, times, memory, processor }
}

async function measureLoad(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'proxy-load-'))
  const children: ChildProcess[] = []
  /** Starts a TypeScript file and resolves with the address it prints. */
  const start = async (file: string, ...args: readonly string[]): Promise<string> => {
    const path = fileURLToPath(new URL(file, import.meta.url))
    const command = ['--import', 'tsx', path, ...args]
    const child = spawn(process.execPath, command, { stdio: ['ignore', 'ignore', 'pipe'] })
    children.push(child)
    for (;;) {
      const [piece] = await once(child.stderr, 'data')
      const address = ADDRESS.exec(String(piece))?.[0]
      if (address !== undefined) return address
    }
  }
  const runs: Awaited<ReturnType<typeof run>>[] = []
  try {
    const provider = await start('./proxy-load.ts', '--provider')
    runs.push(await run('direct', provider, false))
    // One after the other, each proxy in a process of its own.
    for (const enabled of [false, true]) {
      const config = join(folder, `${enabled}.toml`)
      writeFileSync(config, `[observation_masking.schema1]\nenabled = ${enabled}\n`)
      const args = ['--target', `${provider}/v1`, '--config', config, '--port', '0']
      const proxy = await start('../../lib/pipeline/proxy/main.ts', ...args)
      runs.push(await run(`proxy, masking ${enabled ? 'on' : 'off'}`, proxy))
    }
  } finally {
    for (const child of children) child.kill()
    rmSync(folder, { recursive: true })
  }
  const [direct] = runs as [(typeof runs)[number]]
  const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`
  const rows = runs.map(({ name, requests, lost, mixed, took, memory, processor, times }) => {
    if (lost > 0 || mixed > 0) fail(`${name}: ${lost} lost, ${mixed} mixed of ${requests}.`)
    const half = Math.floor(memory.length / 2)
    const [first, second] = [Math.max(...memory.slice(0, half)), Math.max(...memory.slice(half))]
    if (half >= 10 && second > first * MOST_GROWTH)
      fail(`${name}: memory grew from ${megabytes(first)} to ${megabytes(second)}.`)
    const timeOf = (part: number) => {
      const [time = 0, without = 0] = [times, direct.times].map(
        (all) => all[Math.floor((all.length - 1) * part)],
      )
      return `${(time / 1000).toFixed(2)} s (${(time / without).toFixed(2)}×)`
    }
    return [
      ...[name, requests, lost, mixed, (times.length / took).toFixed(1)],
      ...[timeOf(0.5), timeOf(0.99)],
      memory.length > 0 ? `${((processor / times.length) * 1000).toFixed(1)} ms` : '',
      half === 0 ? '' : `${megabytes(first)}, ${megabytes(second)}`,
    ]
  })
  const heads = ['', 'requests', 'lost', 'mixed', 'per second', 'p50', 'p99']
  const load = (loadavg()[0] as number).toFixed(1)
  console.log(
    `${markdownTable([...heads, 'processor per request', 'memory, by half'], rows)}\n\n${agents} agents, ${seconds} s each, Node ${process.version} on ${cpus().length} cores; load of the machine ${load}.`,
  )
}

function fail(sentence: string): void {
  console.error(sentence)
  process.exitCode = 1
}

await (values.provider ? serveAsProvider() : measureLoad())
