/**
 * A server that accepts requests of four APIs as providers do, and refuses those that break a rule: chat completions,
 * Responses, Anthropic Messages and Gemini. It counts a token for four characters, reads from its cache what a request
 * shares with one before, and streams if asked to.
 */
import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { bindsThinking } from '../conversation/reasoning-marks'
import { checkLinks, type LinkedIds } from '../integrity/check-history'
import { checkRequest, REQUEST_RULES } from '../loop/check-request'
import { itemsOf, type JsonObject, membersOf, parseJson } from '../text/json'
import { type Answer, streamOf, type WireApi, WRITERS } from './provider-answers'

export type ProviderServer = Awaited<ReturnType<typeof startProviderServer>>

interface ProviderOptions {
  /** Rules that only some providers have apply too. */
  readonly isStrict: boolean
  /** The message it answers a request with. */
  readonly answer?: (body: JsonObject) => object
  /** Milliseconds between two events of a stream. */
  readonly pause?: number
}

const PATHS: readonly (readonly [RegExp, WireApi])[] = [
  // Qwen's provider has a path before it.
  [/^(?:\/compatible-mode)?\/v1\/chat\/completions$/, 'chat'],
  [/^\/v1\/responses$/, 'responses'],
  [/^\/v1\/messages$/, 'anthropic'],
  [/^\/v1(?:beta)?\/models\/[^/:]+:(?:streamG|g)enerateContent$/, 'gemini'],
]

export async function startProviderServer({
  isStrict,
  answer: answerTo = () => ({ content: 'taken' }),
  pause = 0,
}: ProviderOptions) {
  /** Bodies of the accepted requests, their texts as they came, and what it counted for each. */
  const taken: unknown[] = []
  const texts: string[] = []
  const usages: { input: number; cached: number; output: number }[] = []
  /** What was asked of paths it does not have, and why requests were refused. */
  const unknown: string[] = []
  const refusals: string[] = []
  const checkThinking = createThinkingRule()
  const prompts: string[] = []

  const handle = async (request: IncomingMessage, response: ServerResponse, text: string) => {
    const answer = (status: number, body: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    const { pathname } = new URL(request.url ?? '/', 'http://provider')
    const refuse = (message: string) => {
      refusals.push(`${pathname}: ${message}`)
      const error = { message, type: 'invalid_request_error', param: null, code: null }
      return answer(400, { type: 'error', error })
    }
    const api = PATHS.find(([path]) => path.test(pathname))?.[1]
    if (request.method !== 'POST' || api === undefined) {
      unknown.push(`${request.method} ${pathname}`)
      return answer(404, { error: { message: `${request.method} ${pathname}` } })
    }
    const { authorization = '', 'x-api-key': key, 'x-goog-api-key': google } = request.headers
    if (!/^Bearer ./.test(authorization) && key === undefined && google === undefined) {
      return answer(401, {})
    }
    const body = membersOf(parseJson(text))
    if (Object.keys(body).length === 0) return refuse('not JSON')
    const problem = RULES[api](body, isStrict) ?? checkThinking.problemOf(body)
    if (problem !== undefined) return refuse(problem)
    taken.push(body)
    texts.push(text)
    const said = answerTo(body) as Answer
    const prompt = JSON.stringify(body.messages ?? body.input ?? body.contents)
    const usage = {
      input: tokensOf(prompt.length),
      cached: Math.max(0, ...prompts.map((before) => tokensOf(sharedLength(before, prompt)))),
      output: tokensOf(JSON.stringify(said).length),
    }
    prompts.splice(0, Math.max(0, prompts.length - 3))
    prompts.push(prompt)
    usages.push(usage)
    const signature = checkThinking.sign(body)
    const model = typeof body.model === 'string' ? body.model : 'test'
    const written = WRITERS[api](said, { model, ...usage, signature }, body)
    if (body.stream !== true && !pathname.endsWith(':streamGenerateContent')) {
      return answer(200, written.whole)
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const event of streamOf(api, written)) {
      response.write(event)
      if (pause > 0) await wait(pause)
    }
    return response.end()
  }
  const server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => void handle(request, response, Buffer.concat(pieces).toString('utf8')))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const baseUrl = `http://127.0.0.1:${port}/v1`
  const close = () => {
    server.closeAllConnections()
    return new Promise<void>((resolve) => server.close(() => resolve()))
  }
  return { baseUrl, taken, texts, usages, unknown, refusals, close }
}

const tokensOf = (characters: number) => Math.ceil(characters / 4)

function sharedLength(before: string, after: string): number {
  let shared = 0
  while (shared < before.length && after[shared] === before[shared]) shared++
  return shared
}

/** Why an API refuses a body; undefined if it does not. */
const RULES: Readonly<
  Record<WireApi, (body: JsonObject, isStrict: boolean) => string | undefined>
> = {
  chat: (body, isStrict) =>
    checkRequest(body)
      .filter(({ rule }) => isStrict || REQUEST_RULES[rule] === 'all')
      .map(({ rule, message }) => `${rule} ${message ?? ''}`)[0],
  anthropic: anthropicProblem,
  responses: ({ model, input }) => {
    if (typeof model !== 'string') return 'model: expected a name'
    if (typeof input === 'string') return undefined
    return linkProblem(itemsOf(input).map(membersOf).reduce(groupItems, []), ['not_behind'])
  },
  gemini: ({ contents }) => {
    const list = itemsOf(contents).map(membersOf)
    const role = list.find(({ role }) => role !== 'user' && role !== 'model')?.role
    if (role !== undefined) return `contents: role ${role}; expected user or model`
    const count = (at: number, name: string) =>
      itemsOf(list[at]?.parts).filter((part) => membersOf(part)[name] !== undefined).length
    const uneven = list.findIndex(
      (_, at) => count(at, 'functionResponse') !== (at > 0 ? count(at - 1, 'functionCall') : 0),
    )
    return uneven < 0
      ? undefined
      : `contents[${uneven}]: expected as many functionResponse parts as functionCall parts before`
  },
}

