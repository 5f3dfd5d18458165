/** Firefox, driven with WebDriver BiDi, which it speaks itself: no driver has to be installed. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { WebSocket } from 'undici'
import { type Engine, NotHereError, startProgram } from './engine'

const PLACES = [process.env.FIREFOX, '/usr/bin/firefox-esr', '/usr/bin/firefox']

interface Answer {
  readonly id?: number
  readonly method?: string
  readonly result?: unknown
  readonly message?: string
  readonly params?: { readonly level?: string; readonly text?: string }
}

export async function startFirefox(size: {
  readonly width: number
  readonly height: number
}): Promise<Engine> {
  const path = PLACES.find((place) => place !== undefined && existsSync(place))
  if (path === undefined) throw new NotHereError('it is not installed (package firefox-esr)')
  const profile = mkdtempSync(join(tmpdir(), 'firefox-'))
  const program = startProgram(path, [
    ...['--headless', '--no-remote', '--profile', profile],
    ...['--remote-debugging-port', '0', 'about:blank'],
  ])
  const stop = async () => {
    await program.stop()
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
  }
  try {
    const address = await program.says(/WebDriver BiDi listening on (ws:\S+)/)
    const errors: string[] = []
    const { send, disconnect } = await connect(`${address}/session`, ({ method, params }) => {
      if (method === 'log.entryAdded' && params?.level === 'error') errors.push(params.text ?? '')
    })
    const { capabilities } = await send<{ capabilities: { browserVersion: string } }>(
      'session.new',
      { capabilities: {} },
    )
    await send('session.subscribe', { events: ['log.entryAdded'] })
    const { contexts } = await send<{ contexts: { context: string }[] }>(
      'browsingContext.getTree',
      {},
    )
    const context = contexts[0]?.context
    await send('browsingContext.setViewport', { context, viewport: size })
    return {
      name: `Firefox ${capabilities.browserVersion}`,
      open: async (url) => {
        await send('browsingContext.navigate', { context, url, wait: 'complete' })
      },
      reload: async () => {
        await send('browsingContext.reload', { context, wait: 'complete' })
      },
      evaluate: async (expression) => {
        const { result, exceptionDetails } = await send<Evaluation>('script.evaluate', {
          expression: `(async () => JSON.stringify((await (${expression})) ?? null))()`,
          target: { context },
          awaitPromise: true,
        })
        if (exceptionDetails !== undefined) throw new Error(exceptionDetails.text)
        return JSON.parse(result?.value ?? 'null')
      },
      act: async (actions) => {
        await send('input.performActions', { context, actions })
      },
      screenshot: async () => {
        const { data } = await send<{ data: string }>('browsingContext.captureScreenshot', {
          context,
        })
        return Buffer.from(data, 'base64')
      },
      errors: async () => errors,
      close: async () => {
        disconnect()
        await stop()
      },
    }
  } catch (error) {
    await stop()
    throw error
  }
}

interface Evaluation {
  readonly result?: { readonly value: string }
  readonly exceptionDetails?: { readonly text: string }
}

/** Sends commands over one socket; `onEvent` receives what is no answer to one. */
async function connect(address: string, onEvent: (event: Answer) => void) {
  const socket = new WebSocket(address)
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener('open', () => resolve())
    socket.addEventListener('error', () => reject(new Error(`No connection to ${address}.`)))
  })
  const waiting = new Map<
    number,
    { resolve: (value: unknown) => void; reject: (e: Error) => void }
  >()
  let last = 0
  socket.addEventListener('message', ({ data }) => {
    const answer = JSON.parse(String(data)) as Answer
    const asked = waiting.get(answer.id ?? 0)
    if (asked === undefined) return onEvent(answer)
    waiting.delete(answer.id ?? 0)
    if (answer.result === undefined) asked.reject(new Error(`Firefox: ${answer.message}`))
    else asked.resolve(answer.result)
  })
  socket.addEventListener('close', () => {
    for (const { reject } of waiting.values()) reject(new Error('Firefox closed the connection.'))
  })
  return {
    send: <Result>(method: string, params: object) =>
      new Promise<Result>((resolve, reject) => {
        last += 1
        waiting.set(last, { resolve: resolve as (value: unknown) => void, reject })
        socket.send(JSON.stringify({ id: last, method, params }))
      }),
    disconnect: () => socket.close(),
  }
}
