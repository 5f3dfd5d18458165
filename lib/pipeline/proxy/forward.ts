/** Sends a request to the provider and its answer to the client: bytes, headers, status and back pressure as they are. */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type buildConnector, Client, type Dispatcher, Pool } from 'undici'

/** In milliseconds. */
export const DEFAULT_TIMEOUTS = {
  connect: 10_000,
  /** From the request to the headers of its answer. */
  answer: 600_000,
  /** Between two pieces of an answer. */
  idle: 300_000,
  /** For the head of a request, and between two pieces of its body. */
  request: 30_000,
}

export type ProxyTimeouts = Readonly<typeof DEFAULT_TIMEOUTS>

export interface Exchange {
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
  /** The stream of the request itself where the proxy has not read it. */
  readonly body: Uint8Array | IncomingMessage | null
  /** Called when the provider has answered, before its body is read. */
  readonly onAnswer: (answer: {
    readonly headers: IncomingHttpHeaders
    readonly body: Readable
  }) => void
}

export type ExchangeError = 'no_answer' | 'timeout' | 'broken_answer' | 'client_gone'

/** Belong to one connection, not to the message. */
const CONNECTION_HEADERS = new Set([
  'connection',
  'expect',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

export function createTarget(base: URL, timeouts: ProxyTimeouts) {
  const pool = new Pool(base.origin, {
    connect: { timeout: timeouts.connect },
    headersTimeout: timeouts.answer,
    bodyTimeout: timeouts.idle,
    factory: (origin, options: Client.Options) => new WatchedClient(origin, options),
  })
  return {
    close: async () => {
      if (!pool.destroyed) await pool.close()
    },
    destroy: () => pool.destroy(),
    /** Resolves with the provider's status, or the proxy's own if `error` says that there was no answer. */
    forward: async ({ incoming, outgoing, body, onAnswer }: Exchange) => {
      const stop = new AbortController()
      // Also ends a request that the provider has not answered yet.
      outgoing.on('close', () => outgoing.writableFinished || stop.abort())
      const isStream = body !== null && !(body instanceof Uint8Array)
      let status: number | undefined
      const send = () => {
        const connection: Connection = { socket: undefined, bytesBefore: 0 }
        const request: WatchedRequest = {
          path: targetPath(base, incoming.url ?? '/'),
          method: (incoming.method ?? 'GET') as Dispatcher.HttpMethod,
          headers: passedHeaders(incoming.headers, body instanceof Uint8Array),
          body,
          signal: stop.signal,
          connection,
        }
        return { answered: pool.request(request), connection }
      }
      try {
        const first = send()
        const answer = await first.answered.catch((error) => {
          // The provider closed an idle connection while the request was on its way into it.
          if (isStream || !wasIdle(first.connection, error)) throw error
          return send().answered
        })
        status = answer.statusCode
        outgoing.writeHead(status, passedHeaders(answer.headers))
        // A client learns that its stream begins, however long the first token takes.
        outgoing.flushHeaders()
        onAnswer(answer)
        await pipeline(answer.body, outgoing)
        return { status, error: undefined }
      } catch (error) {
        const kind = kindOf(error, status)
        if (status !== undefined || kind === 'client_gone') {
          // An answer without its end must not look complete.
          outgoing.destroy()
          return { status: status ?? 499, error: kind }
        }
        const own = kind === 'timeout' ? 504 : 502
        sendProblem(outgoing, own, kind, sentenceOf(error, base, timeouts))
        return { status: own, error: kind }
      }
    },
  }
}

/** The connection of a request, and the bytes that it had brought before. */
interface Connection {
  socket: Socket | undefined
  bytesBefore: number
}

interface WatchedRequest extends Dispatcher.RequestOptions {
  readonly connection: Connection
}

/** A connection to the provider that tells each request what it had brought before. */
class WatchedClient extends Client {
  #socket: Socket | undefined

  constructor(origin: URL, options: Client.Options) {
    // A pool makes one function for all its connections.
    const connector = options.connect as buildConnector.connector
    super(origin, {
      ...options,
      connect: (to, done) =>
        connector(to, (...outcome) => {
          this.#socket = outcome[1] ?? undefined
          done(...outcome)
        }),
    })
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler) {
    const { connection } = options as Partial<WatchedRequest>
    if (connection !== undefined)
      Object.assign(connection, { socket: this.#socket, bytesBefore: this.#socket?.bytesRead ?? 0 })
    return super.dispatch(options, handler)
  }
}

/** True if a request failed because its connection, which had served others, ended without a byte for it. */
function wasIdle({ socket, bytesBefore }: Connection, error: unknown): boolean {
  const isEnd = /^(UND_ERR_SOCKET|ECONNRESET|EPIPE)$/.test(codeOf(error))
  return isEnd && bytesBefore > 0 && socket?.bytesRead === bytesBefore
}

/** Answers with an error in the form of the providers' own. */
export function sendProblem(
  outgoing: ServerResponse,
  status: number,
  code: string,
  message: string,
): void {
  if (outgoing.headersSent || outgoing.destroyed) return
  const body = JSON.stringify({ error: { message, type: 'proxy_error', param: null, code } })
  // The rest of a request that stopped halfway may still come.
  if (status === 408) outgoing.setHeader('connection', 'close')
  if (status === 503) outgoing.setHeader('retry-after', '5')
  outgoing.writeHead(status, { 'content-type': 'application/json' }).end(body)
}

/**
 * The path on the provider. The base URL of a client may have the target's path, its end such as `/v1`, or nothing of it,
 * and clients add a version of their own or expect one there: each way leads to the same path.
 */
export function targetPath(base: URL, url: string): string {
  // A request line can have a whole address; only its path counts. Two slashes at its start would name a host.
  const { pathname, search } = new URL(url.replace(/^\/{2,}/, '/'), base.origin)
  const own = base.pathname.split('/').filter((part) => part !== '')
  const sent = pathname.slice(1).split('/')
  // Of `/v1/v1` and `/v1/v1beta`, the client has added the last.
  const asked = sent.filter((part, at) => !(isVersion(part) && isVersion(sent[at + 1])))
  const start = own.findIndex((_, at) => own.slice(at).every((part, to) => part === asked[to]))
  const rest = start < 0 ? asked : asked.slice(own.length - start)
  return `/${joined(own, rest, start < 0).join('/')}${search}`
}

const isVersion = (part = '') => /^v\d+(?:(?:alpha|beta)\d*)?$/.test(part)

/** Joins the target's path and the rest of a request's, so that one version is in them where there has to be one. */
function joined(own: readonly string[], rest: readonly string[], isApart: boolean) {
  const [first = '', ...more] = rest
  if (!own.some(isVersion)) {
    const isGemini = first === 'models' && /:\w+$/.test(rest.at(-1) ?? '')
    const missing = first === 'messages' ? ['v1'] : isGemini ? ['v1beta'] : []
    return [...own, ...missing, ...rest]
  }
  if (isApart && first === 'v1') return [...own, ...more]
  // Gemini's clients name such a version, whatever the target's is.
  const isOwn = isApart && isVersion(own.at(-1)) && /^v1\D/.test(first) && isVersion(first)
  return [...(isOwn ? own.slice(0, -1) : own), ...rest]
}

/** The headers of the message, without those of the connection. A body that was read has a length of its own. */
function passedHeaders(headers: IncomingHttpHeaders, isRead = false): IncomingHttpHeaders {
  // A `Connection` header adds to those of the connection.
  const named = (headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase())
  const own = new Set([...CONNECTION_HEADERS, ...named, ...(isRead ? ['content-length'] : [])])
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !own.has(name)))
}

function kindOf(error: unknown, status: number | undefined): ExchangeError {
  const code = codeOf(error)
  if (/^(UND_ERR_(HEADERS|BODY|CONNECT)_TIMEOUT|ETIMEDOUT)$/.test(code)) return 'timeout'
  if (/^(AbortError|UND_ERR_ABORTED|ERR_STREAM_PREMATURE_CLOSE)$/.test(code)) return 'client_gone'
  return status === undefined ? 'no_answer' : 'broken_answer'
}

function codeOf(error: unknown): string {
  const { code, name } = error as NodeJS.ErrnoException
  return name === 'AbortError' ? name : (code ?? name)
}

function sentenceOf(error: unknown, { origin }: URL, { connect, answer }: ProxyTimeouts): string {
  const code = codeOf(error)
  if (code === 'UND_ERR_HEADERS_TIMEOUT')
    return `${origin} did not answer within ${answer / 1000} s.`
  if (code === 'UND_ERR_CONNECT_TIMEOUT') {
    return `${origin} accepted no connection within ${connect / 1000} s.`
  }
  return `${origin} gave no answer (${code}); expected a provider there.`
}
