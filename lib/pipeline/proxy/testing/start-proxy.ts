/** A proxy, and the provider behind it, for one test each. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { DEFAULT_POLICY } from '../../../core/policy/policy'
import { turn } from '../../../core/testing/provider-server'
import { createProxy, type ProxyOptions } from '../create-proxy'
import type { RequestSummary } from '../proxy-metrics'

/** Undoes what a test has started. */
export const ending: (() => unknown)[] = []

/** Ends all that a test has started, the newest first; for `afterEach`. */
export async function endAll(): Promise<void> {
  for (const end of ending.splice(0).reverse()) await end()
}

export type Handler = (incoming: IncomingMessage, outgoing: ServerResponse, body: Buffer) => void

/** A provider that does what a test says, and the bodies it got. */
export async function startProvider(handle: Handler, port = 0) {
  const bodies: string[] = []
  const server = createServer((incoming, outgoing) => {
    const pieces: Buffer[] = []
    incoming.on('data', (piece: Buffer) => pieces.push(piece))
    incoming.on('end', () => {
      const body = Buffer.concat(pieces)
      bodies.push(body.toString('utf8'))
      handle(incoming, outgoing, body)
    })
  })
  const taken = await listen(server, port)
  ending.push(() => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })
  return { url: `http://127.0.0.1:${taken}/v1`, bodies }
}

export async function listen(server: Server, port: number): Promise<number> {
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

const ON = { ...DEFAULT_POLICY, enabled: true, windowTurns: 1 }

export async function startProxy(target: string, options: Partial<ProxyOptions> = {}) {
  const summaries: RequestSummary[] = []
  const problems: string[] = []
  const proxy = await createProxy({
    target: new URL(target),
    policy: () => ON,
    onRequest: (summary) => summaries.push(summary),
    onProblem: (sentence) => problems.push(sentence),
    ...options,
  })
  const port = await proxy.listen(0)
  const url = `http://127.0.0.1:${port}`
  ending.push(proxy.close)
  /** The summary comes after the last byte of an answer. */
  const summaryAt = async (index: number): Promise<RequestSummary> => {
    while (summaries[index] === undefined) await new Promise((resolve) => setTimeout(resolve, 5))
    return summaries[index]
  }
  return { proxy, port, url, summaries, summaryAt, problems }
}

export const MESSAGES = [
  { role: 'user', content: 'Read both' },
  ...turn('call_1', 'the old result'),
  ...turn('call_2', 'the new result'),
]
export const BODY = JSON.stringify({ model: 'gpt-5', messages: MESSAGES }, null, 1)

export function post(
  url: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
  signal?: AbortSignal,
) {
  return fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
    ...(signal && { signal }),
  })
}

export const answerOk: Handler = (_, outgoing) => {
  outgoing.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true}')
}

export const EVENTS = { 'content-type': 'text/event-stream' }
