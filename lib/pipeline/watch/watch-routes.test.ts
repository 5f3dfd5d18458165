/** The page beside an agent: what it gets, and who gets nothing. */
import {
  appendFileSync,
  chmodSync,
  readFileSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { DEFAULT_POLICY } from '../../core/policy/policy'
import { writePolicyToml } from '../../core/share/toml/policy-toml'
import type { WatchState } from '../../core/share/watched'
import { turn } from '../../core/testing/provider-server'
import { answerOk, endAll, ending, post, startProvider } from '../proxy/testing/start-proxy'
import { ask, enter, makeFolder, readEvents, startWatch } from './testing/start-watch'
import { keptSecret } from './watch-command'

afterEach(endAll)

const KEY = 'sk-proj-a1B2c3D4a1B2c3D4a1B2c3D4a1B2c3D4a1B2c3D4a1B2c3D4'
/** So many characters as a secret has, and more bytes. */
const FOREIGN = '%C3%A9'.repeat(32)
const bodyOf = (turns: number) => {
  const messages = [
    { role: 'user', content: 'Read all parts' },
    ...Array.from({ length: turns }, (_, at) =>
      turn(`call_${at}`, `the text of part ${at}`),
    ).flat(),
  ]
  return JSON.stringify({ model: 'gpt-5', messages })
}

test('a session grows by what each request adds, and no key reaches it', async () => {
  const provider = await startProvider(answerOk)
  const { url, port, addresses } = await startWatch(provider.url)
  const cookie = (await enter(port, addresses.printed)) as string
  const events = await readEvents(url, cookie)
  expect(events.type).toContain('text/event-stream')
  expect(await events.state()).toMatchObject({ sessions: [] })
  const headers = { authorization: `Bearer ${KEY}`, 'x-api-key': KEY }
  await post(url, bodyOf(1), headers)
  const first = await events.session()
  expect(first).toMatchObject({ requests: 1, opening: 'Read all parts' })
  await post(url, bodyOf(2), headers)
  const second = await events.session()
  expect(second).toMatchObject({ id: first.id, requests: 2 })
  const whole = await ask(port, `/watch/sessions/${first.id}`, { cookie })
  expect(whole.headers['cache-control']).toBe('no-store')
  expect(Buffer.byteLength(whole.text)).toBe(second.bytes)
  const tail = await ask(port, `/watch/sessions/${first.id}?from=${first.bytes}`, { cookie })
  expect(whole.text.slice(first.bytes)).toBe(tail.text)
  expect(tail.text).toContain('"continues":true')
  expect(tail.text).toContain('the text of part 1')
  expect(tail.text).not.toContain('the text of part 0')
  expect(whole.text).not.toContain(KEY)
  for (const from of ['-1', '1.5', 'x', String(second.bytes + 1)])
    expect((await ask(port, `/watch/sessions/${first.id}?from=${from}`, { cookie })).status).toBe(
      400,
    )
  expect((await ask(port, '/watch/sessions/..%2fpolicy', { cookie })).status).toBe(404)
})

test('an applied policy masks the next request, and can be taken back; a broken one changes nothing', async () => {
  const provider = await startProvider(answerOk)
  const { url, port, addresses, said } = await startWatch(provider.url)
  const cookie = (await enter(port, addresses.printed)) as string
  const events = await readEvents(url, cookie)
  expect((await events.state()).policy).toMatchObject({ canTakeBack: false })
  await post(url, bodyOf(3))
  const toml = writePolicyToml({ ...DEFAULT_POLICY, enabled: true, windowTurns: 1 })
  const origin = url
  expect((await ask(port, '/watch/policy', { cookie, origin }, toml)).status).toBe(204)
  expect((await events.state(({ policy }) => policy.canTakeBack)).policy.toml).toBe(toml)
  await post(url, bodyOf(3))
  await events.state(({ sessions }) => sessions[0]?.masked === 2)
  // The file of the policy is looked at again meanwhile.
  await sleep(500)
  expect((await (await readEvents(url, cookie)).state()).sessions[0]?.masked).toBe(2)
  const broken = await ask(port, '/watch/policy', { cookie, origin }, 'window_turns = [')
  expect([broken.status, broken.text]).toEqual([400, expect.stringContaining('Line 1')])
  await post(url, bodyOf(3))
  await ask(port, '/watch/policy/back', { cookie, origin }, '')
  await post(url, bodyOf(3))
  const masked = provider.bodies.map((body) => !body.includes('the text of part 1'))
  expect(masked).toEqual([false, true, true, false])
  expect(said.join(' ')).toMatch(/older than 1 turns are masked.*took its policy back/)
})

test('a request that failed, or whose answer broke off, is told until one succeeds', async () => {
  const answers = [500, 'cut', 200, 429]
  const provider = await startProvider((_, outgoing) => {
    const status = answers.shift()
    if (typeof status === 'number') return outgoing.writeHead(status).end('{}')
    outgoing.writeHead(200, { 'content-length': 99 }).write('{')
    return setTimeout(() => outgoing.destroy(), 20)
  })
  const { url, port, addresses } = await startWatch(provider.url)
  const cookie = (await enter(port, addresses.printed)) as string
  const events = await readEvents(url, cookie)
  for (const status of [500, 200, null, 429]) {
    await post(url, bodyOf(1))
      .then((answer) => answer.text(), String)
      .catch(String)
    const isTold = ({ failed }: WatchState) => (failed?.status ?? null) === status
    expect(isTold(await events.state(isTold))).toBe(true)
  }
})

const EVIL = 'https://evil.example'
const CROSS = { 'sec-fetch-site': 'cross-site' }
const STRANGERS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'a fetch of another origin': { origin: EVIL, ...CROSS, 'content-type': 'text/plain' },
  'a fetch with JSON': { origin: EVIL, ...CROSS, 'content-type': 'application/json' },
  'a form': { origin: 'null', ...CROSS, 'content-type': 'application/x-www-form-urlencoded' },
  'an image': CROSS,
  'a page of another port': { origin: 'http://127.0.0.1:3000', 'sec-fetch-site': 'same-site' },
  'an image of another port': { 'sec-fetch-site': 'same-site' },
  'a WebSocket': { origin: EVIL, connection: 'Upgrade', upgrade: 'websocket' },
  'DNS rebinding': { host: 'evil.example:8787' },
  'DNS rebinding of its own page': {
    host: 'evil.example:8787',
    origin: 'http://evil.example:8787',
    'sec-fetch-site': 'same-origin',
  },
}

