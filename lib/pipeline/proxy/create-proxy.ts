/**
 * A proxy in front of a provider: it masks the old tool results of requests with JSON and passes everything else on as it
 * comes. Whatever fails in it, the request is sent as the client wrote it.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createAdaptorServer, type HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { Hono } from 'hono'
import { usageOfAnswer } from '../../core/formats/reading/read-usage'
import type { MaskPolicy } from '../../core/policy/policy'
import { createKeptWarnings } from '../kept-warnings'
import { createMaskMemory } from '../mask-memory'
import { type ChangedRequest, createChanger, openRecords } from './change-in-thread'
import { type ChangeSettings, sentAsItCame } from './change-request'
import { createRequestCounter } from './count-request'
import { createTarget, DEFAULT_TIMEOUTS, type ProxyTimeouts, sendProblem } from './forward'
import { createMetrics, type RequestSummary } from './proxy-metrics'
import { createBodyReader, type HeldBody, type ProxyRefusal } from './read-body'
import type { Recorded } from './record-request'
import { createGuard } from './refuse-strangers'
import { watchAnswer } from './response-usage'

export const DEFAULT_BODY_LIMIT = 50_000_000
export const DEFAULT_MEMORY_LIMIT = 500_000_000
/** Milliseconds that a body waits for memory. */
const BODY_WAIT = 30_000
/** How often the server looks for requests whose heads do not come, in milliseconds. */
const CHECK_INTERVAL = 1000

export interface ProxyOptions extends ChangeSettings {
  /** Address of the provider, such as `https://api.openai.com/v1`, or the one of a request. */
  readonly target: URL | ((incoming: IncomingMessage) => URL)
  /** Read for every request. */
  readonly policy: () => MaskPolicy
  /** Why a newer policy is not in use; undefined if it is. */
  readonly policyProblem?: () => string | undefined
  /** Folder for request logs; undefined writes none. */
  readonly record?: string
  /** Most bytes of a request with JSON. */
  readonly bodyLimit?: number
  /** Most bytes of all requests with JSON under way; the next one waits, and is refused with 503. */
  readonly memoryLimit?: number
  /** Names of hosts and origins of web pages that may use the proxy besides this machine. */
  readonly allow?: readonly string[]
  /** True for a command that has a flag for each option: sentences name it. */
  readonly hasFlags?: boolean
  readonly timeouts?: Partial<ProxyTimeouts>
  readonly onRequest?: (summary: RequestSummary) => void
  readonly onRecord?: (recorded: Recorded) => void
  /** A Hono app, whose types the package lacks: answers, once strangers are refused, what is not for the provider. */
  readonly routes?: object
  /** Called with a sentence for what the client is not told. */
  readonly onProblem?: (sentence: string) => void
}

export type Proxy = Readonly<Awaited<ReturnType<typeof createProxy>>>

