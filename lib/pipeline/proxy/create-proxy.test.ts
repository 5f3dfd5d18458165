/** The proxy between a client and local providers, good and bad ones. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import {
  createServer,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import OpenAI from 'openai'
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions'
import { afterEach, describe, expect, test } from 'vitest'
import { readDocument } from '../../core/formats/read-document'
import { countMessages } from '../../core/mask/mask-old-tool-results'
import { DEFAULT_POLICY } from '../../core/policy/policy'
import { createSessions } from '../../core/replay/sessions'
import { startProviderServer } from '../../core/testing/provider-server'
import { countConversation } from '../../core/tokens/count-conversation'
import { loadEncoding } from '../../core/tokens/encoding'
import { createProxy, type ProxyOptions } from './create-proxy'
import { targetPath } from './forward'
import { openPolicyFile } from './policy-file'
import { type RequestSummary, writeSummary } from './request-summary'

const ending: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end()
})

type Handler = (incoming: IncomingMessage, outgoing: ServerResponse, body: string) => void

/** A provider that does what a test says, and the bodies it got. */
async function startProvider(handle: Handler, port = 0) {
  const bodies: string[] = []
  const server = createServer((incoming, outgoing) => {
    const pieces: Buffer[] = []
    incoming.on('data', (piece: Buffer) => pieces.push(piece))
    incoming.on('end', () => {
      const body = Buffer.concat(pieces).toString('utf8')
      bodies.push(body)
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

async function listen(server: Server, port: number): Promise<number> {
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

const ON = { ...DEFAULT_POLICY, enabled: true, windowTurns: 1 }

async function startProxy(target: string, options: Partial<ProxyOptions> = {}) {
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

const turn = (id: string, content: string, args = '{}') => [
  {
    role: 'assistant',
    content: null,
    tool_calls: [{ id, type: 'function', function: { name: 'read', arguments: args } }],
  },
  { role: 'tool', tool_call_id: id, content },
]

const MESSAGES = [
  { role: 'user', content: 'Read both' },
  ...turn('call_1', 'the old result'),
  ...turn('call_2', 'the new result'),
]
const BODY = JSON.stringify({ model: 'gpt-5', messages: MESSAGES }, null, 1)

function post(
  url: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
) {
  return fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  })
}

const answerOk: Handler = (_, outgoing) => {
  outgoing.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true}')
}

describe('a request', () => {
  test('is masked on the way, and nothing else of it changes', async () => {
    const provider = await startProvider(answerOk)
    const { url, summaryAt } = await startProxy(provider.url)
    expect(await (await post(url, BODY)).json()).toEqual({ ok: true })
    const sent = provider.bodies[0] as string
    expect(sent).not.toContain('the old result')
    const placeholder = JSON.parse(sent).messages[2].content
    expect(sent.replace(placeholder, 'the old result')).toBe(BODY)
    const summary = await summaryAt(0)
    expect(summary).toMatchObject({ status: 200, masking: 'masked', maskedResults: 1 })
    const { countTokens } = await loadEncoding('o200k_base')
    const [before, after] = [BODY, sent].map((text) =>
      countMessages(JSON.parse(text).messages, '', countTokens),
    )
    expect(summary.tokens).toEqual({ before, after })
  })

  test.each([
    ['masking is off', { policy: () => DEFAULT_POLICY }, BODY, 'unchanged'],
    ['the proxy only watches', { shadow: true }, BODY, 'shadow'],
    ['it is not JSON', {}, `${BODY.slice(0, 90)}`, 'unread'],
    ['it has no conversation', {}, '{"input": "text", "model": "embed"}', 'unread'],
    ['it is not UTF-8', {}, new Uint8Array([0x7b, 0xff, 0x7d]), 'unread'],
  ] as const)('arrives byte for byte if %s', async (_, options, body, masking) => {
    const got: Buffer[] = []
    const server = createServer((incoming, outgoing) => {
      incoming.on('data', (piece: Buffer) => got.push(piece))
      incoming.on('end', () => outgoing.writeHead(400).end('bad'))
    })
    const port = await listen(server, 0)
    ending.push(() => server.close())
    const { url, summaryAt } = await startProxy(`http://127.0.0.1:${port}`, options)
    const answer = await post(url, body)
    expect([answer.status, await answer.text()]).toEqual([400, 'bad'])
    expect(Buffer.concat(got)).toEqual(Buffer.from(body as string))
    expect((await summaryAt(0)).masking).toBe(masking)
  })

  test('has its malformed arguments repaired before it is masked, if asked to', async () => {
    const provider = await startProvider(answerOk)
    const { url, summaryAt } = await startProxy(provider.url, { repair: true })
    const messages = [...turn('call_1', 'the old result', "{'a': 1,}"), ...turn('call_2', 'new')]
    await post(url, JSON.stringify({ model: 'gpt-5', messages }))
    const sent = JSON.parse(provider.bodies[0] as string)
    expect(JSON.parse(sent.messages[0].tool_calls[0].function.arguments)).toEqual({ a: 1 })
    expect(sent.messages[1].content).toContain('call_1')
    expect(await summaryAt(0)).toMatchObject({ repairedCalls: 1, maskedResults: 1 })
  })

  test('of another kind passes with its method, path, query and headers', async () => {
    const heads: unknown[] = []
    const provider = await startProvider(({ method, url, headers }, outgoing) => {
      heads.push([method, url, headers.authorization, headers.host])
      outgoing.writeHead(204, { 'x-ratelimit-remaining': '7' }).end()
    })
    const { url, summaryAt } = await startProxy(provider.url)
    const headers = { authorization: 'Bearer secret' }
    const answer = await fetch(`${url}/models?key=secret`, { headers })
    await fetch(`${url}/v1/files`, { method: 'POST', body: gzipSync('file'), headers })
    expect(answer.status).toBe(204)
    expect(answer.headers.get('x-ratelimit-remaining')).toBe('7')
    const host = new URL(provider.url).host
    expect(heads).toEqual([
      ['GET', '/v1/models?key=secret', 'Bearer secret', host],
      ['POST', '/v1/files', 'Bearer secret', host],
    ])
    const lines = [await summaryAt(0), await summaryAt(1)].map((one) => writeSummary(one, 'now'))
    expect(lines.join()).not.toContain('secret')
    expect(JSON.parse(lines[0] as string)).toMatchObject({ path: '/models', status: 204 })
  })

  test('cannot name another host than the target', () => {
    const base = new URL('https://host/v1')
    expect(targetPath(base, 'http://elsewhere/chat?a=1')).toBe('/v1/chat?a=1')
    expect(targetPath(base, '/v1/chat')).toBe('/v1/chat')
    expect(targetPath(base, '/v10/chat')).toBe('/v1/v10/chat')
    expect(targetPath(new URL('https://host'), '/v1/chat')).toBe('/v1/chat')
  })

  test('over the limit is refused with a sentence, whether it states its length or not', async () => {
    const provider = await startProvider(answerOk)
    const { url, port, summaryAt } = await startProxy(provider.url, { bodyLimit: 1000 })
    const big = BODY.padEnd(200_000)
    const answer = await post(url, big)
    expect(answer.status).toBe(413)
    expect(await answer.json()).toMatchObject({
      error: { code: 'too_large', message: expect.stringContaining('more than 1000 bytes') },
    })
    const status = await new Promise((resolve, reject) => {
      const headers = { 'content-type': 'application/json' }
      const sent = request({ port, method: 'POST', path: '/v1/x', headers }, (incoming) => {
        incoming.resume()
        resolve(incoming.statusCode)
      })
      sent.on('error', reject)
      sent.write(big)
      sent.end(big)
    })
    expect(status).toBe(413)
    expect(await summaryAt(1)).toMatchObject({ status: 413, error: 'too_large' })
    expect(provider.bodies).toEqual([])
    expect((await post(url, '{}')).status).toBe(200)
  })
})

const EVENTS = { 'content-type': 'text/event-stream' }

describe('an answer', () => {
  test('streams: each piece arrives before the next is sent, byte for byte', async () => {
    const pieces = ['data: {"a"', ':"é"}\n\n: comment\r\n', 'data: [DONE]\n\n']
    let next: () => void = () => {}
    const provider = await startProvider((_, outgoing) => {
      outgoing.writeHead(200, EVENTS).flushHeaders()
      const left = pieces.map((piece) => Buffer.from(piece))
      next = () => {
        const piece = left.shift()
        if (piece === undefined) outgoing.end()
        else outgoing.write(piece)
      }
    })
    const { url } = await startProxy(provider.url)
    // The headers are here before the first piece is.
    const answer = await post(url, BODY)
    const reader = (answer.body as ReadableStream<Uint8Array>).getReader()
    for (const piece of pieces) {
      next()
      expect(Buffer.from((await reader.read()).value as Uint8Array).toString()).toBe(piece)
    }
    next()
    expect((await reader.read()).done).toBe(true)
  })

  test('waits for a client that does not read', async () => {
    const total = 32 * 1024 * 1024
    const piece = Buffer.alloc(64 * 1024, 'x')
    let sent = 0
    let stuck: ServerResponse | undefined
    const provider = await startProvider((_, outgoing) => {
      stuck = outgoing.writeHead(200, EVENTS)
      const write = () => {
        while (sent < total) {
          sent += piece.length
          if (!outgoing.write(piece)) return outgoing.once('drain', write)
        }
        return outgoing.end()
      }
      write()
    })
    const { port } = await startProxy(provider.url)
    const incoming = await new Promise<IncomingMessage>((resolve, reject) => {
      request({ port, path: '/v1/stream' }, resolve).on('error', reject).end()
    })
    for (let before = -1; before !== sent || !stuck?.writableNeedDrain; ) {
      before = sent
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    expect(sent).toBeLessThan(total)
    let got = 0
    for await (const read of incoming) got += (read as Buffer).length
    expect(got).toBe(total)
  })

  test('is ended at the provider when the client leaves, before its headers and after', async () => {
    for (const begins of [false, true]) {
      let isStarted: () => void = () => {}
      const started = new Promise<void>((resolve) => {
        isStarted = resolve
      })
      let isClosed: () => void = () => {}
      const closed = new Promise<void>((resolve) => {
        isClosed = resolve
      })
      const provider = await startProvider((_, outgoing) => {
        outgoing.on('close', isClosed)
        if (begins) outgoing.writeHead(200, EVENTS).write('data: 1\n\n')
        isStarted()
      })
      const { url, summaryAt } = await startProxy(provider.url)
      const stop = new AbortController()
      const answer = fetch(url, { signal: stop.signal }).then((one) => one.text())
      await started
      stop.abort()
      await expect(answer).rejects.toThrow()
      await closed
      expect((await summaryAt(0)).error).toBe('client_gone')
    }
  })

  test('keeps its status, headers and body when it is an error', async () => {
    const provider = await startProvider((_, outgoing) => {
      outgoing.writeHead(429, { 'retry-after': '3', 'set-cookie': ['a=1', 'b=2'] }).end('{"e":1}')
    })
    const { url, summaryAt, proxy } = await startProxy(provider.url)
    const answer = await post(url, BODY)
    expect([answer.status, await answer.text()]).toEqual([429, '{"e":1}'])
    expect(answer.headers.get('retry-after')).toBe('3')
    expect(answer.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
    await summaryAt(0)
    expect(await proxy.metrics.text()).toContain(
      'observation_masking_requests_total{status="429",masked="yes"} 1',
    )
  })

  test('without a provider is 502 with a sentence, until one is there', async () => {
    const probe = createServer()
    const port = await listen(probe, 0)
    await new Promise((resolve) => probe.close(resolve))
    const { url, summaryAt } = await startProxy(`http://127.0.0.1:${port}/v1`)
    const answer = await post(url, BODY)
    expect(answer.status).toBe(502)
    expect((await answer.json()).error).toMatchObject({
      code: 'no_answer',
      message: `http://127.0.0.1:${port} gave no answer (ECONNREFUSED); expected a provider there.`,
    })
    expect((await summaryAt(0)).error).toBe('no_answer')
    await startProvider(answerOk, port)
    expect((await post(url, BODY)).status).toBe(200)
  })

  test('that the provider resets before it begins is 502', async () => {
    const provider = await startProvider((incoming) => incoming.socket.resetAndDestroy())
    const { url } = await startProxy(provider.url)
    expect((await post(url, BODY)).status).toBe(502)
  })

  test.each<readonly [string, Handler, string]>([
    [
      'is reset halfway',
      (incoming, outgoing) => {
        outgoing
          .writeHead(200, EVENTS)
          .write('data: 1\n\n', () => incoming.socket.resetAndDestroy())
      },
      'broken_answer',
    ],
    [
      'is shorter than it says',
      (incoming, outgoing) => {
        outgoing.writeHead(200, { 'content-length': '100' }).write('{"half', () => {
          incoming.socket.end()
        })
      },
      'broken_answer',
    ],
    [
      'stops halfway',
      (_, outgoing) => {
        outgoing.writeHead(200, EVENTS).write('data: 1\n\n')
      },
      'timeout',
    ],
  ])('that %s does not look complete to the client', async (_, handle, error) => {
    const provider = await startProvider(handle)
    const { url, summaryAt } = await startProxy(provider.url, { timeouts: { idle: 50 } })
    const answer = await post(url, BODY)
    expect(answer.status).toBe(200)
    await expect(answer.text()).rejects.toThrow()
    expect(await summaryAt(0)).toMatchObject({ status: 200, error })
  })

  test('that does not begin in time is 504', async () => {
    const provider = await startProvider(() => {})
    const { url } = await startProxy(provider.url, { timeouts: { answer: 50 } })
    const answer = await post(url, BODY)
    expect([answer.status, (await answer.json()).error.message]).toEqual([
      504,
      `${new URL(provider.url).origin} did not answer within 0.05 s.`,
    ])
  })

  test.each([
    ['JSON', { 'content-type': 'application/json' }, (usage: object) => JSON.stringify({ usage })],
    ['a stream', EVENTS, (usage: object) => `data: {}\n\ndata: ${JSON.stringify({ usage })}\n\n`],
  ])('has its usage read from %s, compressed or not', async (_, headers, write) => {
    const text = write({ prompt_tokens: 90, prompt_tokens_details: { cached_tokens: 64 } })
    const provider = await startProvider((incoming, outgoing) => {
      const isPacked = incoming.headers['accept-encoding'] === 'gzip'
      outgoing.writeHead(200, { ...headers, ...(isPacked && { 'content-encoding': 'gzip' }) })
      outgoing.end(isPacked ? gzipSync(text) : text)
    })
    const { url, summaryAt, proxy } = await startProxy(provider.url)
    for (const [index, encoding] of ['identity', 'gzip'].entries()) {
      const answer = await post(url, BODY, { 'accept-encoding': encoding })
      expect(await answer.text()).toBe(text)
      expect((await summaryAt(index)).usage).toMatchObject({ inputTokens: 90, cacheReadTokens: 64 })
    }
    expect(await proxy.metrics.text()).toContain(
      'observation_masking_provider_tokens_total{kind="cached",masked="yes"} 128',
    )
  })
})

test('the usage of an Anthropic stream is in its first and its last event', async () => {
  const events = [
    {
      type: 'message_start',
      message: {
        model: 'claude',
        usage: { input_tokens: 5, cache_read_input_tokens: 70, output_tokens: 1 },
      },
    },
    { type: 'content_block_delta', delta: { text: '"usage": {"output_tokens": 99}' } },
    { type: 'message_delta', usage: { output_tokens: 42 } },
  ]
  const provider = await startProvider((_, outgoing) => {
    outgoing.writeHead(200, EVENTS)
    for (const event of events)
      outgoing.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
    outgoing.end()
  })
  const { url, summaryAt } = await startProxy(provider.url)
  await (await post(url, BODY)).text()
  expect((await summaryAt(0)).usage).toMatchObject({
    inputTokens: 75,
    cacheReadTokens: 70,
    outputTokens: 42,
    model: 'claude',
  })
})

describe('a recorded session', () => {
  const folder = mkdtempSync(join(tmpdir(), 'proxy-'))

  test.each([false, true])(
    'opens as one session with the charged usage, streamed %s',
    async (stream) => {
      const provider = await startProviderServer({ isStrict: false })
      ending.push(provider.close)
      const record = join(folder, String(stream))
      const { url, summaryAt } = await startProxy(provider.baseUrl, { record })
      const client = new OpenAI({ apiKey: 'secret', baseURL: `${url}/v1`, maxRetries: 0 })
      for (const [index, end] of [1, 3, 5].entries()) {
        const messages = MESSAGES.slice(0, end) as ChatCompletionMessageParam[]
        if (stream) {
          const chunks = await client.chat.completions.create({ model: 'gpt-5', messages, stream })
          let text = ''
          for await (const chunk of chunks) text += chunk.choices[0]?.delta.content ?? ''
          expect(text).toBe('taken')
        } else await client.chat.completions.create({ model: 'gpt-5', messages })
        await summaryAt(index)
      }
      await ending.pop()?.()
      const [file, ...more] = readdirSync(record)
      expect(more).toEqual([])
      const text = readFileSync(join(record, file as string), 'utf8')
      expect(text).not.toContain('secret')
      const { conversations, problems } = readDocument(text)
      expect(problems).toEqual([])
      const counts = conversations.map((one) => countConversation(one, (part) => part.length))
      const [session, ...others] = createSessions(conversations, counts)
      expect(others).toEqual([])
      expect(session?.origin).toBe('log')
      expect(session?.requests.map(({ usage }) => usage)).toMatchObject(
        provider.usages.map(({ prompt_tokens, completion_tokens, prompt_tokens_details }) => ({
          inputTokens: prompt_tokens,
          cacheReadTokens: prompt_tokens_details.cached_tokens,
          outputTokens: completion_tokens,
        })),
      )
      // Recorded as sent by the client, charged as sent to the provider.
      expect(text).toContain('the old result')
      expect(JSON.stringify(provider.taken.at(-1))).not.toContain('the old result')
      if (stream) rmSync(folder, { recursive: true })
    },
  )
})

describe('the policy file', () => {
  const write = (path: string, window: string) =>
    writeFileSync(path, `[observation_masking.schema1]\nenabled = true\nwindow_turns = ${window}\n`)

  test('with an error leaves the policy before in use, and health says so', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'policy-'))
    const path = join(folder, 'policy.toml')
    write(path, '3')
    const problems: (string | undefined)[] = []
    const file = openPolicyFile(path, (problem) => problems.push(problem))
    ending.push(file.close)
    const { url } = await startProxy('http://127.0.0.1:9', {
      policy: file.policy,
      policyProblem: file.problem,
    })
    const health = async () => (await fetch(`${url}/health`)).json()
    expect(await health()).toEqual({ status: 'ok', masking: 'on', policy: 'current' })
    write(path, '"many"')
    file.reload()
    expect(file.policy().windowTurns).toBe(3)
    expect(problems[0]).toContain('Line 3')
    expect((await health()).policy).toContain('kept; the file has an error')
    expect(await (await fetch(`${url}/metrics`)).text()).toContain(
      'observation_masking_policy_is_current 0',
    )
    write(path, '5')
    file.reload()
    expect([file.policy().windowTurns, file.problem()]).toEqual([5, undefined])
    rmSync(folder, { recursive: true })
    file.reload()
    expect(file.problem()).toBe(`${path} cannot be read (ENOENT).`)
  })
})
