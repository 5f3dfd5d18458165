/**
 * Many agents at once through the proxy, and the same without it: `npm run proxy-load`, with `--write` for the table in
 * `docs/pipeline.md`. Fails if a request is lost, an answer is another's, or memory keeps growing.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { writeSection } from '../benchmark/write-section.mjs'
import { type LoadResult, runLoad } from './run-load'

/** Memory in the second half of a run, as a share of that in the first; a leak of the answers would double it. */
const MOST_GROWTH = 1.4

const { values } = parseArgs({
  options: {
    agents: { type: 'string', default: '200' },
    seconds: { type: 'string', default: '60' },
    write: { type: 'boolean', default: false },
  },
})
const [agents, seconds] = [Number(values.agents), Number(values.seconds)]
const folder = mkdtempSync(join(tmpdir(), 'proxy-load-'))
const children: ChildProcess[] = []

/** Starts a TypeScript file and resolves with the address it prints. */
function start(file: string, args: readonly string[] = []): Promise<string> {
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

interface Run extends LoadResult {
  readonly name: string
  /** Bytes, each second. */
  readonly memory: readonly number[]
  /** Processor time of the proxy, in seconds; undefined without one. */
  readonly processor: number | undefined
}

async function run(name: string, origin: string, hasMetrics: boolean): Promise<Run> {
  const memory: number[] = []
  const sample = async (): Promise<number> => {
    const text = await (await fetch(`${origin}/metrics`)).text()
    const read = (metric: string) => Number(new RegExp(`^${metric} (\\S+)`, 'm').exec(text)?.[1])
    memory.push(read('process_resident_memory_bytes'))
    return read('process_cpu_seconds_total')
  }
  console.error(`${name}: ${agents} agents, ${seconds} s`)
  if (!hasMetrics) return { name, memory, processor: undefined, ...(await load(origin)) }
  const before = await sample()
  const result = await load(origin, () => void sample().catch(() => {}))
  return { name, memory, processor: (await sample()) - before, ...result }
}

function load(origin: string, onSecond?: () => void): Promise<LoadResult> {
  return runLoad(origin, { agents, seconds, ...(onSecond && { onSecond }) })
}

const loads: number[] = []
const runs: Run[] = []
try {
  const provider = await start('./provider.ts')
  const proxyWith = async (enabled: boolean) => {
    const config = join(folder, `${enabled}.toml`)
    writeFileSync(config, `[observation_masking.schema1]\nenabled = ${enabled}\n`)
    const args = ['--target', `${provider}/v1`, '--config', config, '--port', '0']
    return start('../../lib/pipeline/proxy/main.ts', args)
  }
  // One after the other, each proxy in a process of its own.
  runs.push(await run('direct', provider, false))
  loads.push(loadavg()[0] as number)
  runs.push(await run('proxy, masking off', await proxyWith(false), true))
  loads.push(loadavg()[0] as number)
  runs.push(await run('proxy, masking', await proxyWith(true), true))
  loads.push(loadavg()[0] as number)
} finally {
  for (const child of children) child.kill()
  rmSync(folder, { recursive: true })
}

const [direct] = runs as [Run]
const percentile = ({ times }: Run, share: number) =>
  times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN
const highest = (memory: readonly number[]) => Math.max(...memory)
const ratio = (value: number, base: number) => `${(value / base).toFixed(2)}×`
const perSecond = (one: Run) => one.times.length / one.seconds
const problems: string[] = []

const rows = runs.map((one) => {
  const { name, requests, lost, mixed, memory, processor, times } = one
  if (lost > 0 || mixed > 0) problems.push(`${name}: ${lost} lost, ${mixed} mixed of ${requests}.`)
  const half = Math.floor(memory.length / 2)
  const [first, second] = [highest(memory.slice(0, half)), highest(memory.slice(half))]
  if (half >= 10 && second > first * MOST_GROWTH) {
    problems.push(`${name}: memory grew from ${megabytes(first)} to ${megabytes(second)}.`)
  }
  const [p50, p99] = [percentile(one, 0.5), percentile(one, 0.99)]
  return [
    name,
    requests,
    lost,
    mixed,
    `${perSecond(one).toFixed(1)} (${ratio(perSecond(one), perSecond(direct))})`,
    `${(p50 / 1000).toFixed(2)} s (${ratio(p50, percentile(direct, 0.5))})`,
    `${(p99 / 1000).toFixed(2)} s (${ratio(p99, percentile(direct, 0.99))})`,
    processor === undefined ? '' : `${((processor / times.length) * 1000).toFixed(1)} ms`,
    half === 0 ? '' : `${megabytes(first)}, ${megabytes(second)}`,
  ]
})
const head = [
  '',
  'requests',
  'lost',
  'mixed',
  'per second',
  'p50',
  'p99',
  'processor per request',
  'memory, by half',
]
const table = [head, head.map((_, at) => (at === 0 ? '---' : '---:')), ...rows]
  .map((cells) => `| ${cells.join(' | ')} |`)
  .join('\n')
const machine = `${agents} agents, ${seconds} s each, Node ${process.version} on ${cpus().length} cores; load of the machine after each run: ${loads.map((load) => load.toFixed(1)).join(', ')}.`
console.log(`${table}\n\n${machine}`)
if (values.write) writeSection('proxy-load', `${table}\n\n${machine}`, 'docs/pipeline.md')
for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exitCode = 1

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1e6)} MB`
}