test.each(Object.entries(STRANGERS))(
  '%s gets nothing, even with the cookie',
  async (_, headers) => {
    const provider = await startProvider(answerOk)
    const { url, port, addresses } = await startWatch(provider.url)
    const cookie = (await enter(port, addresses.printed)) as string
    const events = await readEvents(url, cookie)
    await post(url, bodyOf(1))
    const { id } = await events.session()
    const paths = [
      ...['/', '/watch/events', `/watch/sessions/${id}`, '/health', '/metrics'],
      ...['/v1/models', addresses.printed.slice(url.length)],
    ]
    for (const path of paths) {
      const answer = await ask(port, path, { ...headers, cookie })
      expect([path, answer.status]).toEqual([path, 403])
      expect(answer.text).not.toContain('the text of part')
      expect(answer.headers['set-cookie']).toBeUndefined()
      expect(answer.headers['access-control-allow-origin']).toBeUndefined()
    }
    const toml = writePolicyToml({ ...DEFAULT_POLICY, enabled: true })
    for (const path of ['/watch/policy', '/watch/policy/back', '/v1/chat/completions'])
      expect((await ask(port, path, { ...headers, cookie }, toml)).status).toBe(403)
    expect(
      (await ask(port, '/watch/policy', { ...headers, cookie }, undefined, 'OPTIONS')).status,
    ).toBe(403)
    expect(provider.bodies).toHaveLength(1)
    expect(await (await fetch(`${url}/health`)).json()).toMatchObject({ masking: 'off' })
  },
)

test('without the token there is the page and no session, and the opened address is good once', async () => {
  const provider = await startProvider(answerOk)
  const { url, port, addresses } = await startWatch(provider.url)
  expect((await ask(port, '/')).text).toContain('the page')
  const foreign = `watch-${port}=${'é'.repeat(32)}`
  const wrong = [
    {},
    ...[`watch-${port}=no`, `watching-${port}=1`, foreign].map((cookie) => ({ cookie })),
  ]
  for (const path of ['/watch/events', '/watch/sessions/x', '/watch/other'])
    for (const headers of wrong) expect((await ask(port, path, headers)).status).toBe(403)
  for (const path of ['/watch/policy', '/watch/policy/back'])
    expect((await ask(port, path, {}, 'enabled = true')).status).toBe(403)
  for (const path of ['/watch', '/watch?token=', '/watch?token=no', `/watch?token=${FOREIGN}`])
    expect((await ask(port, path)).status).toBe(403)
  expect(await enter(port, addresses.opened)).toMatch(/^watch-\d+=[\w-]{32}; watching-\d+=1$/)
  expect(await enter(port, addresses.opened)).toBeUndefined()
  const { headers } = await ask(port, addresses.printed.slice(url.length))
  expect(headers['set-cookie']).toMatchObject([
    expect.stringMatching(/; HttpOnly; SameSite=Strict; Path=\/$/),
    expect.stringMatching(/; SameSite=Strict; Path=\/$/),
  ])
  expect(headers.location).toBe('/')
  // What is no page is the provider's.
  await ask(port, '/v1/models')
  expect(provider.bodies).toHaveLength(1)
})

