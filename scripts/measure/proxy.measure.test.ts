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
import { createAgents, createTally, createWatch } from './testing/agents'
import { ask, hashOf, UNLIMITED } from './testing/checked-answers'
import { BODIES, withText } from './testing/long-bodies'
import { markdownTable, quantile } from './testing/tables'

/** Memory in the second half of a run, as a share of that in the first; a leak of the answers would double it. */
const MOST_GROWTH = 1.4
const ADDRESS = /http:\/\/127\.0\.0\.1:\d+/

const agents = Number(process.env.AGENTS ?? 50)
const seconds = Number(process.env.SECONDS ?? 3)
/** A clone of another version, to compare with. */
const before = process.env.BEFORE
/** In each, every agent sends at least one request: many agents have fewer rounds. */
const ROUNDS = Math.min(20, Math.max(4, Math.round(1000 / agents)))
const isMixed = process.env.MIXED !== undefined
const isBodies = process.env.BODIES !== undefined
const MOST_MILLISECONDS = 600_000 + 10 * seconds * 1000

type Measured = Awaited<ReturnType<Awaited<ReturnType<typeof createAgents>>['close']>>

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
  const watch = createWatch(origin)
  await watch.start()
  const startedAt = performance.now()
  const isOver = () => performance.now() - startedAt > seconds * 1000
  const group = async (
    name: string,
    pool: Pool,
    pause: number,
    texts: readonly { readonly body: string | Buffer; readonly sha1: string }[],
  ): Promise<Measured> => {
    const { outcomes, times, firstBytes, add } = createTally()
    const asked: Promise<unknown>[] = []
    for (let turn = 0; !isOver(); turn++) {
      const { body, sha1 } = texts[turn % texts.length] as (typeof texts)[number]
      asked.push(ask(pool, body, sha1).then(add))
      await sleep(Math.max(0, startedAt + (turn + 1) * pause - performance.now()))
    }
    await Promise.all(asked)
    const took = (performance.now() - startedAt) / 1000
    return { name, ...outcomes, took, times, firstBytes, memory: watch.memory, processor: 0 }
  }
  const direct = small.map(({ body }) => ({ body, sha1: hashOf(body) }))
  const groups = await Promise.all([
    group('small, direct', pools.direct, 100, direct),
    group('small, by the proxy', pools.proxy, 5000 / agents, small),
    group('long, by the proxy', pools.proxy, 1000, long),
  ])
  await watch.stop()
  return groups
}

/** Sends a long body while two clients send small requests again and again, until it is answered. */
async function runBody(name: string, origin: string, body: string, repair: boolean) {
  console.error(name)
  const pool = new Pool(origin, UNLIMITED)
  const small = withText('small')
  const masked = hashOf(maskRequestBody(small, { enabled: true }).text)
  await ask(pool, small, undefined)
  const { outcomes, times, firstBytes, add } = createTally()
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
  const measured = { name, ...outcomes, took, times, firstBytes, memory: [], processor: 0 }
  const { '': _, ...row } = rowOf(measured)
  return { body: name, answered: shownTime(answered), '/health': shownTime(health), ...row }
}

const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`

/** What must not happen, but did. */
const failures: string[] = []

/** A row of the table; what must not happen is a failure. */
function rowOf(measured: Measured, direct?: Measured) {
  const { name, lost, mixed, refused, took, memory, processor, times, firstBytes } = measured
  const fail = (sentence: string) => failures.push(`${name}: ${sentence}`)
  if (lost > 0 || mixed > 0) fail(`${lost} lost, ${mixed} mixed of ${times.length}.`)
  const half = Math.floor(memory.length / 2)
  const [first, second] = [Math.max(...memory.slice(0, half)), Math.max(...memory.slice(half))]
  if (half >= 10 && second > first * MOST_GROWTH)
    fail(`memory grew from ${megabytes(first)} to ${megabytes(second)}.`)
  const ratioTo = (value: number, other: number | undefined) =>
    other === undefined ? '' : ` (${(value / other).toFixed(2)}×)`
  const timeOf = (share: number) => {
    const time = quantile(times, share)
    return `${shownTime(time)}${ratioTo(time, direct && quantile(direct.times, share))}`
  }
  const rate = times.length / took
  return {
    '': name,
    requests: times.length,
    lost,
    mixed,
    refused,
    'over 50 ms': times.filter((time) => time > 50).length,
    'per second': `${rate.toFixed(1)}${ratioTo(rate, direct && direct.times.length / direct.took)}`,
    'first byte, p50': shownTime(quantile(firstBytes, 0.5)),
    p50: timeOf(0.5),
    p99: timeOf(0.99),
    longest: shownTime(Math.max(...times)),
    'processor per request':
      memory.length > 0 ? `${((processor / times.length) * 1000).toFixed(1)} ms` : '',
    'memory, by half': half === 0 ? '' : `${megabytes(first)}, ${megabytes(second)}`,
  }
}

const shownTime = (milliseconds: number) =>
  milliseconds < 1000 ? `${milliseconds.toFixed(1)} ms` : `${(milliseconds / 1000).toFixed(2)} s`

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
function startProxy(
  provider: string,
  enabled: boolean,
  flags: readonly string[] = [],
  folderOfCode = '../..',
) {
  const config = join(folder, `${enabled}.toml`)
  writeFileSync(config, `[observation_masking.schema1]\nenabled = ${enabled}\n`)
  const args = ['--target', `${provider}/v1`, '--config', config, '--port', '0', ...flags]
  return start(`${folderOfCode}/lib/pipeline/proxy/main.ts`, ...args)
}

function print(measured: readonly Measured[]): void {
  const rows = measured.map((one) => rowOf(one, measured[0]))
  console.log(
    `${markdownTable(rows)}\n\n${agents} agents, ${seconds} s each, Node ${process.version} on ${cpus().length} cores; load of the machine ${(loadavg()[0] as number).toFixed(1)}.`,
  )
}

test.runIf(!isMixed && !isBodies)(
  'a proxy for many agents loses and mixes no answer, and its memory stays',
  async () => {
    const provider = await startProvider()
    const runs = [await createAgents(agents, 'direct', provider)]
    for (const enabled of [false, true]) {
      const name = `proxy, masking ${enabled ? 'on' : 'off'}`
      runs.push(await createAgents(agents, name, await startProxy(provider, enabled), enabled))
      if (before === undefined) continue
      const origin = await startProxy(provider, enabled, [], before)
      runs.push(
        await createAgents(agents, `before: masking ${enabled ? 'on' : 'off'}`, origin, enabled),
      )
    }
    // In turns, so that what else the machine does is the same for all.
    for (let round = 0; round < ROUNDS; round++)
      for (const run of runs) await run.send(seconds / ROUNDS)
    const measured: Measured[] = []
    for (const run of runs) measured.push(await run.close())
    print(measured)
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
  MOST_MILLISECONDS,
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
