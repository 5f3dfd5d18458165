/**
 * Many agents at once through the proxy, and the same without it: `AGENTS=200 SECONDS=60 npm run proxy-load`. No request may be
 * lost, no answer be another's, and memory may not keep growing. With `MIXED=1`, a long body each second beside a small
 * request of each agent, and how long these wait. With `BODIES=1`, long bodies one by one, beside two clients with small requests.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Pool } from 'undici'
import { afterAll, expect, test } from 'vitest'
import { maskRequestBody } from '../../lib/pipeline/mask-request'
import { ask, EVENTS, hashOf, NONE, NUMBER, UNLIMITED } from './testing/checked-answers'
import { BODIES, withText } from './testing/long-bodies'
import { markdownTable, quantile } from './testing/tables'
import { makeMessages, sampledShape } from './testing/transcripts'

/** Memory in the second half of a run, as a share of that in the first; a leak of the answers would double it. */
const MOST_GROWTH = 1.4
const ADDRESS = /http:\/\/127\.0\.0\.1:\d+/

const agents = Number(process.env.AGENTS ?? 50)
const seconds = Number(process.env.SECONDS ?? 3)
const isMixed = process.env.MIXED !== undefined
const isBodies = process.env.BODIES !== undefined
const MOST_MILLISECONDS = 120_000 + 3 * seconds * 1000

/** A session of one megabyte whose results differ from agent to agent. */
function requestTemplate(): string {
  const { turns, resultOf } = sampledShape(60, 15_500)
  const messages = makeMessages({ turns, resultOf: (turn) => `${NUMBER} ${resultOf(turn)}` })
  const question = { role: 'user', content: `Agent ${NUMBER}` }
  return JSON.stringify({ model: 'gpt-5', stream: true, messages: [question, ...messages] })
}

type Measured = Awaited<ReturnType<typeof run>>

/** Looks at the proxy each second. Returns the bytes of its memory so far, and what ends this with its seconds of work. */
async function watch(origin: string) {
  const memory: number[] = []
  const sample = async (): Promise<number> => {
    const metrics = await (await fetch(`${origin}/metrics`)).text()
    const read = (name: string) => Number(new RegExp(`^${name} (\\S+)`, 'm').exec(metrics)?.[1])
    memory.push(read('process_resident_memory_bytes'))
    return read('process_cpu_seconds_total')
  }
  const before = await sample()
  const timer = setInterval(() => sample().catch(() => {}), 1000)
  const end = async (): Promise<number> => {
    clearInterval(timer)
    return (await sample()) - before
  }
  return { memory, end }
}

/** Outcomes of requests, and the milliseconds of each to the last byte of its answer. */
function createTally() {
  const outcomes = { ...NONE }
  const times: number[] = []
  const add = ({ outcome, took }: Awaited<ReturnType<typeof ask>>) => {
    outcomes[outcome]++
    times.push(took)
  }
  return { outcomes, times, add }
}

/** Sends requests of all agents at once for a time, and checks each answer byte for byte. */
async function run(name: string, origin: string, enabled?: boolean) {
  console.error(name)
  const pool = new Pool(origin, UNLIMITED)
  const template = requestTemplate()
  const masked = maskRequestBody(template, { enabled: enabled === true }).text
  const { outcomes, times, add } = createTally()
  // No proxy is in the way of direct requests.
  const proxy = enabled === undefined ? undefined : await watch(origin)
  const startedAt = performance.now()
  const isOver = () => performance.now() - startedAt > seconds * 1000
  await Promise.all(
    Array.from({ length: agents }, async (_, index) => {
      const agent = String(index).padStart(NUMBER.length, '0')
      const sha1 = hashOf(masked.replaceAll(NUMBER, agent))
      while (!isOver()) add(await ask(pool, template.replaceAll(NUMBER, agent), sha1, EVENTS))
    }),
  )
  const took = (performance.now() - startedAt) / 1000
  const processor = (await proxy?.end()) ?? 0
  await pool.close()
  return { name, ...outcomes, took, times, memory: proxy?.memory ?? [], processor }
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
  const { memory, end } = await watch(origin)
  const startedAt = performance.now()
  const isOver = () => performance.now() - startedAt > seconds * 1000
  const group = async (
    name: string,
    pool: Pool,
    pause: number,
    texts: readonly { readonly body: string | Buffer; readonly sha1: string }[],
  ): Promise<Measured> => {
    const { outcomes, times, add } = createTally()
    const asked: Promise<unknown>[] = []
    for (let turn = 0; !isOver(); turn++) {
      const { body, sha1 } = texts[turn % texts.length] as (typeof texts)[number]
      asked.push(ask(pool, body, sha1).then(add))
      await sleep(Math.max(0, startedAt + (turn + 1) * pause - performance.now()))
    }
    await Promise.all(asked)
    const took = (performance.now() - startedAt) / 1000
    return { name, ...outcomes, took, times, memory, processor: 0 }
  }
  const direct = small.map(({ body }) => ({ body, sha1: hashOf(body) }))
  const groups = await Promise.all([
    group('small, direct', pools.direct, 100, direct),
    group('small, by the proxy', pools.proxy, 5000 / agents, small),
    group('long, by the proxy', pools.proxy, 1000, long),
  ])
  await end()
  return groups
}

