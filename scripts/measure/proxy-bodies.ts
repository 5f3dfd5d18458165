/** Bodies that once held the proxy, one after the other, and how long another client waits meanwhile: `proxy-load --bodies`. */
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'
import { maskRequestBody } from '../../lib/pipeline/mask-request'

const call = (id: string, args: string) => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id, type: 'function', function: { name: 'read', arguments: args } }],
})
const result = (id: string, content: string) => ({ role: 'tool', tool_call_id: id, content })
const write = (messages: readonly object[]) => JSON.stringify({ model: 'gpt-5', messages })
/** One old result, which is masked, and a text. */
const withText = (text: string) =>
  write([
    ...Array.from({ length: 12 }, (_, at) => [
      call(`c${at}`, '{}'),
      result(`c${at}`, 'an old result '.repeat(20)),
    ]).flat(),
    { role: 'user', content: text },
  ])
/** Letters and digits that no token has, as in base64; the same ones each time. */
function noise(length: number, letters: string): string {
  let state = 1
  return Array.from({ length }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return letters[state % letters.length]
  }).join('')
}
const LOWER = 'abcdefghijklmnopqrstuvwxyz'

/** What the proxy changes is known, except where a time limit ends a repair. */
export const BODIES: readonly (readonly [string, () => string, isRepaired?: boolean])[] = [
  ['8 MB of lower-case letters', () => withText(noise(8e6, LOWER))],
  ['40 MB of lower-case letters', () => withText(noise(4e7, LOWER))],
  ['30 MB, a single word', () => withText('a'.repeat(3e7))],
  ['5 MB of base64', () => withText(noise(5e6, `${LOWER}${LOWER.toUpperCase()}0123456789+/`))],
  ['49 MB of words', () => withText('some words and numbers 12345, '.repeat(1.633e6))],
  ['a million empty messages', () => write(Array(1e6).fill({ role: 'user', content: '' }))],
  [
    'a million calls and results',
    () =>
      write(
        Array.from({ length: 2.5e5 }, (_, at) => [
          call(`c${at}`, '{}'),
          result(`c${at}`, 'ok'),
        ]).flat(),
      ),
  ],
  [
    '40 calls of 400,000 quotation marks',
    () =>
      write(
        Array.from({ length: 40 }, (_, at) => [
          call(`c${at}`, '"'.repeat(4e5)),
          result(`c${at}`, 'ok'),
        ]).flat(),
      ),
    true,
  ],
]

const CHAT = '/v1/chat/completions'
const headers = { 'content-type': 'application/json', 'x-hash': 'yes' }
export const hashOf = (body: string | Buffer) => createHash('sha1').update(body).digest('hex')
const SMALL = write([{ role: 'user', content: 'hello' }])

/** For a process of its own: asks a proxy again and again, and prints how long that took at most when its input ends. */
export async function probe(origin: string): Promise<void> {
  let isOver = false
  process.stdin.on('end', () => {
    isOver = true
  })
  process.stdin.resume()
  const pool = new Pool(origin, { connections: 4 })
  const longest = { health: 0, request: 0, lost: 0, requests: 0 }
  const ask = async (kind: 'health' | 'request') => {
    const askedAt = performance.now()
    const isHealth = kind === 'health'
    try {
      const { statusCode, body } = await pool.request(
        isHealth
          ? { path: '/health', method: 'GET' }
          : { path: CHAT, method: 'POST', headers, body: SMALL },
      )
      const text = await body.text()
      if (statusCode !== 200 || (!isHealth && text !== hashOf(SMALL))) longest.lost++
    } catch {
      longest.lost++
    }
    longest.requests++
    longest[kind] = Math.max(longest[kind], performance.now() - askedAt)
  }
  for (const kind of ['health', 'request'] as const) await ask(kind)
  Object.assign(longest, { health: 0, request: 0 })
  console.error(`${origin} is asked`)
  while (!isOver) {
    await Promise.all([ask('health'), ask('request')])
    await sleep(5)
  }
  console.log(JSON.stringify(longest))
  await pool.close()
}

type Start = (
  file: string,
  ...args: readonly string[]
) => Promise<{ readonly address: string; readonly end: () => Promise<string> }>

/** A row for each body: its answer's time, whether it arrived as it should, the longest wait of others, and requests lost. */
export async function measureBodies(
  start: Start,
  startProxy: (isRepairing: boolean) => Promise<string>,
) {
  const rows: Record<string, string | number>[] = []
  for (const [name, make, isRepaired = false] of BODIES) {
    const origin = await startProxy(isRepaired)
    const body = make()
    const expected = isRepaired ? undefined : hashOf(maskRequestBody(body, { enabled: true }).text)
    const pool = new Pool(origin, { headersTimeout: 0, bodyTimeout: 0 })
    const other = await start('./proxy-load.ts', '--probe', origin)
    const lag = async () => {
      const metrics = await (await pool.request({ path: '/metrics', method: 'GET' })).body.text()
      return Number(/^nodejs_eventloop_lag_max_seconds (\S+)/m.exec(metrics)?.[1]) * 1000
    }
    await lag()
    const askedAt = performance.now()
    const arrived = await pool
      .request({ path: CHAT, method: 'POST', headers, body })
      .then(async (answer) =>
        answer.statusCode === 200 ? await answer.body.text() : `${answer.statusCode}`,
      )
      .catch((error: Error & { code?: string }) => error.code ?? error.message)
    const took = performance.now() - askedAt
    // Tokens are counted after the request has left.
    await sleep(3000)
    const held = await lag().catch(() => Number.NaN)
    const { health, request, lost, requests } = JSON.parse(await other.end())
    const isRight = expected === undefined ? /^[\da-f]{40}$/.test(arrived) : arrived === expected
    rows.push({
      body: name,
      bytes: Buffer.byteLength(body),
      'answer after': `${(took / 1000).toFixed(1)} s`,
      'as expected': isRight ? 'yes' : arrived,
      'longest wait of /health': `${health.toFixed(0)} ms`,
      'of a small request': `${request.toFixed(0)} ms`,
      'event loop held': `${held.toFixed(0)} ms`,
      'others lost': `${lost} of ${requests}`,
    })
    console.error(JSON.stringify(rows.at(-1)))
    await pool.close()
  }
  return rows
}
