/** WebKitGTK, driven with WebDriver over HTTP, on a display that nobody sees. */
import { existsSync, readdirSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { listen } from '../serve.mjs'
import { type Engine, NotHereError, type Program, startProgram } from './engine'

/** WebDriver has no log of the console, so the page keeps its errors itself, from the end of its loading. */
const LISTEN = `(() => {
  if (globalThis.heard !== undefined) return
  const heard = globalThis.heard = []
  const log = console.error
  console.error = (...parts) => {
    heard.push(parts.join(' '))
    log.apply(console, parts)
  }
  addEventListener('error', ({ message }) => heard.push(message))
  addEventListener('unhandledrejection', ({ reason }) => heard.push(String(reason)))
  addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
    heard.push('Policy violation: ' + violatedDirective + ' ' + blockedURI))
})()`
const TAKE_ERRORS = '(globalThis.heard ?? []).splice(0)'

const DRIVER = '/usr/bin/WebKitWebDriver'
const DISPLAY_SERVER = '/usr/bin/Xvfb'

export async function startWebKit(size: {
  readonly width: number
  readonly height: number
}): Promise<Engine> {
  const browser = existsSync(DRIVER) ? miniBrowser() : undefined
  if (browser === undefined)
    throw new NotHereError('it is not installed (package webkit2gtk-driver)')
  if (!existsSync(DISPLAY_SERVER))
    throw new NotHereError('it needs a display (package xvfb is not installed)')
  const programs: Program[] = []
  const stop = async () => {
    for (const program of programs.toReversed()) await program.stop()
  }
  try {
    const screen = ['-screen', '0', '1600x1200x24', '-nolisten', 'tcp', '-displayfd', '1']
    const display = startProgram(DISPLAY_SERVER, screen)
    programs.push(display)
    const env = { ...process.env, DISPLAY: `:${await display.says(/^(\d+)$/)}`, GDK_BACKEND: 'x11' }
    const port = await freePort()
    const driver = startProgram(DRIVER, ['-p', String(port)], { env })
    programs.push(driver)
    const root = `http://127.0.0.1:${port}`
    const { sessionId, capabilities } = await newSession(root, browser)
    const session = `${root}/session/${sessionId}`
    const resize = (rect: object) => send('POST', `${session}/window/rect`, rect)
    await resize(size)
    // The window's bars take a part of its height.
    const inner = (await send('POST', `${session}/execute/sync`, {
      script: 'return [innerWidth, innerHeight]',
      args: [],
    })) as [number, number]
    await resize({
      width: 2 * size.width - inner[0],
      height: 2 * size.height - inner[1],
    })
    const evaluate = async (expression: string) => {
      const script = `const done = arguments[0];
        (async () => (await (${expression})) ?? null)().then(
          (value) => done(JSON.stringify({ value })),
          (error) => done(JSON.stringify({ error: String(error) })))`
      const text = await send<string>('POST', `${session}/execute/async`, { script, args: [] })
      const { value, error } = JSON.parse(text)
      if (error !== undefined) throw new Error(error)
      return value
    }
    const errors: string[] = []
    const load = async (command: 'url' | 'refresh', body: object) => {
      errors.push(...(await evaluate(TAKE_ERRORS)))
      await send('POST', `${session}/${command}`, body)
      await evaluate(LISTEN)
    }
    return {
      name: `WebKitGTK ${capabilities.browserVersion}`,
      open: (url) => load('url', { url }),
      reload: () => load('refresh', {}),
      evaluate,
      act: async (actions) => {
        await send('POST', `${session}/actions`, { actions })
      },
      screenshot: async () =>
        Buffer.from(await send<string>('GET', `${session}/screenshot`), 'base64'),
      errors: async () => {
        errors.push(...(await evaluate(TAKE_ERRORS)))
        return errors
      },
      close: async () => {
        await send('DELETE', session).catch(() => {})
        await stop()
      },
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** The small browser of the package, in a folder named after machine and version. */
function miniBrowser(): string | undefined {
  const folders = readdirSync('/usr/lib').flatMap((machine) =>
    ['webkit2gtk-4.1', 'webkit2gtk-4.0', 'webkitgtk-6.0'].map((name) =>
      join('/usr/lib', machine, name, 'MiniBrowser'),
    ),
  )
  return folders.find((path) => existsSync(path))
}

interface Session {
  readonly sessionId: string
  readonly capabilities: { readonly browserVersion: string }
}

/** The driver does not say when it is ready. */
async function newSession(root: string, binary: string): Promise<Session> {
  for (const end = Date.now() + 30_000; ; ) {
    const isReady = await fetch(`${root}/status`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isReady) break
    if (Date.now() > end) throw new NotHereError(`${DRIVER} did not start in time`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  const options = { 'webkitgtk:browserOptions': { binary, args: ['--automation'] } }
  return send('POST', `${root}/session`, { capabilities: { alwaysMatch: options } })
}

async function send<Value>(method: string, url: string, body?: object): Promise<Value> {
  const response = await fetch(url, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const { value } = (await response.json()) as { value: Value & { message?: string } }
  if (!response.ok) throw new Error(`WebKitWebDriver: ${value.message ?? response.status}`)
  return value
}

async function freePort(): Promise<number> {
  const server = createServer()
  const port = await listen(server, 10_000 + (process.pid % 20_000))
  await new Promise((resolve) => server.close(resolve))
  return port
}
