/** What the page beside an agent asks of the proxy. A cookie lets it in, which the token in the printed address gives. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { createReadStream, unwatchFile, watchFile } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { Readable } from 'node:stream'
import type { HttpBindings } from '@hono/node-server'
import { type Context, Hono } from 'hono'
import { streamSSE } from 'hono/streaming'
import { siteRoutes } from '../../../scripts/site-routes.mjs'
import { readDocument } from '../../core/formats/read-document'
import type { WatchedSession, WatchState } from '../../core/share/watched'
import { createJobQueue } from '../../core/steps'
import type { Recorded } from '../proxy/record-request'
import type { AppliedPolicy } from './applied-policy'

/** A comment this often, in milliseconds, keeps a connection that carries nothing. */
const BEAT = 15_000
/** So much is read of a file at once: of a session's first line, and back from the end of one that another program writes. */
const READ_BYTES = 4_000_000
/** How often a file of another program is looked at, in milliseconds. */
const FILE_INTERVAL = 300

const HEADERS = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
}

const random = () => randomBytes(24).toString('base64url')

const isSame = (one: string, other: string) =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))

type Bound = Context<{ Bindings: HttpBindings }>

/** `folder` has the files of the sessions, `site` those of the built page. */
export function createWatchRoutes(folder: string, site: string, policy: AppliedPolicy) {
  const token = random()
  /** Seen by others on this machine while the browser starts, so it is good for one use. */
  const once = new Set<string>()
  const cookie = random()
  const sessions = new Map<string, WatchedSession>()
  /** Of files that other programs write. */
  const paths = new Map<string, string>()
  const listeners = new Set<(event: string, data: unknown) => void>()
  const tell = (event: string, data: unknown) => {
    for (const send of listeners) send(event, data)
  }
  // Browsers send the cookies of one port to all ports of a machine.
  const nameOf = ({ env }: Bound, name: string) => `${name}-${env.incoming.socket.localPort}`
  const hasCookie = (context: Bound) => {
    const name = nameOf(context, 'watch')
    const pairs = (context.req.header('cookie') ?? '').split(/; */)
    return pairs.some((pair) => isSame(pair, `${name}=${cookie}`))
  }
  policy.listen(() => {
    for (const [id, session] of sessions) sessions.set(id, { ...session, masked: undefined })
    tell('state', state())
  })
  const state = (): WatchState => ({ sessions: [...sessions.values()], policy: policy.state() })

  const routes = new Hono<{ Bindings: HttpBindings }>()
  routes.get('/watch', (context) => {
    const given = context.req.query('token') ?? ''
    if (!once.delete(given) && !isSame(given, token))
      return context.text('The token is missing or used; the terminal shows the address.\n', 403)
    const strict = 'SameSite=Strict; Path=/'
    const add = (pair: string) => context.header('Set-Cookie', pair, { append: true })
    add(`${nameOf(context, 'watch')}=${cookie}; HttpOnly; ${strict}`)
    // Tells the page where it is, and nothing else.
    add(`${nameOf(context, 'watching')}=1; ${strict}`)
    return context.redirect('/', 303)
  })
  routes.use('/watch/*', async (context, next) => {
    for (const [name, value] of Object.entries(HEADERS)) context.header(name, value)
    if (hasCookie(context)) return next()
    return context.text('Open the address that the terminal shows; it has a token.\n', 403)
  })
  routes.get('/watch/events', (context) =>
    streamSSE(context, async (stream) => {
      const send = (event: string, data: unknown) =>
        void stream.writeSSE({ event, data: JSON.stringify(data) }).catch(() => {})
      listeners.add(send)
      stream.onAbort(() => void listeners.delete(send))
      send('state', state())
      while (!stream.aborted && !stream.closed) {
        await stream.sleep(BEAT)
        await stream.write(':\n\n')
      }
    }),
  )
  routes.get('/watch/sessions/:id', (context) => {
    const session = sessions.get(context.req.param('id'))
    if (session === undefined) return context.text('There is no such session.\n', 404)
    const start = Number(context.req.query('from') ?? 0)
    if (!Number.isSafeInteger(start) || start < 0 || start > session.bytes)
      return context.text(`"from" is no number from 0 to ${session.bytes}.\n`, 400)
    const headers = { ...HEADERS, 'Content-Type': 'application/jsonl; charset=utf-8' }
    if (start === session.bytes) return new Response('', { headers })
    // A line that is being written is not shown.
    const path = paths.get(session.id) ?? join(folder, `${session.id}.jsonl`)
    const stream = Readable.toWeb(createReadStream(path, { start, end: session.bytes - 1 }))
    return new Response(stream as ReadableStream, { headers })
  })
  routes.post('/watch/policy', async (context) => {
    const problem = policy.apply(await context.req.text())
    return problem === undefined ? context.body(null, 204) : context.text(`${problem}\n`, 400)
  })
  routes.post('/watch/policy/back', (context) => {
    policy.takeBack()
    return context.body(null, 204)
  })
  routes.route('/', siteRoutes(site))

  return {
    routes,
    /** The address to print, and one to open at once. */
    addresses: (url: string) => {
      const single = random()
      once.add(single)
      return { printed: `${url}/watch?token=${token}`, opened: `${url}/watch?token=${single}` }
    },
    /** Takes note of a request that was written. */
    grew: async ({ session: id, bytes, masked }: Recorded) => {
      const before = sessions.get(id)
      const requests = (before?.requests ?? 0) + 1
      const opening = before?.opening ?? ''
      const session = { id, bytes, requests, masked, at: Date.now(), opening }
      sessions.set(id, session)
      if (before === undefined) {
        const opening = await openingOf(join(folder, `${id}.jsonl`)).catch(() => '')
        sessions.set(id, { ...(sessions.get(id) ?? session), opening })
      }
      tell('session', sessions.get(id))
    },
    /** Follows a file that another program writes, once it is there; returns how to end it. */
    followFile: (path: string) => {
      const id = createHash('sha256').update(path).digest('hex').slice(0, 16)
      const enqueue = createJobQueue()
      paths.set(id, path)
      const look = async () => {
        const known = sessions.get(id)?.bytes ?? 0
        const { size, mtimeMs: at } = await stat(path)
        // One that is shorter was written anew.
        const bytes = await endOfLines(path, size < known ? 0 : known, size)
        if (bytes === known) return
        const opening = basename(path)
        sessions.set(id, { id, bytes, requests: undefined, masked: undefined, at, opening })
        tell('session', sessions.get(id))
      }
      const lookAgain = () => void enqueue(look).catch(() => {})
      watchFile(path, { interval: FILE_INTERVAL, persistent: false }, lookAgain)
      lookAgain()
      return () => unwatchFile(path, lookAgain)
    },
  }
}

/** The end of the last whole line after `from`; `from` itself if there is none. Reads back from the end of the file. */
async function endOfLines(path: string, from: number, size: number): Promise<number> {
  const file = await open(path)
  try {
    for (let end = size; end > from; ) {
      const start = Math.max(from, end - READ_BYTES)
      const { bytesRead, buffer } = await file.read(
        Buffer.alloc(end - start),
        0,
        end - start,
        start,
      )
      const last = buffer.subarray(0, bytesRead).lastIndexOf('\n')
      if (last !== -1) return start + last + 1
      end = start
    }
    return from
  } finally {
    await file.close()
  }
}

/** The start of the first question of a session, from its file, which has no secret. */
async function openingOf(path: string): Promise<string> {
  const file = await open(path)
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(READ_BYTES), 0, READ_BYTES, 0)
    const [line = ''] = buffer.subarray(0, bytesRead).toString('utf8').split('\n', 1)
    return readDocument(line).conversations[0]?.opening ?? ''
  } finally {
    await file.close()
  }
}
