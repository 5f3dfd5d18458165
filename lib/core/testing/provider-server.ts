/**
 * A server that accepts requests of chat completions and Anthropic Messages as providers do, and refuses those that break
 * a rule. It counts tokens as characters, reads from its cache what a request shares with the one before, and streams if
 * asked to.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readDocument } from '../formats/read-document'
import { checkHistory } from '../integrity/check-history'
import { checkRequest, REQUEST_RULES } from '../loop/check-request'
import { type JsonObject, membersOf } from '../text/json-object'

export type ProviderServer = Awaited<ReturnType<typeof startProviderServer>>

interface ProviderOptions {
  readonly isStrict: boolean
  /** The message it answers a request with. */
  readonly answer?: (body: JsonObject) => object
}

/** Starts the server; with `isStrict`, rules that only some providers have apply too. */
export async function startProviderServer({
  isStrict,
  answer: answerTo = () => ({ content: 'taken' }),
}: ProviderOptions) {
  /** Bodies of the accepted requests, their texts as they came, and what it counted for each. */
  const taken: unknown[] = []
  const texts: string[] = []
  const usages: ReturnType<typeof usageOf>[] = []
  let before = ''
  const server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const answer = (status: number, body: unknown) =>
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
      const refuse = (message: string) =>
        answer(400, { error: { message, type: 'invalid_request_error', param: null, code: null } })
      const isAnthropic = request.url === '/v1/messages'
      const isKnown = isAnthropic || request.url === '/v1/chat/completions'
      if (request.method !== 'POST' || !isKnown) {
        return answer(404, { error: { message: `${request.method} ${request.url}` } })
      }
      const { authorization = '', 'x-api-key': key } = request.headers
      if (!/^Bearer ./.test(authorization) && (!isAnthropic || key === undefined)) {
        return answer(401, {})
      }
      const text = Buffer.concat(pieces).toString('utf8')
      let body: unknown
      try {
        body = JSON.parse(text)
      } catch {
        return refuse('not JSON')
      }
      if (isAnthropic) {
        const problem = anthropicProblem(text, membersOf(body))
        if (problem !== undefined) return refuse(problem)
        taken.push(body)
        texts.push(text)
        const isStream = membersOf(body).stream === true
        const type = isStream ? 'text/event-stream' : 'application/json'
        const { content } = answerTo(membersOf(body)) as { content: string }
        response.writeHead(200, { 'content-type': type })
        return response.end(anthropicAnswer(content, text.length, isStream))
      }
      const broken = checkRequest(body).filter(
        ({ rule }) => isStrict || REQUEST_RULES[rule] === 'all',
      )
      if (broken.length > 0) {
        return refuse(broken.map(({ rule, message }) => `${rule} ${message ?? ''}`).join(', '))
      }
      taken.push(body)
      texts.push(text)
      const message = { role: 'assistant', refusal: null, ...answerTo(membersOf(body)) }
      const prompt = JSON.stringify(membersOf(body).messages)
      const usage = usageOf(prompt, before, JSON.stringify(message))
      before = prompt
      usages.push(usage)
      const facts = { id: 'chatcmpl-1', created: 0, model: 'test' }
      const choice = { index: 0, finish_reason: 'stop', logprobs: null }
      if (membersOf(body).stream !== true) {
        const choices = [{ ...choice, message }]
        return answer(200, { ...facts, object: 'chat.completion', choices, usage })
      }
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const chunk = { ...facts, object: 'chat.completion.chunk' }
      const chunks = [
        { ...chunk, choices: [{ ...choice, finish_reason: null, delta: message }] },
        { ...chunk, choices: [{ ...choice, delta: {} }] },
        { ...chunk, choices: [], usage },
      ]
      for (const event of chunks) response.write(`data: ${JSON.stringify(event)}\n\n`)
      response.end('data: [DONE]\n\n')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const baseUrl = `http://127.0.0.1:${port}/v1`
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()))
  return { baseUrl, taken, texts, usages, close }
}

function usageOf(prompt: string, before: string, answer: string) {
  let shared = 0
  while (shared < before.length && prompt[shared] === before[shared]) shared++
  return {
    prompt_tokens: prompt.length,
    completion_tokens: answer.length,
    total_tokens: prompt.length + answer.length,
    prompt_tokens_details: { cached_tokens: shared },
  }
}

/** Why the API would refuse the history of a body; undefined if it would not. */
export function anthropicProblem(text: string, body: JsonObject): string | undefined {
  if (typeof body.model !== 'string' || typeof body.max_tokens !== 'number')
    return 'no model or limit'
  const { format, conversations } = readDocument(text)
  if (format.id !== 'anthropic-messages' && format.id !== 'openai-chat') return format.id
  const found = conversations.flatMap((conversation) => checkHistory(conversation))
  return found.length === 0 ? undefined : found.map(({ rule }) => rule).join(', ')
}

/** The body of the answer, or its events if the client asked for a stream. */
export function anthropicAnswer(answer: string, tokens: number, isStream: boolean): string {
  const usage = { input_tokens: tokens, output_tokens: answer.length }
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'test' }
  const end = { stop_reason: 'end_turn', stop_sequence: null }
  if (!isStream) {
    return JSON.stringify({ ...message, ...end, content: [{ type: 'text', text: answer }], usage })
  }
  const started = { ...message, content: [], stop_reason: null, stop_sequence: null, usage }
  const events = [
    { type: 'message_start', message: started },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: answer } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: end, usage: { output_tokens: answer.length } },
    { type: 'message_stop' },
  ]
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('')
}

/** A call and its result. */
export const turn = (id: string, content: string, args = '{}') => [
  {
    role: 'assistant',
    content: null,
    tool_calls: [{ id, type: 'function', function: { name: 'read', arguments: args } }],
  },
  { role: 'tool', tool_call_id: id, content },
]