/** Calls in a row are one message, and so are their outputs. */
function groupItems(groups: LinkedIds[], item: JsonObject): LinkedIds[] {
  const id = typeof item.call_id === 'string' ? item.call_id : undefined
  const type = String(item.type)
  const calls = /^(?:function|custom_tool|local_shell)_call$/.test(type) ? [id] : []
  const results = type.endsWith('_call_output') ? [id] : []
  const last = groups.at(-1)
  const joins = last && calls.length > 0 && last.calls.length > 0 && last.results.length === 0
  if (!joins) return [...groups, { calls, results }]
  return [...groups.slice(0, -1), { calls: [...last.calls, ...calls], results }]
}

function linkProblem(messages: readonly LinkedIds[], allowed: readonly string[] = []) {
  const found = checkLinks(messages).find(({ rule }) => !allowed.includes(rule))
  return found && `messages.${found.message}: ${found.rule}`
}

/** Newer models take instructions between the messages too. */
const ANTHROPIC_ROLES = new Set(['user', 'assistant', 'system'])

/** Why the API would refuse the history of a body; undefined if it would not. */
export function anthropicProblem(body: JsonObject): string | undefined {
  if (typeof body.model !== 'string' || typeof body.max_tokens !== 'number') {
    return 'no model or limit'
  }
  const list = itemsOf(body.messages).map(membersOf)
  const role = list.find(({ role }) => !ANTHROPIC_ROLES.has(String(role)))?.role
  if (role !== undefined) return `messages: role ${role}; expected user, assistant or system`
  const ids = list.map(({ content }) => {
    const blocks = itemsOf(content).map(membersOf)
    const idsOf = (kind: string, name: string) =>
      blocks.filter(({ type }) => type === kind).map((block) => block[name] as string | undefined)
    return { calls: idsOf('tool_use', 'id'), results: idsOf('tool_result', 'tool_use_id'), blocks }
  })
  const late = ids.findIndex(({ blocks, results }) =>
    blocks.slice(0, results.length).some(({ type }) => type !== 'tool_result'),
  )
  if (late >= 0) return `messages.${late}: tool_result blocks are not first`
  return linkProblem(ids)
}

/**
 * The rule of newer Claude models: system prompt, tools and messages before a signed thinking block are those with which it
 * was signed, but for the marks for the cache. A signature stands for a hash of them.
 */
function createThinkingRule() {
  const signed = new Map<string, string>()
  const plain = (content: unknown) => {
    const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content
    return itemsOf(blocks).map((block) => ({ ...membersOf(block), cache_control: undefined }))
  }
  const digest = ({ system, tools }: JsonObject, messages: readonly unknown[]) => {
    const parts = messages.map(membersOf).map(({ role, content }) => [role, plain(content)])
    const text = JSON.stringify([plain(system), plain(tools), parts])
    return createHash('sha256').update(text).digest('hex')
  }
  const problemOf = (body: JsonObject): string | undefined => {
    if (typeof body.model !== 'string' || !bindsThinking(body.model)) return undefined
    const binding = membersOf(membersOf(body.thinking).block_binding)
    if (binding.prefix_mismatch_behavior === 'drop_block') return undefined
    const messages = itemsOf(body.messages)
    for (const [at, message] of messages.entries()) {
      for (const [part, block] of itemsOf(membersOf(message).content).map(membersOf).entries()) {
        if (block.type !== 'thinking') continue
        const place = `messages.${at}.content.${part}: Invalid \`signature\` in \`thinking\` block.`
        const before = signed.get(String(block.signature))
        if (before === undefined) return place
        if (before !== digest(body, messages.slice(0, at))) {
          return `${place} The block is bound to a different conversation.`
        }
      }
    }
    return undefined
  }
  const sign = (body: JsonObject): string => {
    const signature = `sig${String(signed.size + 1).padStart(20, '0')}`
    signed.set(signature, digest(body, itemsOf(body.messages)))
    return signature
  }
  return { problemOf, sign }
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

/** A history with a call and its result for each id, in the form of three clients. */
export const historiesOf = (ids: readonly string[], content: string) => ({
  chat: [{ role: 'user', content: 'go' }, ...ids.flatMap((id) => turn(id, content))],
  blocks: [
    { role: 'user', content: 'go' },
    ...ids.flatMap((id) => [
      { role: 'assistant', content: [{ type: 'tool_use', id, name: 'read', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content }] },
    ]),
  ],
  parts: [
    { role: 'user', content: 'go' },
    ...ids.flatMap((toolCallId) => {
      const call = { toolCallId, toolName: 'read' }
      const result = { type: 'tool-result', ...call, output: { type: 'text', value: content } }
      return [
        { role: 'assistant', content: [{ type: 'tool-call', ...call, input: {} }] },
        { role: 'tool', content: [result] },
      ]
    }),
  ],
})