/** Sends a long body while two clients send small requests again and again, until it is answered. */
async function runBody(name: string, origin: string, body: string, repair: boolean) {
  console.error(name)
  const pool = new Pool(origin, UNLIMITED)
  const small = withText('small')
  const masked = hashOf(maskRequestBody(small, { enabled: true }).text)
  await ask(pool, small, undefined)
  const { outcomes, times, add } = createTally()
  const startedAt = performance.now()
  let [isOver, health] = [false, 0]
  const healthTimer = setInterval(async () => {
    const askedAt = performance.now()
    await (await fetch(`${origin}/health`)).text()
    health = Math.max(health, performance.now() - askedAt)
  }, 20)
  const long = ask(pool, Buffer.from(body), undefined).finally(() => {
    isOver = true
  })
  const client = async () => {
    while (!isOver) {
      add(await ask(pool, small, masked))
      await sleep(5)
    }
  }
  await Promise.all([client(), client()])
  const took = (performance.now() - startedAt) / 1000
  const { sha1, took: answered, outcome } = await long
  clearInterval(healthTimer)
  await pool.close()
  // Repairs end by a time limit, so what arrives of theirs is not known before.
  const isOther = !repair && sha1 !== hashOf(maskRequestBody(body, { enabled: true }).text)
  outcomes[isOther ? 'mixed' : outcome]++
  // Its memory grows with the body, and is given back.
  const { '': _, ...row } = rowOf({ name, ...outcomes, took, times, memory: [], processor: 0 })
  const secondsOf = (milliseconds: number) => `${(milliseconds / 1000).toFixed(2)} s`
  return { body: name, answered: secondsOf(answered), '/health': secondsOf(health), ...row }
}

const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`

/** What must not happen, but did. */
const failures: string[] = []

/** A row of the table; what must not happen is a failure. */
function rowOf(measured: Measured, direct: readonly number[] = []) {
  const { name, lost, mixed, refused, took, memory, processor, times } = measured
  const fail = (sentence: string) => failures.push(`${name}: ${sentence}`)
  if (lost > 0 || mixed > 0) fail(`${lost} lost, ${mixed} mixed of ${times.length}.`)
  const half = Math.floor(memory.length / 2)
  const [first, second] = [Math.max(...memory.slice(0, half)), Math.max(...memory.slice(half))]
  if (half >= 10 && second > first * MOST_GROWTH)
    fail(`memory grew from ${megabytes(first)} to ${megabytes(second)}.`)
  const secondsOf = (milliseconds: number) => `${(milliseconds / 1000).toFixed(2)} s`
  const timeOf = (share: number) => {
    const time = quantile(times, share)
    const ratio = direct.length === 0 ? '' : ` (${(time / quantile(direct, share)).toFixed(2)}×)`
    return `${secondsOf(time)}${ratio}`
  }
  return {
    '': name,
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

const folder = mkdtempSync(join(tmpdir(), 'proxy-load-'))
const children: ChildProcess[] = []
afterAll(() => {
  for (const child of children) child.kill()
  rmSync(folder, { recursive: true })
})

/** Starts a TypeScript file, and resolves with the address it prints. */
async function start(file: string, ...args: readonly string[]): Promise<string> {
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

const startProvider = () => start('./testing/serve-as-provider.ts')

/** Each proxy in a process of its own. */
function startProxy(provider: string, enabled: boolean, flags: readonly string[] = []) {
  const config = join(folder, `${enabled}.toml`)
  writeFileSync(config, `[observation_masking.schema1]\nenabled = ${enabled}\n`)
  const args = ['--target', `${provider}/v1`, '--config', config, '--port', '0', ...flags]
  return start('../../lib/pipeline/proxy/main.ts', ...args)
}

function print(measured: readonly Measured[]): void {
  const rows = measured.map((one) => rowOf(one, measured[0]?.times))
  console.log(
    `${markdownTable(rows)}\n\n${agents} agents, ${seconds} s each, Node ${process.version} on ${cpus().length} cores; load of the machine ${(loadavg()[0] as number).toFixed(1)}.`,
  )
}

test.runIf(!isMixed && !isBodies)(
  'a proxy for many agents loses and mixes no answer, and its memory stays',
  async () => {
    const provider = await startProvider()
    const runs = [await run('direct', provider)]
    for (const enabled of [false, true]) {
      const name = `proxy, masking ${enabled ? 'on' : 'off'}`
      runs.push(await run(name, await startProxy(provider, enabled), enabled))
    }
    print(runs)
    expect(failures).toEqual([])
  },
  MOST_MILLISECONDS,
)

test.runIf(isMixed)(
  'nor does one that gets a long body each second',
  async () => {
    const provider = await startProvider()
    print(await runMixed(provider, await startProxy(provider, true)))
    expect(failures).toEqual([])
  },
  10 * MOST_MILLISECONDS,
)

test.runIf(isBodies)(
  'nor does one that gets long bodies one by one, each a proxy of its own',
  async () => {
    const provider = await startProvider()
    const rows: Awaited<ReturnType<typeof runBody>>[] = []
    for (const [name, make, repair = false] of BODIES) {
      const origin = await startProxy(provider, true, repair ? ['--repair'] : [])
      rows.push(await runBody(name, origin, make(), repair))
    }
    console.log(markdownTable(rows))
    expect(failures).toEqual([])
  },
  1_800_000,
)
