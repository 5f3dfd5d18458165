/** Sends a request to the provider and its answer to the client: bytes, headers, status and back pressure as they are. */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Dispatcher, Pool } from 'undici'

/** In milliseconds. */
export interface ProxyTimeouts {
  readonly connect: number
  /** From the request to the headers of its answer. */
  readonly answer: number
  /** Between two pieces of an answer. */
  readonly idle: number
}

export const DEFAULT_TIMEOUTS: ProxyTimeouts = { connect: 10_000, answer: 600_000, idle: 300_000 }

export interface Exchange {
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
  /** The stream of the request itself where the proxy has not read it. */
  readonly body: Buffer | IncomingMessage | null
  /** Called when the provider has answered, before its body is read. */
  readonly onAnswer: (answer: {
    readonly headers: IncomingHttpHeaders
    readonly body: Readable
  }) => void
}

export type ExchangeError = 'no_answer' | 'timeout' | 'broken_answer' | 'client_gone'

/** How an exchange ended. `status` is the provider's, or the proxy's own if `error` says that there was no answer. */
interface ExchangeEnd {
  readonly status: number
  readonly error: ExchangeError | undefined
}

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
  })
  return {
    close: () => pool.close(),
    forward: async ({ incoming, outgoing, body, onAnswer }: Exchange): Promise<ExchangeEnd> => {
      const stop = new AbortController()
      // Also ends a request that the provider has not answered yet.
      outgoing.on('close', () => stop.abort())
      let status: number | undefined
      try {
        const answer = await pool.request({
          path: targetPath(base, incoming.url ?? '/'),
          method: (incoming.method ?? 'GET') as Dispatcher.HttpMethod,
          headers: passedHeaders(incoming.headers, Buffer.isBuffer(body)),
          body,
          signal: stop.signal,
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

/** Answers with an error in the form of the providers' own. */
export function sendProblem(
  outgoing: ServerResponse,
  status: number,
  code: string,
  message: string,
): void {
  if (outgoing.headersSent || outgoing.destroyed) return
  const body = JSON.stringify({ error: { message, type: 'proxy_error', param: null, code } })
  outgoing.writeHead(status, { 'content-type': 'application/json' }).end(body)
}

/** The path on the provider. A client may give the proxy's address with the target's path or without. */
export function targetPath(base: URL, url: string): string {
  // A request line can have a whole address; only its path counts.
  const { pathname, search } = new URL(url, base.origin)
  const prefix = base.pathname.replace(/\/$/, '')
  const isWhole = pathname === prefix || pathname.startsWith(`${prefix}/`)
  return `${isWhole ? '' : prefix}${pathname}${search}`
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

/** The whole body of a request; undefined once it has more bytes than the limit. The rest is then discarded. */
export function readBody(incoming: IncomingMessage, limit: number): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = []
    let size = 0
    const stop = () => {
      incoming.off('data', take)
      // The client reads an answer only after it has sent its body.
      incoming.resume()
      resolve(undefined)
    }
    const take = (piece: Buffer) => {
      size += piece.length
      if (size > limit) return stop()
      pieces.push(piece)
    }
    incoming.on('error', reject)
    if (Number(incoming.headers['content-length']) > limit) return stop()
    incoming.on('data', take)
    incoming.on('end', () => resolve(Buffer.concat(pieces)))
  })
}
