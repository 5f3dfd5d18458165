/**
 * Many agents at once through the proxy, and the same without it: `npm run proxy-load -- --agents 200 --seconds 60`. Fails if
 * a request is lost, an answer is another's, or memory keeps growing. With `--bodies`, long bodies one by one instead, and
 * how long other clients wait meanwhile; with `--mixed`, one of them each second beside a small request of each agent.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { Pool } from 'undici'
import { maskRequestBody } from '../../lib/pipeline/mask-request'
import { ask, EVENTS, hashOf, NONE, NUMBER, serveAsProvider, UNLIMITED } from './checked-answers'
import { markdownTable, quantile } from './compare'
import { BODIES, withText } from './long-bodies'
import { makeMessages, sampledShape } from './transcripts'

/** Memory in the second half of a run, as a share of that in the first; a leak of the answers would double it. */
const MOST_GROWTH = 1.4
const ADDRESS = /http:\/\/127\.0\.0\.1:\d+/

const { values } = parseArgs({
  options: {
    agents: { type: 'string', default: '200' },
    seconds: { type: 'string', default: '60' },
    /** For the process that this file starts: it answers as a provider. */
    provider: { type: 'boolean', default: false },
    bodies: { type: 'boolean', default: false },
    mixed: { type: 'boolean', default: false },
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

type Measured = Awaited<ReturnType<typeof run>>

/** Sends requests of all agents at once for a time, and checks each answer byte for byte. */
async function run({ name, origin, enabled, body, repair = false }: Run) {
  console.error(name)
  const pool = new Pool(origin, UNLIMITED)
  const isLoad = body === undefined
  const template = isLoad ? requestTemplate() : withText(NUMBER)
  const sentOf = (text: string) => maskRequestBody(text, { enabled: enabled === true }).text
  const masked = sentOf(template)
  /** Bytes of the proxy, each second. */
  const memory: number[] = []
  /** Milliseconds of each request to the last byte of its answer. */
  const times: number[] = []
  const outcomes = { ...NONE }
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
  let health = 0
  const healthTimer = setInterval(async () => {
    if (isLoad) return
    const askedAt = performance.now()
    await (await fetch(`${origin}/health`)).text()
    health = Math.max(health, performance.now() - askedAt)
  }, 20)
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
  clearInterval(healthTimer)
  const took = (performance.now() - startedAt) / 1000
  const processor = (await sample()) - before
  await pool.close()
  const long = await over
  // Masking it here meanwhile would hold up these clients.
  const isOther = body !== undefined && !repair && long?.sha1 !== hashOf(sentOf(body))
  if (long !== undefined) outcomes[isOther ? 'mixed' : long.outcome]++
  return { name, ...outcomes, took, times, memory, processor, long: long?.took ?? 0, health }
}

/**
 * Sends a small request of each agent every five seconds, as a model needs them for an answer, a long body each second, and
 * a small request to the provider itself each tenth.
 */
async function runMixed(provider: string, origin: string): Promise<Measured[]> {
  const pools = { proxy: new Pool(origin, UNLIMITED), direct: new Pool(provider, UNLIMITED) }
  const sentAs = (body: string) => hashOf(maskRequestBody(body, { enabled: true }).text)
  const long = BODIES.filter(([, , repair]) => repair !== true).map(([, make]) => {
    const text = make()
    return { body: Buffer.from(text), sha1: sentAs(text) }
  })
  const small = Array.from({ length: agents }, (_, agent) => {
    const body = withText(`Agent ${agent}`)
    return { body, sha1: sentAs(body) }
  })
  // Code is loaded and threads are started with the first requests.
  for (const { body } of [...small.slice(0, 1), ...long.slice(0, 1)])
    await ask(pools.proxy, body, undefined)
  const memory: number[] = []
  const startedAt = performance.now()
  const isOver = () => performance.now() - startedAt > seconds * 1000
  const group = async (
    name: string,
    pool: Pool,
    pause: number,
    texts: readonly { readonly body: string | Buffer; readonly sha1: string }[],
  ): Promise<Measured> => {
    const outcomes = { ...NONE }
    const times: number[] = []
    const asked: Promise<unknown>[] = []
    for (let turn = 0; !isOver(); turn++) {
      const { body, sha1 } = texts[turn % texts.length] as (typeof texts)[number]
      const answered = ask(pool, body, sha1).then(({ outcome, took }) => {
        outcomes[outcome]++
        times.push(took)
      })
      asked.push(answered)
      await sleep(Math.max(0, startedAt + (turn + 1) * pause - performance.now()))
    }
    await Promise.all(asked)
    const took = (performance.now() - startedAt) / 1000
    return { name, ...outcomes, took, times, memory, processor: 0, long: 0, health: 0 }
  }
  const timer = setInterval(async () => {
    const asked = fetch(`${origin}/metrics`)
    const metrics = await asked.then((answer) => answer.text()).catch(() => '')
    const bytes = /^process_resident_memory_bytes (\S+)/m.exec(metrics)?.[1]
    if (bytes !== undefined) memory.push(Number(bytes))
  }, 1000)
  const direct = small.map(({ body }) => ({ body, sha1: hashOf(body) }))
  const groups = await Promise.all([
    group('small, direct', pools.direct, 100, direct),
    group('small, by the proxy', pools.proxy, 5000 / agents, small),
    group('long, by the proxy', pools.proxy, 1000, long),
  ])
  clearInterval(timer)
  return groups
}

const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`

/** A row of the table; what must not happen is an error. */
function rowOf(measured: Measured, direct: readonly number[] = []) {
  const { name, lost, mixed, refused, took, memory, processor, times, long, health } = measured
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
    ...(long > 0 && { 'answered after': secondsOf(long), health: secondsOf(health) }),
    requests: times.length,
    lost,
    mixed,
    refused,
    'over 50 ms': times.filter((time) => time > 50).length,
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
      child.stderr.pipe(process.stderr)
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
    if (values.mixed) {
      const groups = await runMixed(provider, await startProxy(true))
      return markdownTable(groups.map((one) => rowOf(one, groups[0]?.times)))
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