export async function createProxy(options: ProxyOptions) {
  const { policyProblem = () => undefined, onProblem = () => {} } = options
  const bodyLimit = options.bodyLimit ?? DEFAULT_BODY_LIMIT
  const memoryLimit = options.memoryLimit ?? DEFAULT_MEMORY_LIMIT
  const timeouts = { ...DEFAULT_TIMEOUTS, ...options.timeouts }
  const targets = new Map<string, ReturnType<typeof createTarget>>()
  const targetOf = (incoming: IncomingMessage) => {
    const { target } = options
    const base = typeof target === 'function' ? target(incoming) : target
    const known = targets.get(base.href) ?? createTarget(base, timeouts)
    targets.set(base.href, known)
    return known
  }
  const metrics = createMetrics(() => policyProblem() === undefined)
  const record = options.record === undefined ? undefined : openRecords(options.record, onProblem)
  const counter = await createRequestCounter()
  const change = createChanger({ ...options, counter, memory: createMaskMemory(), onProblem })
  const readBody = createBodyReader({
    body: bodyLimit,
    memory: Math.max(memoryLimit, bodyLimit),
    idle: timeouts.request,
    wait: BODY_WAIT,
  })
  const hint = (text: string) => (options.hasFlags ? text : '')
  const refusals: Readonly<Record<ProxyRefusal, readonly [status: number, sentence: string]>> = {
    stranger: [403, ''],
    no_upgrade: [501, 'This proxy has no WebSockets; expected a request over HTTP.'],
    too_large: [
      413,
      `The request has more than ${bodyLimit} bytes, the limit of this proxy${hint('; --body-limit raises it')}.`,
    ],
    busy: [
      503,
      `Requests under way hold all ${memoryLimit} bytes that this proxy gives them${hint('; --memory-limit raises it')}. Send the request again later.`,
    ],
    request_timeout: [
      408,
      `The next piece of the request did not come within ${timeouts.request / 1000} s${hint('; --request-timeout raises it')}.`,
    ],
  }
  let refuseStranger = createGuard(options.allow ?? [], '127.0.0.1', hint)
  const warnOfKept = createKeptWarnings(onProblem)
  const under = new Set<Promise<void>>()
  let isClosing = false

  const exchange = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const startedAt = performance.now()
    const elapsed = () => performance.now() - startedAt
    let held: HeldBody | undefined
    let isSentChanged = false
    let { report } = sentAsItCame('untouched')
    let firstByte: number | undefined
    let tokens: Promise<RequestSummary['tokens']> | undefined
    let passed: ReturnType<typeof watchAnswer> | undefined
    const finish = async (status: number, problem: RequestSummary['error']) => {
      const milliseconds = elapsed()
      const { stated: answer, isComplete = false } = (await passed?.()) ?? {}
      const error = isComplete ? undefined : problem
      const summary: RequestSummary = {
        method: incoming.method ?? '',
        path: (incoming.url ?? '').replace(/[?#].*$/s, ''),
        status,
        error,
        ...report,
        tokens: await tokens,
        usage: usageOfAnswer(answer),
        milliseconds,
        firstByte,
      }
      metrics.addRequest(summary)
      options.onRequest?.(summary)
      const isRead = !['untouched', 'unread'].includes(summary.masking)
      if (record === undefined || !isRead || status >= 300 || error !== undefined) return
      const { path, masking, maskedResults } = summary
      await record({
        request: (held as HeldBody).bytes,
        response: answer,
        summary: { path, status, masking, maskedResults },
        headers: incoming.headers,
        at: new Date().toISOString(),
      }).then(
        (recorded) => recorded && options.onRecord?.(recorded),
        (problem: Error) => onProblem(`The request log cannot be written: ${problem.message}`),
      )
    }
    const refuse = (code: keyof typeof refusals, sentence = refusals[code][1]) => {
      // The client reads an answer only after it has sent its body.
      incoming.resume()
      const [status] = refusals[code]
      sendProblem(outgoing, status, code, sentence)
      return finish(status, code)
    }
    const stranger = refuseStranger(incoming.headers)
    if (stranger !== undefined) return refuse('stranger', stranger)
    // Java's client offers to upgrade to HTTP/2 with every request, and goes on without.
    if (/websocket/i.test(incoming.headers.upgrade ?? '')) return refuse('no_upgrade')
    try {
      let body: Uint8Array | IncomingMessage | null = null
      let count: ChangedRequest['count'] | undefined
      if (hasJson(incoming)) {
        const read = await readBody(incoming)
        if (typeof read === 'string') return await refuse(read)
        held = read
        const changed = await change(read.bytes, options.policy(), incoming.headers)
        ;({ report, count } = changed)
        warnOfKept(report)
        isSentChanged = changed.body !== undefined
        body = changed.body ?? read.bytes
      } else if (hasBody(incoming)) {
        body = incoming
        // Data that waits in the proxy is the provider's delay.
        incoming.setTimeout(timeouts.request, () => {
          if (incoming.readableLength === 0) incoming.destroy()
        })
        incoming.on('end', () => incoming.setTimeout(0))
      }
      const sent = targetOf(incoming).forward({
        incoming,
        outgoing,
        body,
        onAnswer: (answer) => {
          firstByte = elapsed()
          passed = watchAnswer(answer.body, {
            type: String(answer.headers['content-type'] ?? ''),
            encoding: String(answer.headers['content-encoding'] ?? ''),
          })
        },
      })
      tokens = count?.()
      const { status, error } = await sent
      await finish(status, error)
    } finally {
      // What was sent can still be on its way after an early answer.
      held?.release(isSentChanged)
    }
  }

  const app = new Hono<{ Bindings: HttpBindings }>()
  for (const path of options.routes === undefined ? ['/health', '/metrics'] : ['*']) {
    app.use(path, async ({ env, json }, next) => {
      const stranger = refuseStranger(env.incoming.headers)
      return stranger === undefined ? next() : json({ error: { message: stranger } }, 403)
    })
  }
  if (options.routes !== undefined) app.route('/', options.routes as typeof app)
  app.get('/health', (context) => {
    const problem = policyProblem()
    const policy = problem === undefined ? 'current' : `kept; the file has an error: ${problem}`
    const { enabled } = options.policy()
    const masking = !enabled ? 'off' : options.shadow ? 'shadow' : 'on'
    return context.json({ status: isClosing ? 'closing' : 'ok', masking, policy })
  })
  app.get('/metrics', async (context) =>
    context.body(await metrics.text(), 200, { 'content-type': metrics.contentType }),
  )
  app.all('*', async ({ env: { incoming, outgoing } }) => {
    const run = exchange(incoming, outgoing).catch((error: Error) => {
      // The client left while it sent its body.
      onProblem(`A request ended without an answer: ${error.message}`)
      outgoing.destroy()
    })
    under.add(run)
    await run
    under.delete(run)
    return RESPONSE_ALREADY_SENT
  })
  const server = createAdaptorServer({
    fetch: app.fetch,
    overrideGlobalObjects: false,
    autoCleanupIncoming: false,
    // Longer than clients keep a connection, so that none sends into one that is closing.
    serverOptions: {
      keepAliveTimeout: 75_000,
      headersTimeout: timeouts.request,
      connectionsCheckingInterval: CHECK_INTERVAL,
      requestTimeout: 0,
    },
  }) as Server
  return {
    metrics,
    /** Resolves with the port; 0 picks a free one. */
    listen: (port: number, host = '127.0.0.1') =>
      new Promise<number>((resolve, reject) => {
        refuseStranger = createGuard(options.allow ?? [], host, hint)
        server.once('error', reject)
        server.listen(port, host, () => resolve((server.address() as AddressInfo).port))
      }),
    /** Accepts no more requests, and resolves when those under way have ended; after `grace` milliseconds it ends them. */
    close: async (grace?: number) => {
      isClosing = true
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      const end = () => {
        server.closeAllConnections()
        for (const target of targets.values()) void target.destroy()
      }
      const timer = grace === undefined ? undefined : setTimeout(end, grace)
      while (under.size > 0) await Promise.all(under)
      clearTimeout(timer)
      // Those left have no request; a server waits for connections that never had one.
      server.closeAllConnections()
      await closed
      for (const target of targets.values()) await target.close()
    },
  }
}

/** A compressed body is passed on as it is. */
function hasJson({ method, headers }: IncomingMessage): boolean {
  const isJson = /\bjson\b/i.test(headers['content-type'] ?? '')
  return method === 'POST' && isJson && headers['content-encoding'] === undefined
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
}
