/** A provider whose answer says what arrived of a request, and a client that checks it. */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Pool } from 'undici'

/** Pieces of a long answer, which is one megabyte. */
export const EVENTS = 64
const FILLING = 'x'.repeat(1e6 / EVENTS - 100)
/** Stands for the number of an agent in a request. */
export const NUMBER = '00000000'
export const UNLIMITED = { headersTimeout: 0, bodyTimeout: 0 }
export const NONE = { right: 0, lost: 0, mixed: 0, refused: 0 }

export const hashOf = (body: string | Buffer) => createHash('sha1').update(body).digest('hex')

/** The provider's answer: what arrived of the request, as events. */
const answerTo = (request: unknown, sha1: string, events: number) =>
  `data: {"request":"${request}","sha1":"${sha1}","text":"${FILLING}"}\n\n`.repeat(events)

export async function serveAsProvider(): Promise<void> {
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
 * mixed is an answer with bytes of another request, refused is one that the proxy has no memory for.
 */
export async function ask(pool: Pool, body: string | Buffer, sha1: string | undefined, events = 1) {
  const request = String(++requests).padStart(NUMBER.length, '0')
  const headers = {
    'content-type': 'application/json',
    'x-request': request,
    'x-events': String(events),
  }
  const askedAt = performance.now()
  let isRefused = false
  let firstByte = 0
  const got = await pool
    .request({ method: 'POST', path: '/v1/chat/completions', headers, body })
    .then(async (answer) => {
      isRefused = answer.statusCode === 503
      const pieces: Buffer[] = []
      for await (const piece of answer.body) {
        if (pieces.length === 0) firstByte = performance.now() - askedAt
        pieces.push(piece)
      }
      return Buffer.concat(pieces)
    })
    .catch(() => Buffer.alloc(0))
  const known = sha1 ?? /"sha1":"(\w{40})"/.exec(got.toString())?.[1] ?? ''
  const expected = Buffer.from(answerTo(request, known, events))
  const isWhole = got.length === expected.length
  const wrong = isRefused ? 'refused' : isWhole ? 'mixed' : 'lost'
  const outcome = got.equals(expected) ? 'right' : wrong
  return { outcome, sha1: known, firstByte, took: performance.now() - askedAt } as const
}
