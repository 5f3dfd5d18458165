/** What must not hold up or end the proxy: long bodies, connections that end, requests that stop halfway, full memory. */
import { once } from 'node:events'
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { DEFAULT_POLICY } from '../../core/policy/policy'
import { turn } from '../../core/testing/provider-server'
import { testSize } from '../../core/testing/test-size'
import { maskRequestBody } from '../mask-request'
import { readBytes } from '../read-grown-request'
import { openRecords } from './change-in-thread'
import { changeRequest } from './change-request'
import { type RequestSummary, writeSummary } from './proxy-metrics'
import { createBodyReader } from './read-body'
import { createRecorder } from './record-request'
import {
  answerOk,
  BODY,
  endAll,
  ending,
  post,
  startProvider,
  startProxy,
} from './testing/start-proxy'

afterEach(endAll)

const bodyOf = (...messages: object[]) => JSON.stringify({ model: 'gpt-5', messages })
const LONG = 'a long result, '.repeat(20_000)

describe('a long body', () => {
  test('is changed in a thread as a short one is here, and counted when it has left', async () => {
    const provider = await startProvider(answerOk)
    const { url, summaryAt } = await startProxy(provider.url)
    const body = bodyOf(...turn('a', LONG), ...turn('b', 'new é'))
    await post(url, body)
    const policy = { ...DEFAULT_POLICY, enabled: true, windowTurns: 1 }
    expect(provider.bodies[0]).toBe(maskRequestBody(body, policy).text)
    const { tokens, ...summary } = await summaryAt(0)
    expect(summary).toMatchObject({ masking: 'masked', reasons: { masked: 1, in_window: 1 } })
    expect(tokens?.before).toBeGreaterThan(60_000)
    expect(tokens?.after).toBeLessThan(100)
    // The same session in a short body: what a thread has masked stays masked.
    const batch = () => ({ ...policy, batchTurns: 2 })
    const { url: sticky } = await startProxy(provider.url, { policy: batch })
    const session = { 'session-id': 'one' }
    const turns = (...ids: string[]) => ids.flatMap((id) => turn(id, `result ${id}`))
    await post(sticky, bodyOf(...turn('a', LONG), ...turns('b', 'c')), session)
    await post(sticky, bodyOf(...turns('b', 'c')), session)
    expect(provider.bodies.map((sent) => /result b/.test(sent))).toEqual([false, false, false])
  })

  test('is repaired in a thread, whose clock this one is not', async () => {
    const provider = await startProvider(answerOk)
    const { url } = await startProxy(provider.url, { repair: true })
    let time = performance.now()
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => (time += 3000))
    await post(url, bodyOf(...turn('a', 'x'.repeat(9000), `{'a': 1,}`)))
    clock.mockRestore()
    const [made] = JSON.parse(provider.bodies[0] as string).messages
    expect(made.tool_calls[0].function.arguments).toBe('{"a": 1}')
  })

  test('with more new text than the cap is not counted, and the metrics say so', async () => {
    const provider = await startProvider(answerOk)
    const { url, summaryAt, proxy } = await startProxy(provider.url)
    const words = Array.from({ length: 500_000 }, (_, at) => `word${at}`).join(' ')
    await post(url, bodyOf(...turn('a', words), ...turn('b', 'new')))
    expect(await summaryAt(0)).toMatchObject({ masking: 'masked', tokens: undefined })
    expect(await proxy.metrics.text()).toContain('masking_uncounted_requests_total 1')
  })
})

test('repairs that lose something are left unless they are asked for; all are counted', async () => {
  const provider = await startProvider(answerOk)
  const calls = [`{'a': 1,}`, '{"a": "b', 'and {"a": 1', '}{'].map((args, at) =>
    turn(`call_${at}`, 'ok', args),
  )
  const body = bodyOf(...calls.flat())
  for (const repairLoss of [false, true]) {
    const { url, summaryAt, proxy } = await startProxy(provider.url, { repair: true, repairLoss })
    await post(url, body)
    const summary = await summaryAt(0)
    const { none = 0, guess = 0, loss = 0 } = summary.repairs?.byRisk ?? {}
    expect([none > 0, loss > 0, none + guess + loss]).toEqual([true, true, 3])
    expect(summary.repairedCalls).toBe(none + guess + (repairLoss ? loss : 0))
    const sent = JSON.parse(provider.bodies.at(-1) as string).messages
    const isLeft = sent[4].tool_calls[0].function.arguments === 'and {"a": 1'
    expect(isLeft).toBe(!repairLoss)
    expect(JSON.parse(writeSummary(summary, 'now'))).toMatchObject({
      repairs: { none, guess, loss },
      failure_reasons: ['nothing_recognised'],
      repair_failures: { nothing_recognised: 1 },
      repair_strategies: { trailing_commas: 1 },
      success_by_strategy: { eval_fallback: 0, all_failed: 1 },
    })
    const metrics = await proxy.metrics.text()
    expect(metrics).toContain(`masking_repairs_total{risk="loss"} ${loss}`)
    expect(metrics).toContain('masking_repair_failures_total{reason="nothing_recognised"} 1')
    expect(metrics).toContain('masking_repair_strategies_total{strategy="trailing_commas"} 1')
    expect(metrics).toContain('masking_repair_methods_total{method="all_failed"} 1')
  }
})

