/** Nothing pasted can leave: every way out of the page and of its workers is tried against a server that listens. */
import { createSocket } from 'node:dgram'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Worker } from '@playwright/test'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { expect, test } from './fixtures'
import { PlaygroundPage } from './playground-page'

/** Ways that Chromium has in a worker without a policy, in the order in which they are tried. */
const WAYS_WITHOUT_POLICY = [
  ...['timer-text', 'eval', 'Function', 'import', 'importScripts', 'fetch', 'XMLHttpRequest'],
  ...['WebSocket', 'EventSource', 'FontFace', 'Worker', 'blob-Worker', 'caches'],
]

const CHAT = JSON.stringify([
  { role: 'user', content: 'go' },
  { role: 'assistant', content: 'gone' },
])

test('nothing leaves by the page, its workers or its service worker', async ({ browser }) => {
  const listener = await listen()
  // The fixtures' own context would fail the test for every refusal that is written to the console.
  const context = await browser.newContext()
  try {
    const page = await context.newPage()

    await test.step('without a policy, every way out of a worker reaches the server', async () => {
      await page.goto(`${listener.origin}/page`)
      const worker = page.waitForEvent('worker')
      await page.evaluate(() => {
        new Worker('/worker')
      })
      await (await worker).evaluate(tryWaysOut, listener.origin)
      await expect.poll(() => listener.arrived()).toEqual([...WAYS_WITHOUT_POLICY].sort())
      await expect.poll(() => listener.datagrams()).toBeGreaterThan(0)
    })

    await test.step('in the product, none does', async () => {
      const playground = new PlaygroundPage(page)
      await playground.open()
      // Three workers: the product's own, the file list's with its code for Parquet, and the editor's that compares.
      await playground.button('Diff').click()
      await expect(
        page.getByRole('textbox', { name: /^Conversation and what is sent/ }),
      ).toHaveCount(2)
      await page.evaluate(async () => (await navigator.serviceWorker.ready).active?.state)
      const [serviceWorker] = context.serviceWorkers() as [Worker]
      expect(serviceWorker.url()).toMatch(/\/service-worker\.js$/)
      listener.forget()
      const outcomes: Record<string, string>[] = []
      const tried = new Set<Worker>()
      const tryNewWorkers = async (count: number) => {
        const untried = () => page.workers().filter((worker) => !tried.has(worker))
        await expect.poll(() => untried().length).toBe(count)
        for (const worker of untried()) {
          tried.add(worker)
          expect(worker.url()).toMatch(/^blob:/)
          outcomes.push(await worker.evaluate(tryWaysOut, listener.origin))
          // A worker that starts from an address has only the policy in its headers.
          expect(outcomes.at(-1)?.Worker).toMatch(/Worker is not (defined|a constructor)/)
        }
      }
      await tryNewWorkers(2)
      const columnData = [{ name: 'messages', data: [CHAT, CHAT], type: 'STRING' as const }]
      const buffer = Buffer.from(parquetWriteBuffer({ columnData }))
      const file = { name: 'runs.parquet', mimeType: 'application/octet-stream', buffer }
      await page.locator('input[type=file]:not([webkitdirectory])').first().setInputFiles(file)
      await expect(playground.files).toContainText('2 transcripts')
      // The list is a page of its own, on which the editors and their worker have ended.
      await tryNewWorkers(1)
      // The page can start workers, so it is tried last.
      outcomes.push(await page.evaluate(tryWaysOut, listener.origin))
      outcomes.push(await serviceWorker.evaluate(tryWaysOut, listener.origin))
      await fetch(`${listener.origin}/way/last`)
      expect(listener.arrived()).toEqual(['last'])
      expect(listener.datagrams()).toBe(0)
      // Only the policy refuses these two.
      for (const outcome of outcomes) {
        expect(outcome.eval).toContain('EvalError')
        expect(outcome.import).toContain('TypeError')
      }
    })

    await test.step('once the service worker is there, a second policy refuses workers from addresses', async () => {
      const refused = await page.evaluate(
        () =>
          new Promise((resolve) => {
            // The page hides the browser's own constructor; a new frame has one.
            const { contentWindow, contentDocument } = document.body.appendChild(
              document.createElement('iframe'),
            )
            contentDocument?.addEventListener('securitypolicyviolation', (event) =>
              resolve(event.effectiveDirective),
            )
            const scope = contentWindow as unknown as typeof globalThis
            new scope.Worker(new URL('icon.svg', location.href))
          }),
      )
      expect(refused).toBe('worker-src')
    })

    await test.step('the page has no WebRTC', async () => {
      const names = await page.evaluate(() =>
        Object.getOwnPropertyNames(globalThis).filter((name) => name.includes('RTC')),
      )
      expect(names).toEqual([])
    })
  } finally {
    await context.close()
    listener.close()
  }
})