test('a file that another program writes is shown as it grows, and again when written anew', async () => {
  const provider = await startProvider(answerOk)
  const { url, port, addresses, followFile, folder } = await startWatch(provider.url)
  const cookie = (await enter(port, addresses.printed)) as string
  const events = await readEvents(url, cookie)
  const file = join(folder, 'own.jsonl')
  ending.push(followFile(file))
  writeFileSync(file, '{"role":"user"}\n')
  const first = await events.session()
  expect(first).toMatchObject({ bytes: 16, opening: 'own.jsonl' })
  appendFileSync(file, '{"role":"assistant"}\n')
  expect(await events.session()).toMatchObject({ id: first.id, bytes: 37 })
  const tail = await ask(port, `/watch/sessions/${first.id}?from=16`, { cookie })
  expect(tail.text).toBe('{"role":"assistant"}\n')
  writeFileSync(file, '{}\n')
  expect(await events.session()).toMatchObject({ id: first.id, bytes: 3 })
})

test('a request that waits for its answer is told', async () => {
  let answer = () => {}
  const provider = await startProvider((incoming, outgoing, body) => {
    answer = () => answerOk(incoming, outgoing, body)
  })
  const { url, port, addresses } = await startWatch(provider.url)
  const events = await readEvents(url, (await enter(port, addresses.printed)) as string)
  expect((await events.state()).waiting).toBeNull()
  const sent = Date.now()
  const answered = post(url, bodyOf(1))
  const { waiting } = await events.state((state) => state.waiting !== null)
  expect(waiting).toBeGreaterThanOrEqual(sent)
  await expect.poll(() => provider.bodies.length).toBe(1)
  answer()
  await answered
  await events.state(({ waiting }) => waiting === null)
})

test('a run that records where one before did lets its pages in, lists its sessions and goes on with them', async () => {
  const provider = await startProvider(answerOk)
  const folder = makeFolder()
  const before = await startWatch(provider.url, folder, keptSecret(folder))
  const cookie = (await enter(before.port, before.addresses.printed)) as string
  const events = await readEvents(before.url, cookie)
  await post(before.url, bodyOf(1))
  await events.session()
  await post(before.url, bodyOf(2))
  const { id, bytes } = await events.session()
  // A line that was being written when the process was killed.
  appendFileSync(join(folder, `${id}.jsonl`), '{"at":"2026')
  const after = await startWatch(provider.url, folder, keptSecret(folder))
  const own = cookie.replaceAll(String(before.port), String(after.port))
  const again = await readEvents(after.url, own)
  expect((await again.state()).sessions).toEqual([])
  const kept = await ask(after.port, `/watch/sessions/${id}`, { cookie: own })
  expect(kept.text.slice(bytes)).toBe('{"at":"2026')
  await post(after.url, bodyOf(3))
  expect(await again.session()).toMatchObject({ id, requests: 3 })
  const path = `/watch/sessions/${id}?from=${bytes}`
  const [torn, line] = (await ask(after.port, path, { cookie: own })).text.split('\n')
  expect(torn).toBe('{"at":"2026')
  expect(line).toContain('"continues":true')
  expect(line).toContain('the text of part 2')
  expect(line).not.toContain('the text of part 1')
})

test.runIf(process.platform !== 'win32')(
  'the secret of a folder is kept where only its user can read it, and is new anywhere else',
  () => {
    const folder = makeFolder()
    const path = join(folder, '.watch-cookie')
    const first = keptSecret(folder)
    expect([keptSecret(folder), readFileSync(path, 'utf8')]).toEqual([first, first])
    const isOther = () => expect(keptSecret(folder)).toMatch(/^(?!known)[\w-]{32}$/)
    writeFileSync(path, 'known'.padEnd(32, '-'))
    chmodSync(path, 0o644)
    isOther()
    const other = join(folder, 'other')
    writeFileSync(other, 'known'.padEnd(32, '-'), { mode: 0o600 })
    unlinkSync(path)
    symlinkSync(other, path)
    isOther()
    // As a full disk leaves it, or a user.
    unlinkSync(path)
    for (const text of ['', `${'known'.padEnd(32, '-')}\n`]) {
      writeFileSync(path, text, { mode: 0o600 })
      isOther()
    }
    writeFileSync(path, 'known'.padEnd(32, '-'))
    expect(keptSecret(folder)).toContain('known')
    chmodSync(folder, 0o770)
    isOther()
    expect(keptSecret('/proc/none')).toMatch(/^[\w-]{32}$/)
  },
)