test('of repairs, a shadow sends none, the clock ends them, and a line lists a hundred failures', async () => {
  const hopeless = Array.from({ length: 150 }, (_, at) => turn(`h${at}`, 'ok', '}{')).flat()
  const body = bodyOf(...turn('a', 'ok', `{'a': 1,}`), ...hopeless)
  const change = (shadow: boolean) =>
    changeRequest(Buffer.from(body), DEFAULT_POLICY, {
      ...{
        repair: true,
        reader: readBytes,
        shadow,
        counter: { prepare: () => Promise.reject(new Error()) },
      },
    })
  const shown = await change(true)
  expect([shown.body, shown.report.repairedCalls]).toEqual([undefined, 0])
  expect(shown.report.repairs?.repaired).toBe(1)
  const line = JSON.parse(writeSummary(shown.report as RequestSummary, 'now'))
  expect(line.failure_reasons).toEqual(Array(100).fill('nothing_recognised'))
  expect(line.repair_failures).toEqual({ nothing_recognised: 150 })
  let time = 0
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (time += 3000))
  const late = await change(false)
  clock.mockRestore()
  expect([late.body, late.report.repairs?.repaired]).toEqual([undefined, 0])
  expect(late.report.repairs?.failures).toEqual([{ failure: 'out_of_time', calls: 151 }])
})