/** Tries every way to reach `origin` from a page or a worker; resolves with how each ended. */
async function tryWaysOut(origin: string): Promise<Record<string, string>> {
  const scope = globalThis as typeof globalThis & { importScripts: (url: string) => void }
  const ended = (target: EventTarget) =>
    new Promise((resolve) => {
      for (const type of ['open', 'load', 'message', 'close', 'error'])
        target.addEventListener(type, () => resolve(type), { once: true })
    })
  const ways: readonly (readonly [string, (url: string) => unknown])[] = [
    ['timer-text', (url) => setTimeout(`import("${url}")`)],
    // biome-ignore lint/security/noGlobalEval: The policy has to refuse it.
    ['eval', (url) => globalThis.eval(`import("${url}")`)],
    ['Function', (url) => new Function(`return import("${url}")`)()],
    ['import', (url) => import(url)],
    ['importScripts', (url) => scope.importScripts(url)],
    ['fetch', (url) => fetch(url)],
    [
      'XMLHttpRequest',
      (url) => {
        const request = new XMLHttpRequest()
        request.open('GET', url)
        request.send()
        return ended(request)
      },
    ],
    ['WebSocket', (url) => ended(new WebSocket(url.replace('http', 'ws')))],
    ['WebTransport', (url) => new WebTransport(url.replace('http', 'https')).ready],
    ['EventSource', (url) => ended(new EventSource(url))],
    ['sendBeacon', (url) => navigator.sendBeacon(url, 'text')],
    ['FontFace', (url) => new FontFace('font', `url(${url})`).load()],
    ['Image', (url) => ended(Object.assign(new Image(), { src: url }))],
    ['Worker', (url) => ended(new Worker(url))],
    [
      'blob-Worker',
      (url) => {
        const blob = new Blob([`importScripts("${url}")`], { type: 'text/javascript' })
        return ended(new Worker(URL.createObjectURL(blob)))
      },
    ],
    ['service-worker-message', (url) => navigator.serviceWorker.controller?.postMessage(url)],
    [
      'background-fetch',
      async (url) => {
        const registration = await navigator.serviceWorker.ready
        return Object(registration).backgroundFetch.fetch('ways-out', url)
      },
    ],
    ['SharedWorker', (url) => ended(new SharedWorker(url))],
    ['caches', async (url) => (await caches.open('ways-out')).add(url)],
  ]
  const outcomes: Record<string, string> = {}
  // Code that a debugger evaluates may call eval in spite of the policy; what a timer continues may not.
  await new Promise((resolve) => setTimeout(resolve, 0))
  for (const [name, tryWay] of ways) {
    try {
      outcomes[name] = `ended: ${await tryWay(`${origin}/way/${name}`)}`
    } catch (error) {
      outcomes[name] = String(error)
    }
  }
  return outcomes
}

/** A server that lets everyone in and remembers which ways reached it, over TCP and as datagrams. */
async function listen() {
  const arrived = new Set<string>()
  let datagrams = 0
  const server = createServer((request, response) => {
    const [, folder, name = ''] = request.url?.split('/') ?? []
    if (folder === 'way') arrived.add(name)
    const type = folder === 'page' ? 'text/html' : 'text/javascript'
    response.writeHead(200, { 'Content-Type': type, 'Access-Control-Allow-Origin': '*' })
    response.end(name.endsWith('Worker') ? 'self.postMessage?.("ready")' : '')
  })
  server.on('upgrade', (request, socket) => {
    arrived.add(request.url?.split('/')[2] ?? '')
    socket.destroy()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const socket = createSocket('udp4', () => {
    datagrams += 1
  })
  await new Promise<void>((resolve) => socket.bind(port, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${port}`,
    arrived: () => [...arrived].sort(),
    datagrams: () => datagrams,
    forget: () => {
      arrived.clear()
      datagrams = 0
    },
    close: () => {
      server.close()
      server.closeAllConnections()
      socket.close()
    },
  }
}
