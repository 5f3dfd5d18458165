/**
 * Many agents at once through the proxy, and the same without it: `npm run proxy-load -- --agents 200 --seconds 60`. Fails if
 * a request is lost, an answer is another's, or memory keeps growing. With `--bodies`, long bodies one by one instead; with
 * `--proxy FILE`, through another version's `main.ts`.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
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
import { markdownTable, quantile } from './compare'
import { measureBodies, probe } from './proxy-bodies'
import { makeMessages, sampledShape } from './transcripts'

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
    /** For another one: it asks the proxy at this address while a long body is under way. */
    probe: { type: 'string' },
    bodies: { type: 'boolean', default: false },
    proxy: { type: 'string', default: '../../lib/pipeline/proxy/main.ts' },
  },
})
const [agents, seconds] = [Number(values.agents), Number(values.seconds)]

/** A session of one megabyte whose results differ from agent to agent. */
function requestTemplate(): string {
  const { turns, resultOf } = sampledShape(60, 15_500)
  const messages = makeMessages({ turns, resultOf: (turn) => `${NUMBER} ${resultOf(turn)}` })
  const question = { role: 'user', content: `Agent ${NUMBER}` }
  return JSON.stringify({ model: 'gpt-5', stream: true, messages: [question, ...messages] })
}

/** An answer of one megabyte as a stream of events. */
const ANSWER = `data: {"request":"${NUMBER}","text":"${'x'.repeat(1e6 / EVENTS - 50)}"}\n\n`.repeat(
  EVENTS,
)

/** Checks each request and answers it. */
async function serveAsProvider(): Promise<void> {
  const server = createServer(async (incoming, outgoing) => {
    const { 'x-agent': agent, 'x-request': request } = incoming.headers
    // A long body is answered with what arrived of it.
    if (incoming.headers['x-hash'] !== undefined) {
      const hash = createHash('sha1')
      for await (const piece of incoming) hash.update(piece)
      return outgoing.end(hash.digest('hex'))
    }
    const body = await text(incoming)
    if (!body.includes(`Agent ${agent}"`) || !body.endsWith('}'))
      return outgoing.writeHead(400).end(`not the request of agent ${agent}`)
    outgoing.writeHead(200, { 'content-type': 'text/event-stream' })
    return outgoing.end(ANSWER.replaceAll(NUMBER, String(request)))
  })
  server.keepAliveTimeout = 75_000
  await once(server.listen(0, '127.0.0.1'), 'listening')
  console.error(`http://127.0.0.1:${(server.address() as AddressInfo).port} answers`)
}

/** Sends requests of all agents at once for a time, and checks each answer byte for byte. */
async function run(name: string, origin: string, hasMetrics = true) {
  console.error(`${name}: ${agents} agents, ${seconds} s`)
  const pool = new Pool(origin, { connections: agents, headersTimeout: 0, bodyTimeout: 0 })
  const request = requestTemplate()
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
  const ask = async (agent: string): Promise<void> => {
    const number = String(++requests).padStart(NUMBER.length, '0')
    const askedAt = performance.now()
    const headers = { 'content-type': 'application/json', 'x-agent': agent, 'x-request': number }
    try {
      const body = request.replaceAll(NUMBER, agent)
      const path = '/v1/chat/completions'
      const answer = await pool.request({ method: 'POST', path, headers, body })
      const got = Buffer.from(await answer.body.arrayBuffer())
      const expected = Buffer.from(ANSWER.replaceAll(NUMBER, number))
      if (answer.statusCode !== 200 || got.length !== expected.length) lost++
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
    Array.from({ length: agents }, async (_, index) => {
      const agent = String(index).padStart(NUMBER.length, '0')
      while (performance.now() < startedAt + seconds * 1000) await ask(agent)
    }),
  )
  clearInterval(timer)
  const took = (performance.now() - startedAt) / 1000
  const processor = (await sample()) - before
  await pool.close()
  return { name, requests, lost, mixed, took, times, memory, processor }
}

const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`

/** A row of the table; what must not happen is an error. */
function rowOf(measured: Awaited<ReturnType<typeof run>>, direct: readonly number[]) {
  const { name, requests, lost, mixed, took, memory, processor, times } = measured
  const fail = (sentence: string) => {
    console.error(`${name}: ${sentence}`)
    process.exitCode = 1
  }
  if (lost > 0 || mixed > 0) fail(`${lost} lost, ${mixed} mixed of ${requests}.`)
  const half = Math.floor(memory.length / 2)
  const [first, second] = [Math.max(...memory.slice(0, half)), Math.max(...memory.slice(half))]
  if (half >= 10 && second > first * MOST_GROWTH)
    fail(`memory grew from ${megabytes(first)} to ${megabytes(second)}.`)
  const timeOf = (share: number) => {
    const time = quantile(times, share)
    return `${(time / 1000).toFixed(2)} s (${(time / quantile(direct, share)).toFixed(2)}×)`
  }
  return {
    '': name,
    requests,
    lost,
    mixed,
    'per second': (times.length / took).toFixed(1),
    p50: timeOf(0.5),
    p99: timeOf(0.99),
    'processor per request':
      memory.length > 0 ? `${((processor / times.length) * 1000).toFixed(1)} ms` : '',
    'memory, by half': half === 0 ? '' : `${megabytes(first)}, ${megabytes(second)}`,
  }
}

async function measureLoad(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'proxy-load-'))
  const children: ChildProcess[] = []
  /** Starts a TypeScript file; resolves with the address it prints, and a function that ends it and returns its output. */
  const start = async (file: string, ...args: readonly string[]) => {
    const path = fileURLToPath(new URL(file, import.meta.url))
    const command = ['--import', 'tsx', path, ...args]
    const child = spawn(process.execPath, command, { stdio: 'pipe' })
    children.push(child)
    let output = ''
    child.stdout.on('data', (piece) => {
      output += piece
    })
    const end = async () => {
      child.stdin.end()
      await once(child, 'close')
      return output
    }
    for (;;) {
      const [piece] = await once(child.stderr, 'data')
      const address = ADDRESS.exec(String(piece))?.[0]
      if (address === undefined) continue
      // What else it says is not read, but must not wait.
      child.stderr.resume()
      return { address, end }
    }
  }
  try {
    const { address: provider } = await start('./proxy-load.ts', '--provider')
    const startProxy = async (enabled: boolean, ...more: readonly string[]) => {
      const config = join(folder, `${enabled}.toml`)
      writeFileSync(config, `[observation_masking.schema1]\nenabled = ${enabled}\n`)
      const args = ['--target', `${provider}/v1`, '--config', config, '--port', '0', ...more]
      return (await start(values.proxy, ...args)).address
    }
    if (values.bodies) {
      const rows = await measureBodies(start, (flags) => startProxy(true, ...flags))
      return console.log(markdownTable(rows))
    }
    const runs = [await run('direct', provider, false)]
    // One after the other, each proxy in a process of its own.
    for (const enabled of [false, true])
      runs.push(await run(`proxy, masking ${enabled ? 'on' : 'off'}`, await startProxy(enabled)))
    const rows = runs.map((one) => rowOf(one, runs[0]?.times ?? []))
    console.log(
      `${markdownTable(rows)}\n\n${agents} agents, ${seconds} s each, Node ${process.version} on ${cpus().length} cores; load of the machine ${(loadavg()[0] as number).toFixed(1)}.`,
    )
  } finally {
    for (const child of children) child.kill()
    rmSync(folder, { recursive: true })
  }
}

if (values.probe !== undefined) await probe(values.probe)
else await (values.provider ? serveAsProvider() : measureLoad())