/** A provider that answers the first request of each connection and ends the connection at the second. */
async function startForgetful() {
  let connections = 0
  const server = createServer((socket: Socket) => {
    connections++
    let requests = 0
    socket.on('error', () => {})
    socket.on('data', () => {
      if (++requests > 1) socket.destroy()
      else socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok')
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  ending.push(() => server.close())
  const { port } = server.address() as { port: number }
  return { url: `http://127.0.0.1:${port}/v1`, connections: () => connections }
}

test('a request on a reused connection that brought no byte is sent once more', async () => {
  const provider = await startForgetful()
  const { url } = await startProxy(provider.url)
  const statuses: number[] = []
  for (let at = 0; at < 4; at++) {
    const answer = await post(url, BODY)
    statuses.push(answer.status)
    await answer.text()
  }
  expect(statuses).toEqual([200, 200, 200, 200])
  expect(provider.connections()).toBe(4)
})

describe('a request', () => {
  test('that stops halfway is ended, in its head and in its body, with JSON and without', async () => {
    const provider = await startProvider(answerOk)
    const { port, summaryAt } = await startProxy(provider.url, { timeouts: { request: 300 } })
    const head = 'POST /v1/chat HTTP/1.1\r\nhost: localhost\r\n'
    const halves = [
      head,
      `${head}content-type: application/json\r\ncontent-length: 9\r\n\r\n{`,
      `${head}content-type: text/plain\r\ncontent-length: 9\r\n\r\n{`,
    ]
    const answers = await Promise.all(
      Array.from({ length: testSize(3, 1_000) }, async (_, at) => {
        const socket = connect(port, '127.0.0.1')
        socket.write(halves[at % 3] as string)
        let text = ''
        socket.on('data', (piece) => {
          text += piece
        })
        await once(socket, 'close')
        return text
      }),
    )
    expect(answers[0]).toMatch(/^HTTP\/1.1 408/)
    expect(answers[1]).toMatch(/^HTTP\/1.1 408.*did not come within 0.3 s/s)
    expect((await summaryAt(0)).error).toBe('request_timeout')
  })

  test('waits for memory, and is refused when none is free in time; a short one never waits for long ones', async () => {
    const [long, short] = [200_000, 20_000]
    const read = createBodyReader({ body: long, memory: 1.5 * long, idle: 1000, wait: 200 })
    const incoming = (size: number, isStated = true, isWhole = true) => {
      const stream = new PassThrough() as unknown as PassThrough & IncomingMessage
      stream.headers = isStated ? { 'content-length': String(size) } : {}
      stream.setTimeout = () => stream
      stream.write('x'.repeat(size - 1))
      if (isWhole) stream.end('x')
      return stream
    }
    const whole = (size: number) => ({ bytes: Buffer.from('x'.repeat(size)) })
    const first = await read(incoming(long))
    const second = read(incoming(long))
    const unknown = read(incoming(long, false))
    for (const isStated of [true, false])
      expect(await read(incoming(short, isStated))).toMatchObject(whole(short))
    expect([await second, await unknown]).toEqual(['busy', 'busy'])
    const third = read(incoming(long, false))
    if (typeof first === 'object') first.release()
    expect(await third).toMatchObject(whole(long))
    expect(await read(incoming(long + 1))).toBe('too_large')
    expect(await read(incoming(long + 1, false))).toBe('busy')
    // Those that stop halfway hold the memory of long ones only.
    const again = createBodyReader({ body: long, memory: long, idle: 1000, wait: 200 })
    for (const isStated of [true, false, false]) void again(incoming(long, isStated, false))
    expect(await again(incoming(short, false))).toMatchObject(whole(short))
  })

  test('for a WebSocket is refused, and the proxy ends within its grace while another streams', async () => {
    const provider = await startProvider((_, outgoing) => outgoing.writeHead(200).write('begun'))
    const { url, port, proxy } = await startProxy(provider.url)
    const upgrade = async (to: string) => {
      const headers = { connection: 'upgrade', upgrade: to }
      const answered = new Promise<IncomingMessage>((resolve, reject) => {
        request({ port, path: '/v1/responses', headers }, resolve).on('error', reject).end()
      })
      return (await answered).statusCode
    }
    expect([await upgrade('websocket'), await upgrade('h2c')]).toEqual([501, 200])
    const answer = await post(url, BODY)
    const startedAt = performance.now()
    await proxy.close(100)
    expect(performance.now() - startedAt).toBeLessThan(5000)
    await expect(answer.text()).rejects.toThrow()
  })
})

test('a record has no secret, is for its user alone, and survives a torn line', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'record-'))
  const key = `sk-proj-${'a1B2c3D4'.repeat(6)}`
  const mcp_servers = [{ authorization_token: 'hunter2', headers: { 'X-Any': 'hunter3' } }]
  // What describes a parameter of this name is no secret.
  const password = { type: 'string', description: 'of the database' }
  const named = { http_headers: [['X-Any', 'hunter6']], api_key: ['hunter7'], DB_PASS: 'hunter8' }
  const said = `password=hunter2-x4 and ${key}`
  const text = JSON.stringify({
    ...{ model: 'm', max_tokens: 7, prompt_cache_key: 'one', mcp_servers, xApiKeyNow: 'hunter5' },
    ...{ ...named, tools: [{ password }], [key]: 1, AZURE_KEY: 'a1B2c3D4e5F6'.repeat(3) },
    messages: [...turn('a', said), ...turn('b', `again ${key}`, '{"hunter2-x4": 1}')],
  })
  const record = createRecorder(folder)
  const summary = { path: '/v1', status: 200, masking: 'masked', maskedResults: 0 } as const
  const write = () =>
    record({ request: Buffer.from(text), response: undefined, summary, headers: {}, at: 'now' })
  await write()
  const [name] = readdirSync(folder)
  const file = join(folder, name as string)
  const [line] = readFileSync(file, 'utf8').split('\n')
  expect(line).not.toMatch(/hunter|sk-proj|a1B2c3D4/)
  expect(line).toContain(JSON.stringify({ password }))
  expect(line).toContain('"max_tokens":7,"prompt_cache_key":"one"')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  writeFileSync(file, `${line}\n${line?.slice(0, 50)}`)
  await write()
  const again = '{"at":"now","path":"/v1","status":200,"masking":"masked","masked_results":0'
  const nothing = `${again},"continues":true,"request":{"messages":[]}}`
  expect(readFileSync(file, 'utf8').split('\n')).toEqual([line, line?.slice(0, 50), nothing, ''])
  rmSync(file)
  symlinkSync(join(folder, 'elsewhere'), file)
  await expect(write()).rejects.toThrow('ELOOP')
  rmSync(file)
  writeFileSync(file, '')
  const impossible = process.platform === 'linux' ? ['/proc/logs', '/proc/a/logs'] : []
  for (const path of [file, join(file, 'logs'), ...impossible])
    expect(() => openRecords(path, () => {})).toThrow(
      `--record is "${path}"; expected a folder for request logs (E`,
    )
  const within = join(folder, 'new', 'logs')
  openRecords(within, () => {})
  expect(statSync(join(folder, 'new')).mode & 0o777).toBe(0o700)
  expect(statSync(within).mode & 0o777).toBe(0o700)
  rmSync(folder, { recursive: true })
})
