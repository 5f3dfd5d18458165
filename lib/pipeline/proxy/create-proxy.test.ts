/** The proxy between a client and local providers: requests, records and its policy. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import OpenAI from 'openai'
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions'
import { afterEach, describe, expect, test } from 'vitest'
import { readDocument } from '../../core/formats/read-document'
import { countMessages } from '../../core/mask/mask-old-tool-results'
import { DEFAULT_POLICY } from '../../core/policy/policy'
import { fitSessions } from '../../core/replay/calibration/calibrate-session'
import { createSessions } from '../../core/replay/sessions'
import { startProviderServer, turn } from '../../core/testing/provider-server'
import { countConversation } from '../../core/tokens/count-conversation'
import { loadEncoding } from '../../core/tokens/encoding'
import type { DecidedRequest } from '../mask-request'
import { readBytes } from '../read-grown-request'
import { changeRequest } from './change-request'
import { createRequestCounter } from './count-request'
import { targetPath } from './forward'
import { openPolicyFile } from './policy-file'
import { writeSummary } from './proxy-metrics'
import {
  answerOk,
  BODY,
  endAll,
  ending,
  MESSAGES,
  post,
  startProvider,
  startProxy,
} from './testing/start-proxy'

afterEach(endAll)

describe('a request', () => {
  test('is masked on the way, and nothing else of it changes', async () => {
    const provider = await startProvider(answerOk)
    const { url, summaryAt, proxy } = await startProxy(provider.url)
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
    expect(summary.reasons).toEqual({ masked: 1, in_window: 1 })
    const bytes = { before: Buffer.byteLength(BODY), after: Buffer.byteLength(sent) }
    expect(summary.jsonBytes).toEqual(bytes)
    const chars = summary.resultCharacters ?? { before: 0, after: 0 }
    expect(chars.after - chars.before).toBe(placeholder.length - 'the old result'.length)
    expect(JSON.parse(writeSummary(summary, 'now'))).toMatchObject({
      ...{ json_bytes_before: bytes.before, json_bytes_after: bytes.after },
      ...{ tool_chars_before: chars.before, tool_chars_after: chars.after },
    })
    const metrics = await proxy.metrics.text()
    expect(metrics).toContain(`masking_tool_characters_total{stage="after"} ${chars.after}`)
    expect(metrics).toContain(`masking_json_bytes_total{stage="before"} ${bytes.before}`)
  })

  test('says whether a window at break-even moved, and what it goes by', async () => {
    const provider = await startProvider(answerOk)
    const own = { ...DEFAULT_POLICY, enabled: true, windowTurns: 2, batchTurns: 'auto' as const }
    const { url, summaryAt, proxy } = await startProxy(provider.url, { policy: () => own })
    const messages = Array.from({ length: 18 }, (_, at) => turn(`c${at}`, 'a line '.repeat(40)))
    const lines: { readonly moved: boolean; readonly stale_tokens: number }[] = []
    for (const turns of [16, 17]) {
      const sent = [{ role: 'user', content: 'go' }, ...messages.slice(0, turns).flat()]
      await (await post(url, JSON.stringify({ model: 'm', messages: sent }))).text()
      lines.push(JSON.parse(writeSummary(await summaryAt(lines.length), 'now')))
    }
    expect(lines).toEqual([
      expect.objectContaining({
        moved: false,
        stale_tokens: expect.any(Number),
        debt: expect.any(Number),
      }),
      expect.objectContaining({ moved: true, price_of_moving: expect.any(Number) }),
    ])
    const metrics = await proxy.metrics.text()
    expect(metrics).toContain('observation_masking_window_moves_total 1')
    expect(metrics).toContain(`observation_masking_stale_tokens_total ${lines[0]?.stale_tokens}`)
  })

  test('that is refused saves nothing in the metrics', async () => {
    const provider = await startProvider((_, outgoing) => outgoing.writeHead(400).end())
    const { url, summaryAt, proxy } = await startProxy(provider.url)
    await (await post(url, BODY)).text()
    expect((await summaryAt(0)).maskedResults).toBe(1)
    const metrics = await proxy.metrics.text()
    expect(metrics).toContain('observation_masking_masked_results_total 0')
    expect(metrics).toContain('observation_masking_results_total{reason="masked"} 1')
  })

  test.each([
    ['compaction', {}, 0],
    ['masked', { maskCompactions: true }, 0],
    ['compaction', {}, 40_000],
  ])(
    'for a summary of its session is %s by the options %j, with %i characters more',
    async (...row) => {
      const [masking, options, more] = row
      const asked = [{ role: 'user', content: 'x'.repeat(more) }, ...MESSAGES]
      const provider = await startProvider(answerOk)
      const { url, summaryAt } = await startProxy(provider.url, options)
      const tools = [{ type: 'function', function: { name: 'read', parameters: {} } }]
      const whole = JSON.stringify({ model: 'gpt-5', messages: [...asked, MESSAGES[0]] })
      for (const body of [JSON.stringify({ model: 'gpt-5', messages: asked, tools }), whole])
        await (await post(url, body, { 'session-id': 'one' })).text()
      expect(provider.bodies[1] === whole).toBe(masking === 'compaction')
      expect(JSON.parse(writeSummary(await summaryAt(1), 'now'))).toMatchObject({ masking })
    },
  )

  test.each([
    ['masking is off', { policy: () => DEFAULT_POLICY }, BODY, 'unchanged'],
    ['the proxy only watches', { shadow: true }, BODY, 'shadow'],
    ['it is not JSON', {}, `${BODY.slice(0, 90)}`, 'unread'],
    ['it has no conversation', {}, '{"input": "text", "model": "embed"}', 'unread'],
    ['it is not UTF-8', {}, new Uint8Array([0x7b, 0xff, 0x7d]), 'unread'],
  ] as const)('arrives byte for byte if %s', async (_, options, body, masking) => {
    let got: Buffer | undefined
    const provider = await startProvider((_, outgoing, arrived) => {
      got = arrived
      outgoing.writeHead(400).end('bad')
    })
    const { url, summaryAt } = await startProxy(provider.url, options)
    const answer = await post(url, body)
    expect([answer.status, await answer.text()]).toEqual([400, 'bad'])
    expect(got).toEqual(Buffer.from(body as string))
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

  test.each([
    // The target's path, and paths of clients whose base URL has it, a part of it, or nothing of it.
    ['/v1', '/v1/chat/completions', ['/chat/completions', '/v1/chat/completions']],
    ['/v1/', '/v1/responses', ['/responses', '/v1/responses', '/v1/v1/responses']],
    ['/a/v1', '/a/v1/models', ['/models', '/v1/models', '/a/v1/models']],
    ['/a/paas/v4', '/a/paas/v4/chat/completions', ['/chat/completions', '/v1/chat/completions']],
    ['/v1beta/openai', '/v1beta/openai/embeddings', ['/v1/embeddings', '/openai/embeddings']],
    ['', '/v1/messages', ['/v1/messages', '/messages', '/v1/v1/messages']],
    ['/v1', '/v1/messages/count_tokens', ['/v1/messages/count_tokens', '/messages/count_tokens']],
    ['/anthropic', '/anthropic/v1/messages', ['/v1/messages', '/messages', '/anthropic/messages']],
    [
      '',
      '/v1beta/models/g:countTokens',
      ['/models/g:countTokens', '/v1/v1beta/models/g:countTokens'],
    ],
    ['/v1', '/v1beta/models/g:countTokens', ['/v1beta/models/g:countTokens']],
    [
      '/v1beta',
      '/v1beta/models/g:countTokens',
      ['/models/g:countTokens', '/v1/models/g:countTokens'],
    ],
    ['', '/chat/completions', ['/chat/completions']],
    ['/v1', '/v1/v2/chat', ['/v2/chat']],
    ['/v1', '/v1/v10/chat', ['/v10/chat']],
    // No path can name another host.
    ['/v1', '/v1/chat', ['http://elsewhere/chat', '//v1/chat']],
    ['', '/model/m/converse', ['/model/m/converse']],
  ])('to a target with the path "%s" arrives at %s', (path, expected, asked) => {
    const base = new URL(path, 'https://host')
    expect(asked.map((one) => targetPath(base, `${one}?a=1`))).toEqual(
      asked.map(() => `${expected}?a=1`),
    )
  })

  test('over the limit is refused with a sentence, whether it states its length or not', async () => {
    const provider = await startProvider(answerOk)
    const { url, port, summaryAt } = await startProxy(provider.url, { bodyLimit: 1000 })
    const big = BODY.padEnd(200_000)
    const answer = await post(url, big)
    expect(answer.status).toBe(413)
    const message = 'The request has more than 1000 bytes, the limit of this proxy.'
    expect(await answer.json()).toMatchObject({ error: { code: 'too_large', message } })
    const status = await new Promise((resolve, reject) => {
      const headers = { 'content-type': 'application/json' }
      const sent = request({ port, method: 'POST', path: '/v1/x', headers }, (incoming) => {
        resolve(incoming.resume().statusCode)
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

test.each([false, true])(
  'each run recorded opens as one session of its requests with the charged usage, streamed %s',
  async (stream) => {
    const provider = await startProviderServer({ isStrict: false })
    ending.push(provider.close)
    const record = mkdtempSync(join(tmpdir(), 'proxy-'))
    const { url, summaryAt } = await startProxy(provider.baseUrl, { record })
    const client = new OpenAI({ apiKey: 'secret', baseURL: `${url}/v1`, maxRetries: 0 })
    // Two runs of one task, then a request for a summary of the second.
    for (const [index, end] of [1, 3, 5, 1, 3, 5, 3].entries()) {
      const tail = index === 6 ? [{ role: 'user', content: 'Sum up' }] : []
      const messages = [...MESSAGES.slice(0, end), ...tail] as ChatCompletionMessageParam[]
      if (stream) {
        const options = { stream_options: { include_usage: true }, stream } as const
        const chunks = await client.chat.completions.create({
          model: 'gpt-5',
          messages,
          ...options,
        })
        let text = ''
        for await (const chunk of chunks) text += chunk.choices[0]?.delta.content ?? ''
        expect(text).toBe('taken')
      } else await client.chat.completions.create({ model: 'gpt-5', messages })
      await summaryAt(index)
    }
    // The id that a client states tells its sessions apart.
    for (const [index, id] of ['one', 'two'].entries()) {
      await post(url, BODY, { authorization: 'Bearer secret', 'x-session-id': id })
      await summaryAt(7 + index)
    }
    await ending.pop()?.()
    const texts = readdirSync(record).map((file) => readFileSync(join(record, file), 'utf8'))
    expect(texts.length).toBe(3)
    const text = texts.sort((one, other) => other.length - one.length)[0] as string
    expect(text).not.toContain('secret')
    const { conversations, problems } = readDocument(text)
    expect(problems).toMatchObject([{ code: 'masked_recording', values: { count: 2, all: 7 } }])
    const counts = conversations.map((one) => countConversation(one, (part) => part.length))
    const sessions = createSessions(conversations, counts)
    expect(sessions.map(({ origin, requests }) => [origin, requests.length])).toEqual([
      ['conversation', 3],
      ['conversation', 3],
      ['log', 1],
    ])
    const requests = sessions.flatMap((session) => session.requests)
    expect(requests.map(({ usage }) => usage)).toMatchObject(
      provider.usages.slice(0, 7).map(({ input, cached, output }) => ({
        inputTokens: input,
        cacheReadTokens: cached,
        outputTokens: output,
      })),
    )
    expect(fitSessions(sessions).map((fit) => fit?.requestsUsed)).toEqual([2, 2, 1])
    // A request is what it adds to the one before.
    const sent = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).request.messages.length)
    expect(sent).toEqual([1, 2, 2, 1, 2, 2, 4])
    // Recorded as sent by the client, charged as sent to the provider.
    expect(text).toContain('the old result')
    expect(JSON.stringify(provider.taken[5])).not.toContain('the old result')
    rmSync(record, { recursive: true })
  },
)

test('a session is one file, though its client moves its marks for the cache and loads tools', async () => {
  const provider = await startProvider(answerOk)
  const record = mkdtempSync(join(tmpdir(), 'proxy-'))
  const { url, summaryAt } = await startProxy(provider.url, { record })
  const block = { type: 'text', text: 'Read' }
  const cache_control = { type: 'ephemeral' }
  const send = async (at: number, content: object, tools: object[], headers = {}) => {
    const body = {
      model: 'm',
      max_tokens: 9,
      messages: [{ role: 'user', content: [content] }],
      tools,
    }
    await post(url, JSON.stringify(body), headers)
    await summaryAt(at)
  }
  await send(0, { ...block, cache_control }, [])
  await send(1, block, [])
  await send(2, block, [], { 'x-session-id': 'one' })
  await send(3, block, [{ name: 'read', input_schema: {} }], { 'x-session-id': 'one' })
  await ending.pop()?.()
  expect(readdirSync(record)).toHaveLength(2)
  rmSync(record, { recursive: true })
})

test('a long text is counted in pieces, between which others have their turn', async () => {
  const counter = await createRequestCounter()
  const { countTokens, count } = counter
  const { countTokens: countWhole } = await loadEncoding('o200k_base')
  const words = 'let größe = 12345, "a  b";\n\n\t x 😀 '.repeat(2000)
  expect(countTokens(words)).toBe(countWhole(words))
  const word = 'x😀'.repeat(20_000)
  const cuts = word.length / 8_000
  expect(countTokens(word)).toBeGreaterThanOrEqual(countWhole(word))
  expect(countTokens(word)).toBeLessThanOrEqual(countWhole(word) + cuts)
  const body = JSON.stringify({ messages: [...turn('call_1', word), ...turn('call_2', 'new')] })
  const policy = { ...DEFAULT_POLICY, enabled: true }
  const { decided } = await changeRequest(Buffer.from(body), policy, {
    reader: readBytes,
    counter,
  })
  let turns = 0
  let isCounted = false
  const next = () => {
    turns++
    if (!isCounted) setImmediate(next)
  }
  next()
  await count(decided as DecidedRequest)
  isCounted = true
  expect(turns).toBeGreaterThan(cuts / 2)
})

const write = (path: string, window: string) =>
  writeFileSync(path, `[observation_masking.schema1]\nenabled = true\nwindow_turns = ${window}\n`)

test('a policy file with an error leaves the policy before in use, and health says so', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'policy-'))
  const path = join(folder, 'policy.toml')
  write(path, '3')
  const problems: (string | undefined)[] = []
  const file = openPolicyFile(path, (problem) => problems.push(problem))
  ending.push(file.close)
  const options = { policy: file.policy, policyProblem: file.problem }
  const { url } = await startProxy('http://127.0.0.1:9', options)
  const health = async () => (await fetch(`${url}/health`)).json()
  expect(await health()).toEqual({ status: 'ok', masking: 'on', policy: 'current' })
  write(path, '"many"')
  file.reload()
  expect(file.policy().windowTurns).toBe(3)
  expect(problems[0]).toContain('Line 3')
  expect((await health()).policy).toContain('kept; the file has an error')
  const metrics = await (await fetch(`${url}/metrics`)).text()
  expect(metrics).toContain('observation_masking_policy_is_current 0')
  write(path, '5')
  file.reload()
  expect([file.policy().windowTurns, file.problem()]).toEqual([5, undefined])
  rmSync(folder, { recursive: true })
  file.reload()
  expect(file.problem()).toBe(
    `${path} cannot be read (ENOENT); expected a policy, which observation-masking-proxy --example prints.`,
  )
})
