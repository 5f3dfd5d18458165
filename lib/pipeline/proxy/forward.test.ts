/** Answers of providers, good and bad ones, on their way to the client. */
import { EventEmitter, once } from 'node:events'
import {
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request,
  type ServerResponse,
} from 'node:http'
import type { Socket } from 'node:net'
import { constants, gzipSync } from 'node:zlib'
import { afterEach, describe, expect, test } from 'vitest'
import {
  answerOk,
  BODY,
  EVENTS,
  endAll,
  listen,
  post,
  startProvider,
  startProxy,
} from './testing/start-proxy'

afterEach(endAll)

const READ = { inputTokens: 90, cacheReadTokens: 64 }
/** A compressed stream whose end is yet to come. */
const FLUSHED = { finishFlush: constants.Z_SYNC_FLUSH }

describe('an answer', () => {
  test('streams: each piece arrives before the next is sent, byte for byte', async () => {
    const pieces = ['data: {"a"', ':"é"}\n\n: comment\r\n', 'data: [DONE]\n\n']
    let next: () => void = () => {}
    const provider = await startProvider((_, outgoing) => {
      outgoing.writeHead(200, EVENTS).flushHeaders()
      const left = pieces.map((piece) => Buffer.from(piece))
      next = () => {
        if (left.length === 0) outgoing.end()
        else outgoing.write(left.shift())
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
      const steps = new EventEmitter()
      const [started, closed] = [once(steps, 'started'), once(steps, 'closed')]
      const provider = await startProvider((_, outgoing) => {
        outgoing.on('close', () => steps.emit('closed'))
        if (begins) outgoing.writeHead(200, EVENTS).write('data: 1\n\n')
        steps.emit('started')
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

  test.each<readonly [string, OutgoingHttpHeaders, string, (socket: Socket) => void]>([
    ['is reset halfway', EVENTS, 'broken_answer', (socket) => socket.resetAndDestroy()],
    ['is cut short', { 'content-length': 99 }, 'broken_answer', (socket) => socket.end()],
    ['stops halfway', EVENTS, 'timeout', () => {}],
  ])('that %s does not look complete to the client', async (_, headers, error, then) => {
    const provider = await startProvider(({ socket }, outgoing) => {
      outgoing.writeHead(200, headers).write('data: 1\n\n', () => then(socket))
    })
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

  const usage = { prompt_tokens: 90, prompt_tokens_details: { cached_tokens: 64 } }
  const begun = { input_tokens: 26, cache_read_input_tokens: 64, output_tokens: 1 }
  const input = { input_tokens: 90, input_tokens_details: { cached_tokens: 64 } }
  const usageMetadata = { promptTokenCount: 90, cachedContentTokenCount: 64 }
  const candidates = [{ finishReason: 'STOP' }]
  const events = (...all: object[]) => all.map((one) => `data: ${JSON.stringify(one)}\n\n`).join('')
  // An Anthropic stream has its usage in its first and its last event.
  const anthropic = events(
    { type: 'message_start', message: { model: 'claude', usage: begun } },
    { type: 'content_block_delta', delta: { text: '"usage": {"output_tokens": 99}' } },
    { type: 'message_delta', usage: { output_tokens: 42 } },
  )
  const said = events({ type: 'x', delta: 'message_stop [DONE]', item: { type: 'message_stop' } })
  const responses = (end: string): [string, string, string] => [
    `Responses that end ${end}`,
    events({ type: 'response.created', response: { usage: input } }),
    events({ type: `response.${end}`, response: { usage: input } }),
  ]
  const stop = events({ type: 'message_stop' })
  test('has its usage read from zstd', async () => {
    const json = Buffer.from(JSON.stringify({ usage }))
    // One block, as it is (RFC 8878): magic, a frame of that size, the block's header.
    const frame = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0xa0, 0, 0, 0, 0, 0, 0, 0])
    frame.writeUInt32LE(json.length, 5)
    frame.writeUIntLE((json.length << 3) | 1, 9, 3)
    const provider = await startProvider((_, outgoing) => {
      const headers = { 'content-type': 'application/json', 'content-encoding': 'zstd' }
      outgoing.writeHead(200, headers).end(Buffer.concat([frame, json]))
    })
    const { url, summaryAt } = await startProxy(provider.url)
    await (await post(url, BODY)).arrayBuffer()
    expect((await summaryAt(0)).usage).toMatchObject(READ)
  })

  test.each<[string, string, string, object?]>([
    ['JSON', JSON.stringify({ usage }), ''],
    ['a stream', events({}, { usage }), 'data: [DONE]\n\n'],
    ['Anthropic', anthropic, stop, { outputTokens: 42, model: 'claude' }],
    ...['completed', 'incomplete', 'failed'].map(responses),
    ['Gemini', events({ usageMetadata }), events({ candidates, usageMetadata })],
    ['Code Assist', events({ usageMetadata }), events({ response: { candidates, usageMetadata } })],
  ])(
    'has its usage read from %s, and is whole after its last event',
    async (_, text, last, more) => {
      const whole = `${last === '' ? '' : said}${text}${last}`
      let sent = whole
      const provider = await startProvider(({ headers }, outgoing) => {
        const isPacked = headers['accept-encoding'] === 'gzip'
        const type = last === '' ? { 'content-type': 'application/json' } : EVENTS
        outgoing.writeHead(200, { ...type, ...(isPacked && { 'content-encoding': 'gzip' }) })
        const isLeft = headers['x-leaves'] === 'yes'
        const bytes = isPacked ? gzipSync(sent, isLeft ? FLUSHED : {}) : sent
        if (isLeft) outgoing.write(bytes)
        else outgoing.end(bytes)
      })
      const { url, summaries, summaryAt, proxy } = await startProxy(provider.url)
      // The client reads the end of the stream, or leaves after the last event, within it, or before it.
      const cuts = [undefined, whole.length, whole.length - 4, whole.length - last.length]
      for (const encoding of ['identity', 'gzip']) {
        for (const cut of last === '' ? [undefined] : cuts) {
          sent = whole.slice(0, cut)
          const leaving = new AbortController()
          const headers = { 'accept-encoding': encoding, ...(cut && { 'x-leaves': 'yes' }) }
          const before = summaries.length
          const answer = await post(url, BODY, headers, leaving.signal)
          const reader = (answer.body as ReadableStream<Uint8Array>).getReader()
          const decoder = new TextDecoder()
          for (let got = ''; got !== sent; )
            got += decoder.decode((await reader.read()).value, { stream: true })
          if (cut === undefined) expect((await reader.read()).done).toBe(true)
          leaving.abort()
          const summary = await summaryAt(before)
          const isCut = sent !== whole
          expect([summary.status, summary.error]).toEqual([200, isCut ? 'client_gone' : undefined])
          if (!isCut) expect(summary.usage).toMatchObject({ ...READ, ...more })
        }
      }
      expect(await proxy.metrics.text()).toMatch(
        /provider_tokens_total\{kind="cached",masked="yes"\} \d/,
      )
    },
  )
})
