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
import {
  changeRequest,
  createRequestCounter,
  type RequestChange,
  sentAsItCame,
} from './change-request'
import {
  createTarget,
  DEFAULT_TIMEOUTS,
  type ProxyTimeouts,
  readBody,
  sendProblem,
} from './forward'
import { createMetrics, type ProxyMetrics, type RequestSummary } from './proxy-metrics'
import { createRecorder } from './record-request'
import { watchAnswer } from './response-usage'

export const DEFAULT_BODY_LIMIT = 50_000_000

export interface ProxyOptions {
  /** Address of the provider, such as `https://api.openai.com/v1`. */
  readonly target: URL
  /** Read for every request. */
  readonly policy: () => MaskPolicy
  /** Why a newer policy is not in use; undefined if it is. */
  readonly policyProblem?: () => string | undefined
  /** Repairs malformed arguments of tool calls before masking. */
  readonly repair?: boolean
  /** Counts what would be masked, and sends requests as they came. */
  readonly shadow?: boolean
  /** Masks requests for a summary too, which are sent whole otherwise. */
  readonly maskCompactions?: boolean
  /** Folder for request logs; undefined writes none. */
  readonly record?: string
  /** Most bytes of a request with JSON. */
  readonly bodyLimit?: number
  readonly timeouts?: Partial<ProxyTimeouts>
  readonly onRequest?: (summary: RequestSummary) => void
  /** Called with a sentence for what the client is not told. */
  readonly onProblem?: (sentence: string) => void
}

export interface Proxy {
  /** Resolves with the port; 0 picks a free one. */
  readonly listen: (port: number, host?: string) => Promise<number>
  /** Accepts no more requests, and resolves when those under way have ended. */
  readonly close: () => Promise<void>
  readonly metrics: ProxyMetrics
}

export async function createProxy(options: ProxyOptions): Promise<Proxy> {
  const { policyProblem = () => undefined, onProblem = () => {} } = options
  const bodyLimit = options.bodyLimit ?? DEFAULT_BODY_LIMIT
  const target = createTarget(options.target, { ...DEFAULT_TIMEOUTS, ...options.timeouts })
  const metrics = createMetrics(() => policyProblem() === undefined)
  const record = options.record === undefined ? undefined : createRecorder(options.record)
  const counter = await createRequestCounter()
  const memory = createMaskMemory()
  const warnOfKept = createKeptWarnings(onProblem)
  const under = new Set<Promise<void>>()
  let isClosing = false

  const exchange = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const startedAt = performance.now()
    const elapsed = () => performance.now() - startedAt
    const header = (name: string) => incoming.headers[name]?.toString()
    let change: RequestChange = sentAsItCame('untouched')
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
        ...change.report,
        tokens: await tokens,
        usage: usageOfAnswer(answer),
        milliseconds,
        firstByte,
      }
      metrics.addRequest(summary)
      options.onRequest?.(summary)
      const { read } = change
      if (record === undefined || read === undefined || status >= 300 || error !== undefined) return
      const at = new Date().toISOString()
      await record({ request: read, response: answer, summary, header, at }).catch(
        (problem: Error) => onProblem(`The request log cannot be written: ${problem.message}`),
      )
    }
    if (hasJson(incoming)) {
      const body = await readBody(incoming, bodyLimit)
      if (body === undefined) {
        const sentence = `The request has more than ${bodyLimit} bytes, the limit of this proxy; --body-limit raises it.`
        sendProblem(outgoing, 413, 'too_large', sentence)
        return finish(413, 'too_large')
      }
      await counter.waitForRoom()
      change = await changeRequest(body, options.policy(), {
        ...options,
        counter,
        memory,
        header,
      })
      warnOfKept(change.report)
    }
    const sent = target.forward({
      incoming,
      outgoing,
      body: change.body ?? (hasBody(incoming) ? incoming : null),
      onAnswer: ({ body, headers }) => {
        firstByte = elapsed()
        passed = watchAnswer(body, {
          type: String(headers['content-type'] ?? ''),
          encoding: String(headers['content-encoding'] ?? ''),
        })
      },
    })
    if (change.decided !== undefined) tokens = counter.count(change.decided)
    const { status, error } = await sent
    return finish(status, error)
  }

  const app = new Hono<{ Bindings: HttpBindings }>()
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
    serverOptions: { keepAliveTimeout: 75_000, requestTimeout: 0 },
  }) as Server
  return {
    metrics,
    listen: (port, host = '127.0.0.1') =>
      new Promise((resolve, reject) => {
        server.once('error', reject)
        server.listen(port, host, () => resolve((server.address() as AddressInfo).port))
      }),
    close: async () => {
      isClosing = true
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      while (under.size > 0) await Promise.all(under)
      // Those left have no request; a server waits for connections that never had one.
      server.closeAllConnections()
      await closed
      await target.close()
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
