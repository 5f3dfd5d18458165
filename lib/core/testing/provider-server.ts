/** A server that accepts requests of chat completions as providers do, and refuses those that break a rule. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { checkRequest, REQUEST_RULES } from '../loop/check-request'

export interface ProviderServer {
  /** Base URL for clients. */
  readonly baseUrl: string
  /** Bodies of the accepted requests. */
  readonly taken: readonly unknown[]
  readonly close: () => Promise<void>
}

/** Starts the server; with `isStrict`, rules that only some providers have apply too. */
export async function startProviderServer({ isStrict }: { isStrict: boolean }) {
  const taken: unknown[] = []
  const server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const answer = (status: number, body: unknown) =>
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
      const refuse = (message: string) =>
        answer(400, { error: { message, type: 'invalid_request_error', param: null, code: null } })
      if (request.method !== 'POST' || request.url !== '/v1/chat/completions') {
        return answer(404, { error: { message: `${request.method} ${request.url}` } })
      }
      if (!/^Bearer ./.test(request.headers.authorization ?? '')) return answer(401, {})
      let body: unknown
      try {
        body = JSON.parse(Buffer.concat(pieces).toString('utf8'))
      } catch {
        return refuse('not JSON')
      }
      const broken = checkRequest(body).filter(
        ({ rule }) => isStrict || REQUEST_RULES[rule] === 'all',
      )
      if (broken.length > 0) {
        return refuse(broken.map(({ rule, message }) => `${rule} ${message ?? ''}`).join(', '))
      }
      taken.push(body)
      answer(200, {
        id: 'chatcmpl-1',
        object: 'chat.completion',
        created: 0,
        model: 'test',
        choices: [
          {
            index: 0,
            finish_reason: 'stop',
            logprobs: null,
            message: { role: 'assistant', content: 'taken', refusal: null },
          },
        ],
      })
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const provider: ProviderServer = {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    taken,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
  return provider
}
