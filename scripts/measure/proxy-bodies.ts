/** Bodies that once held the proxy, one after the other, and how long other clients wait meanwhile: `proxy-load --bodies`. */
import { createHash } from 'node:crypto'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'
import { turn } from '../../lib/core/testing/provider-server'
import { maskRequestBody } from '../../lib/pipeline/mask-request'

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
const QUOTES = '40 calls of 400,000 quotation marks'

export const BODIES: readonly (readonly [string, () => string])[] = [
  ['8 MB of lower-case letters', () => withText(noise(8e6, LOWER))],
  ['40 MB of lower-case letters', () => withText(noise(4e7, LOWER))],
  ['30 MB, a single word', () => withText('a'.repeat(3e7))],
  ['5 MB of base64', () => withText(noise(5e6, `${LOWER}${LOWER.toUpperCase()}0123456789+/`))],
  ['49 MB of words', () => withText('some words and numbers 12345, '.repeat(1.633e6))],
  ['a million empty messages', () => write(Array(1e6).fill({ role: 'user', content: '' }))],
  ['250,000 calls and their results', () => write(turns(2.5e5, 'ok'))],
  [QUOTES, () => write(turns(40, 'ok', '"'.repeat(4e5)))],
]

const HASHED = { 'content-type': 'application/json', 'x-hash': 'yes' }
const SMALL = write([{ role: 'user', content: 'hello' }])
const post = (body: string) =>
  ({ path: '/v1/chat/completions', method: 'POST', headers: HASHED, body }) as const
const hashOf = (body: string) => createHash('sha1').update(body).digest('hex')

/** For a process of its own: asks a proxy until its input ends, then prints the longest waits and what was lost. */
export async function probe(origin: string): Promise<void> {
  let isOver = false
  process.stdin.resume().on('end', () => {
    isOver = true
  })
  const pool = new Pool(origin)
  const own = monitorEventLoopDelay({ resolution: 5 })
  const waits = { health: 0, request: 0, lost: 0, all: -2 }
  const ask = async (kind: 'health' | 'request', expected: RegExp) => {
    const askedAt = performance.now()
    const get = { path: '/health', method: 'GET' } as const
    const text = await pool
      .request(kind === 'health' ? get : post(SMALL))
      .then(({ body }) => body.text())
      .catch(() => '')
    if (!expected.test(text)) waits.lost++
    // The first ones connect.
    if (++waits.all > 0) waits[kind] = Math.max(waits[kind], performance.now() - askedAt)
    else if (own.enable()) console.error(`${origin} is asked`)
  }
  while (!isOver) {
    await Promise.all([ask('health', /ok/), ask('request', new RegExp(hashOf(SMALL)))])
    await sleep(5)
  }
  console.log(JSON.stringify({ ...waits, own: own.max / 1e6 }))
  await pool.close()
}

type Start = (
  file: string,
  ...args: readonly string[]
) => Promise<{ readonly address: string; readonly end: () => Promise<string> }>

/** A row for each body, each with a proxy of its own. */
export async function measureBodies(
  start: Start,
  startProxy: (flags: string[]) => Promise<string>,
) {
  const rows: Record<string, string | number>[] = []
  for (const [name, make] of BODIES) {
    const body = make()
    // Where a repair ends by its time limit, what arrives is not known before.
    const isKnown = name !== QUOTES
    const expected = isKnown ? hashOf(maskRequestBody(body, { enabled: true }).text) : /^\w{40}$/
    const origin = await startProxy(isKnown ? [] : ['--repair'])
    const other = await start('./proxy-load.ts', '--probe', origin)
    const pool = new Pool(origin, { headersTimeout: 0, bodyTimeout: 0 })
    const askedAt = performance.now()
    const arrived = await pool
      .request(post(body))
      .then((answer) => answer.body.text())
      .catch((error: Error) => error.message)
    const took = (performance.now() - askedAt) / 1000
    // Tokens are counted after the request has left.
    await sleep(3000)
    const { health, request, lost, all, own } = JSON.parse(await other.end())
    rows.push({
      body: name,
      bytes: body.length,
      'answered after': `${took.toFixed(1)} s`,
      'arrived as it should': arrived.match(expected) === null ? arrived : 'yes',
      'longest wait for /health': `${health.toFixed(0)} ms`,
      'for a small request': `${request.toFixed(0)} ms`,
      // What a process that does nothing else waits for a processor.
      'for the machine': `${own.toFixed(0)} ms`,
      'others lost': `${lost} of ${all}`,
    })
    console.error(JSON.stringify(rows.at(-1)))
    await pool.close()
  }
  return rows
}
