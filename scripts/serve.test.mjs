import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withPolicy } from './content-security-policy.mjs'
import { createStaticServer, listen, readPort } from './serve.mjs'

let folder = ''
const servers = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'serve-'))
  const files = {
    '../secret.txt': 'secret',
    '.build-inputs': 'hidden',
    'index.html': 'home',
    'about.html': 'about',
    'scripted.html': withPolicy('<head></head><script>a()</script>'),
    '404.html': 'missing',
    'service-worker.js': 'worker()',
    'guide/index.html': 'guide',
    '_next/static/a.js': 'a.js',
  }
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, 'site', name)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, text)
  }
})

afterAll(async () => {
  for (const server of servers) server.close()
  await rm(folder, { recursive: true })
})

/** As fetch, but it sends the path as it is: fetch resolves ".." before sending. */
async function ask(path, { method = 'GET', basePath = '', hostOf } = {}) {
  const server = createStaticServer(join(folder, 'site'), basePath)
  servers.push(server)
  const port = await listen(server, 0)
  return new Promise((resolve, reject) => {
    const headers = hostOf === undefined ? {} : { host: hostOf(port) }
    const options = { host: '127.0.0.1', port, path, method, headers, agent: false }
    const sent = request(options, (response) => {
      const chunks = []
      response.on('data', (chunk) => chunks.push(chunk))
      response.on('end', () => {
        const body = Buffer.concat(chunks).toString('utf8')
        resolve({ status: response.statusCode, headers: response.headers, body })
      })
    })
    sent.on('error', reject).end()
  })
}

describe('createStaticServer', () => {
  test.each([
    ['/', 'home'],
    ['/?policy=1', 'home'],
    ['/about', 'about'],
    ['/about.html', 'about'],
    ['/guide', 'guide'],
    ['/guide/', 'guide'],
    ['/_next/static/a%2Ejs', 'a.js'],
  ])('answers %s', async (path, body) => {
    expect(await ask(path)).toMatchObject({ status: 200, body })
  })

  test('lets hashed files be kept for good and asks again for pages', async () => {
    expect((await ask('/_next/static/a.js')).headers['cache-control']).toContain('immutable')
    for (const path of ['/', '/_next/static/gone.js'])
      expect((await ask(path)).headers['cache-control']).toBe('no-cache')
  })

  test.each([
    ...['/../secret.txt', '/%2e%2e/secret.txt', '/..%2fsecret.txt', '/guide/../../secret.txt'],
    ...['/.build-inputs', '/nowhere', '/_next/static/'],
    ...['/%', '/%00', '/..%5csecret.txt'],
  ])('answers %s with the page for what is missing', async (path) => {
    expect(await ask(path)).toMatchObject({ status: 404, body: 'missing' })
  })

  test('answers HEAD without a body and refuses to be written to', async () => {
    const head = await ask('/about', { method: 'HEAD' })
    expect(head).toMatchObject({ status: 200, body: '' })
    expect(head.headers['content-length']).toBe('5')
    expect((await ask('/about', { method: 'POST' })).status).toBe(405)
  })

  test('sends the policy of a page as a header too, and forbids frames', async () => {
    const { body, headers } = await ask('/scripted')
    const [, inPage] = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(body)
    expect(inPage).toContain('sha256-')
    expect(headers['content-security-policy']).toBe(`${inPage}; frame-ancestors 'none'`)
    expect((await ask('/_next/static/a.js')).headers['content-security-policy']).toBe(
      "default-src 'none'; frame-ancestors 'none'",
    )
    expect((await ask('/service-worker.js')).headers['content-security-policy']).toBe(
      "default-src 'none'; connect-src 'self'; frame-ancestors 'none'",
    )
  })

  test.each(['/', '/_next/static/a.js', '/nowhere'])(
    'answers %s without a referrer, an opener or a guessed type',
    async (path) => {
      expect((await ask(path)).headers).toMatchObject({
        'cross-origin-opener-policy': 'same-origin',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
      })
    },
  )

  const names = ['127.0.0.1', 'localhost', 'LOCALHOST', '[::1]']
  test.each(names)('answers a request to this machine: %s', async (name) => {
    expect((await ask('/', { hostOf: (port) => `${name}:${port}` })).status).toBe(200)
  })

  test.each([
    (port) => `rebound.example:${port}`,
    (port) => `127.0.0.1.rebound.example:${port}`,
    (port) => `localhost.:${port}`,
    (port) => `127.0.0.1:${port + 1}`,
    () => '127.0.0.1',
    () => 'localhost',
  ])('refuses a request to another host or port: %s', async (hostOf) => {
    const { status, body } = await ask('/', { hostOf })
    expect(status).toBe(403)
    expect(body).toContain('must be one of 127.0.0.1, localhost, [::1], with its port.')
  })

  test('serves below a base path', async () => {
    const basePath = '/playground'
    expect((await ask('/', { basePath })).headers.location).toBe('/playground/')
    expect((await ask('/playground/', { basePath })).body).toBe('home')
    expect((await ask('/playground/about', { basePath })).body).toBe('about')
    expect((await ask('/about', { basePath })).status).toBe(404)
    expect((await ask('/playgrounds/about', { basePath })).status).toBe(404)
  })
})

test('sends a reader of ?embed to the page that may be in a frame', async () => {
  expect((await ask('/?embed')).headers.location).toBe('/embed')
  expect((await ask('/base/?embed=1', { basePath: '/base' })).headers.location).toBe('/base/embed')
  expect((await ask('/?embedded')).body).toBe('home')
  expect((await ask('/about?embed')).body).toBe('about')
})

test('a taken port gives the next free one', async () => {
  const first = createStaticServer(folder)
  const second = createStaticServer(folder)
  servers.push(first, second)
  const port = await listen(first, 0)
  expect(await listen(second, port)).toBeGreaterThan(port)
})

test.each([
  [[], {}, 3000],
  [[], { PORT: '' }, 3000],
  [[], { PORT: '8080' }, 8080],
  [['--port', '4000'], { PORT: '8080' }, 4000],
  [['--port=4000'], {}, 4000],
  [['--port', '0'], {}, 0],
  [['4000'], {}, 4000],
])('reads %j with %j as %i', (args, env, port) => {
  expect(readPort(args, env)).toBe(port)
})

test.each([
  [['--port', 'abc'], {}, '--port is "abc"'],
  [['--port'], {}, '--port is ""'],
  [['--port='], {}, '--port is ""'],
  [['--port', '65536'], {}, '--port is "65536"'],
  [['--port', '-1'], {}, '--port is "-1"'],
  [['--port', '3.5'], {}, '--port is "3.5"'],
  [[], { PORT: '3000 ' }, 'PORT is "3000 "'],
])('refuses %j with %j', (args, env, found) => {
  expect(() => readPort(args, env)).toThrow(
    new Error(`${found}; a port is a whole number from 0 to 65535.`),
  )
})

test('names a wrong option and the right one', () => {
  const sentence =
    '"--prot=1" is not an option here; the only one is --port N (npm start -- --port N).'
  expect(() => readPort(['--prot=1'], {})).toThrow(new Error(sentence))
})
