/** What a browser sends for a page of another site is refused before the provider or a number is reached. */
import { request } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { createGuard } from './refuse-strangers'
import { answerOk, BODY, endAll, startProvider, startProxy } from './testing/start-proxy'

afterEach(endAll)

const CROSS = { 'sec-fetch-site': 'cross-site' }
const PAGE = 'https://evil.example'

test.each<[string, Record<string, string>, number]>([
  ['a client', {}, 200],
  ['a client that calls it by name', { host: 'localhost:1' }, 200],
  ['Node, whose fetch says how it fetches', { 'sec-fetch-mode': 'cors' }, 200],
  ['the address typed into a browser', { 'sec-fetch-site': 'none' }, 200],
  ['an allowed page', { origin: 'https://app.example', ...CROSS }, 200],
  ['an allowed name', { host: 'proxy.example:8787' }, 200],
  ['a name that now leads to this machine', { host: 'evil.example:8787' }, 403],
  ['a name that begins like it', { host: '127.0.0.1.evil.example' }, 403],
  ['a post without cors', { origin: PAGE, ...CROSS, 'content-type': 'text/plain' }, 403],
  ['a form', { origin: 'null', ...CROSS }, 403],
  ['a beacon', { origin: PAGE, 'content-type': 'application/json' }, 403],
  ['an image', CROSS, 403],
  [
    'a page of another port',
    { origin: 'http://127.0.0.1:3000', 'sec-fetch-site': 'same-site' },
    403,
  ],
])('%s with %j is answered with %i', async (_, headers, status) => {
  const provider = await startProvider(answerOk)
  const allow = ['https://app.example', 'proxy.example']
  const { port } = await startProxy(provider.url, { allow })
  for (const [method, path] of [
    ['GET', '/metrics'],
    ['GET', '/health'],
    ['POST', '/v1/chat'],
  ] as const) {
    const answered = await new Promise((resolve, reject) => {
      const sent = request({ port, method, path, headers }, (answer) => {
        answer.resume()
        resolve(answer.statusCode)
      })
      sent.on('error', reject).end(method === 'POST' ? BODY : undefined)
    })
    expect([path, answered]).toEqual([path, status])
  }
  expect(provider.bodies.length).toBe(status === 200 ? 1 : 0)
})

test('a proxy for other machines takes any name, and still no page of another site', () => {
  const guard = createGuard([], '0.0.0.0', String)
  expect(guard({ host: 'proxy.internal' })).toBeUndefined()
  expect(guard({ host: 'proxy.internal', origin: PAGE })).toContain(PAGE)
})

test.each<[Record<string, string>, string, string]>([
  [
    { host: 'x.example' },
    'The host is "x.example"; expected this machine',
    ', or a name in --allow',
  ],
  [
    { origin: PAGE },
    `The request is from a page of ${PAGE}; expected none`,
    ', or an origin in --allow',
  ],
  [CROSS, 'The request is from a page of another site; expected none', ', or an origin in --allow'],
])('%j is told of a flag only by a command that has it', (headers, sentence, flag) => {
  const given = { host: 'localhost', ...headers }
  expect(createGuard([], '127.0.0.1', String)(given)).toBe(`${sentence}${flag}.`)
  expect(createGuard([], '127.0.0.1', () => '')(given)).toBe(`${sentence}.`)
})
