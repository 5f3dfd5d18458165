/** What the page beside an agent asks of the proxy. A cookie lets it in, which the token in the printed address gives. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { EventEmitter, once as event } from 'node:events'
import { createReadStream, unwatchFile, watchFile } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { basename, join } from 'node:path'
import { Readable } from 'node:stream'
import type { HttpBindings } from '@hono/node-server'
import { type Context, Hono } from 'hono'
import { streamSSE } from 'hono/streaming'
import { siteRoutes } from '../../../scripts/site-routes.mjs'
import { readDocument } from '../../core/formats/read-document'
import type { WatchedSession, WatchState } from '../../core/share/watched'
import { createJobQueue } from '../../core/steps'
import type { RequestSummary } from '../proxy/proxy-metrics'
import type { Recorded } from '../proxy/record-request'
import type { AppliedPolicy } from './applied-policy'

/** The state is told at least this often, in milliseconds, which keeps the connection. */
const BEAT = 15_000
/** How often a file of another program is looked at, in milliseconds. */
const FILE_INTERVAL = 300
const HEADERS = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
}

export const newSecret = () => randomBytes(24).toString('base64url')

const hashOf = (text: string) => createHash('sha256').update(text).digest()
const isSame = (one: string, other: string) => timingSafeEqual(hashOf(one), hashOf(other))

type Bound = Context<{ Bindings: HttpBindings }>

/** `folder` has the files of the sessions, `site` those of the built page. A page with the `cookie` is let in. */
export function createWatchRoutes(
  folder: string,
  site: string,
  policy: AppliedPolicy,
  cookie = newSecret(),
) {
  const token = newSecret()
  /** Seen by others on this machine while the browser starts, so it is good for one use. */
  const once = new Set<string>()
  const sessions = new Map<string, WatchedSession>()
  /** Of files that other programs write. */
  const paths = new Map<string, string>()
  const pathOf = (id: string) => paths.get(id) ?? join(folder, `${id}.jsonl`)
  const enqueue = createJobQueue()
  const changes = new EventEmitter().setMaxListeners(0)
  let version = 0
  const tell = () => changes.emit('change', version++)
  const list = (session: WatchedSession) => {
    sessions.set(session.id, session)
    tell()
  }
  /** When each request to a provider that is not answered yet was sent. */
  const under = new Map<ServerResponse, number>()
  let failed: WatchState['failed'] = null
  // Browsers send the cookies of one port to all ports of a machine.
  const nameOf = ({ env }: Bound, name: string) => `${name}-${env.incoming.socket.localPort}`
  const hasCookie = (context: Bound) => {
    const name = nameOf(context, 'watch')
    const pairs = (context.req.header('cookie') ?? '').split(/; */)
    return pairs.some((pair) => isSame(pair, `${name}=${cookie}`))
  }
  policy.listen(() => {
    for (const [id, session] of sessions) sessions.set(id, { ...session, masked: undefined })
    tell()
  })
  const state = (): WatchState => ({
    sessions: [...sessions.values()],
    waiting: under.size === 0 ? null : Math.min(...under.values()),
    failed,
    policy: policy.state(),
  })

  const answerTo = (context: Context, problem: string | undefined) =>
    problem === undefined ? context.body(null, 204) : context.text(`${problem}\n`, 400)

  const routes = new Hono<{ Bindings: HttpBindings }>()
  routes.post('*', ({ req, env: { outgoing } }, next) => {
    if (req.path.startsWith('/watch/')) return next()
    under.set(outgoing, Date.now())
    outgoing.on('close', () => under.delete(outgoing) && tell())
    tell()
    return next()
  })
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
      while (!stream.aborted) {
        const told = version
        await stream.writeSSE({ data: JSON.stringify(state()) })
        const signal = AbortSignal.timeout(BEAT)
        if (told === version) await event(changes, 'change', { signal }).catch(() => {})
      }
    }),
  )
  routes.get('/watch/sessions/:id', async (context) => {
    const id = context.req.param('id')
    // One of a run before is not listed.
    const isNamed = /^[\da-f]{16}$/.test(id)
    const bytes = isNamed ? (await stat(pathOf(id)).catch(() => undefined))?.size : undefined
    if (bytes === undefined) return context.text('There is no such session.\n', 404)
    const start = Number(context.req.query('from') ?? 0)
    if (!Number.isSafeInteger(start) || start < 0 || start > bytes)
      return context.text(`"from" is no number from 0 to ${bytes}.\n`, 400)
    const headers = { ...HEADERS, 'Content-Type': 'application/jsonl; charset=utf-8' }
    if (start === bytes) return new Response('', { headers })
    const stream = Readable.toWeb(createReadStream(pathOf(id), { start, end: bytes - 1 }))
    return new Response(stream as ReadableStream, { headers })
  })
  routes.post('/watch/policy', async (context) => {
    return answerTo(context, policy.apply(await context.req.text()))
  })
  routes.post('/watch/policy/back', (context) => answerTo(context, policy.takeBack()))
  routes.route('/', siteRoutes(site))

  return {
    routes,
    /** The address to print, and one to open at once. */
    addresses: (url: string) => {
      const single = newSecret()
      once.add(single)
      return { printed: `${url}/watch?token=${token}`, opened: `${url}/watch?token=${single}` }
    },
    /** Takes note of a request that ended; one that its client left has not failed. */
    ended: ({ status, error, masking }: RequestSummary) => {
      if (error === 'client_gone' || masking === 'untouched') return
      const isFailed = status >= 400 || error !== undefined
      if (isFailed || failed !== null) {
        failed = isFailed ? { status, at: Date.now() } : null
        tell()
      }
    },
    /** Takes note of a request that was written. */
    grew: ({ session: id, ...recorded }: Recorded) =>
      enqueue(async () => {
        const known = sessions.get(id)?.opening
        const opening = known ?? (await openingOf(pathOf(id)).catch(() => ''))
        list({ id, ...recorded, at: Date.now(), opening })
      }),
    /** Follows a file that another program writes, once it is there; returns how to end it. */
    followFile: (path: string) => {
      const id = hashOf(path).toString('hex').slice(0, 16)
      paths.set(id, path)
      const look = async () => {
        const { size: bytes, mtimeMs: at } = await stat(path)
        if (bytes === (sessions.get(id)?.bytes ?? 0)) return
        list({ id, bytes, requests: undefined, masked: undefined, at, opening: basename(path) })
      }
      const lookAgain = () => void enqueue(look).catch(() => {})
      watchFile(path, { interval: FILE_INTERVAL, persistent: false }, lookAgain)
      lookAgain()
      return () => unwatchFile(path, lookAgain)
    },
  }
}

/** The start of the first question of a session, from its file, which has no secret. */
async function openingOf(path: string): Promise<string> {
  const [line = ''] = (await readFile(path, 'utf8')).split('\n', 1)
  return readDocument(line).conversations[0]?.opening ?? ''
}
