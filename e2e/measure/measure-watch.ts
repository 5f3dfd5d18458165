/**
 * The page beside an agent that sends a thousand requests, reloaded and with its proxy killed on the way: memory, steps of
 * the edge of the window, and whether anything is lost. `npm run measure-watch`; `GAP=3600` takes an hour.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type Browser, type CDPSession, expect, type Page, test } from '@playwright/test'
import { startProviderServer } from '../../lib/core/testing/provider-server'
import { markdownTable } from '../../scripts/measure/testing/tables'
import { makeMessages, sampledShape } from '../../scripts/measure/testing/transcripts'
import { PlaygroundPage } from '../playground-page'
import { measureSteps } from './main-thread'

const REQUESTS = Number(process.env.REQUESTS ?? 1000)
/** Milliseconds from one request to the next. */
const GAP = Number(process.env.GAP ?? 300)
const MARKS = 10

/** Starts the command; resolves with what it says once it listens. */
async function startWatch(target: string, port: number, record: string) {
  const flags = ['--no-open', '--port', String(port), '--record', record, '--openai', target]
  const args = ['scripts/run.mjs', 'lib/cli/main.ts', 'watch', ...flags]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (piece: string) => (said += piece))
  while (!said.includes('claude ')) await once(child.stderr, 'data')
  const [, address = ''] = /beside the agent: (\S+)/.exec(said) ?? []
  return { child, address }
}

/** Kibibytes in use by a process and its children. */
function residentOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ')
  const own = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1])
  return children.reduce((sum, child) => sum + (child.trim() ? residentOf(Number(child)) : 0), own)
}

/** Megabytes: heap of the page after a collection, renderer, and the command. */
async function memoryOf(browser: Browser, session: CDPSession, child: ChildProcess) {
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  const whole = await browser.newBrowserCDPSession()
  const { processInfo } = await whole.send('SystemInfo.getProcessInfo')
  await whole.detach()
  const renderers = processInfo.filter(({ type }) => type === 'renderer')
  const inMegabytes = (kibibytes: number) => (kibibytes * 1024) / 1e6
  return {
    'page heap': usedSize / 1e6,
    renderer: inMegabytes(Math.max(...renderers.map(({ id }) => residentOf(id)))),
    watch: inMegabytes(residentOf(child.pid ?? 0)),
  }
}

const inWords = (memory: Record<string, number>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(memory).map(([name, value]) => [name, `${value.toFixed(1)} MB`]),
  )

const isCounted = (page: Page) =>
  page.waitForFunction(() => {
    const meters = document.querySelector('[aria-label="Effect of masking"]')
    return (
      meters?.closest('[aria-busy=true]') === null &&
      meters.querySelector('[role=progressbar][aria-label^="Counting"], .opacity-45') === null &&
      /\d tokens/.test(meters.textContent ?? '')
    )
  })

/** The editors are loaded once the mouse moves. */
const loadEditors = async (page: Page) => {
  for (const at of [1, 2]) await page.mouse.move(at, at)
  await expect(page.locator('.monaco-editor').first()).toBeVisible({ timeout: 60_000 })
}

test('a thousand requests', async ({ playwright, launchOptions }, info) => {
  const folder = info.outputPath('watched')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const provider = await startProviderServer({ isStrict: true, pause: 200 })
  let { child, address } = await startWatch(provider.baseUrl, 0, folder)
  const { origin, port } = new URL(address)
  const browser = await playwright.chromium.launch(launchOptions)
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    serviceWorkers: 'block',
  })
  const page = await context.newPage()
  const playground = new PlaygroundPage(page)
  await page.goto(address)
  await loadEditors(page)
  let session = await context.newCDPSession(page)
  const strip = page.getByRole('region', { name: 'Beside the agent' })
  const messages = makeMessages(sampledShape(REQUESTS, 2000))
  const rows: Record<string, string>[] = []
  const steps: Record<string, Record<string, number>> = {}
  const shows = (requests: number) =>
    expect(strip).toContainText(new RegExp(`\\b${requests.toLocaleString('en')} requests`), {
      timeout: 120_000,
    })
  const send = async (requests: number, stream = false) => {
    const sent = messages.slice(0, requests * 2 - 1)
    const body = JSON.stringify({ model: 'gpt-5.1', stream, messages: sent })
    const headers = { 'content-type': 'application/json', authorization: 'Bearer secret-key-1' }
    // As clients do while a server is away.
    for (;;) {
      const asked = fetch(`${origin}/v1/chat/completions`, { method: 'POST', headers, body })
      const answered = asked.then(async (answer) => answer.ok && (await answer.text()) !== '')
      if (await answered.catch(() => false)) return
      await wait(200)
    }
  }
  let lag = 0
  for (let requests = 1; requests <= REQUESTS; requests++) {
    const started = performance.now()
    if (requests === Math.round(REQUESTS * 0.6)) {
      // In the middle of an answer; the one before is written.
      await shows(requests - 1)
      const under = send(requests, true)
      while (provider.texts.length === 0) await wait(0)
      child.kill('SIGKILL')
      await once(child, 'exit')
      await expect(strip).toContainText('No connection')
      ;({ child } = await startWatch(provider.baseUrl, Number(port), folder))
      await under
      await expect(strip).toContainText('Live', { timeout: 30_000 })
    } else await send(requests)
    // The provider of the test keeps all bodies.
    for (const kept of [provider.texts, provider.taken]) kept.length = 0
    if (requests === Math.round(REQUESTS * 0.4)) {
      await page.reload()
      await loadEditors(page)
      await session.detach()
      session = await context.newCDPSession(page)
    }
    if (requests % Math.round(REQUESTS / MARKS) === 0 || requests === 20) {
      const sent = performance.now()
      await shows(requests)
      await isCounted(page)
      lag = performance.now() - sent
      const memory = await memoryOf(browser, session, child)
      rows.push({
        requests: String(requests),
        ...inWords(memory),
        'shown after': `${lag.toFixed(0)} ms`,
      })
      console.error(JSON.stringify(rows.at(-1)))
    }
    if (requests === Math.round(REQUESTS / MARKS))
      steps[`live, after ${requests}`] = await measureSteps(browser, page)
    await wait(Math.max(0, GAP - (performance.now() - started)))
  }
  steps[`live, after ${REQUESTS}`] = await measureSteps(browser, page)
  const atEnd = await memoryOf(browser, session, child)
  rows.push({ requests: `${REQUESTS}, after the drag`, ...inWords(atEnd) })
  const recorded = readdirSync(folder).filter((name) => name.endsWith('.jsonl'))
  expect(recorded).toHaveLength(1)
  const path = join(folder, recorded[0] as string)

  const second = await playwright.chromium.launch(launchOptions)
  const visitor = await second.newContext({
    viewport: { width: 1440, height: 900 },
    serviceWorkers: 'block',
  })
  const other = await visitor.newPage()
  await other.goto(`${origin}/#v=2`)
  await other.locator('input[type=file]').first().setInputFiles(path)
  await new PlaygroundPage(other).shows(recorded[0] as string)
  await isCounted(other)
  await loadEditors(other)
  const stepsFromDisk = await measureSteps(second, other)
  const fromDisk = await memoryOf(second, await visitor.newCDPSession(other), child)
  rows.push({ requests: 'the file from disk', ...inWords(fromDisk) })
  steps['the file from disk'] = stepsFromDisk
  await second.close()

  console.log(`\n${markdownTable(rows)}\n`)
  const table = Object.entries(steps).map(([name, measured]) => ({
    '': name,
    ...Object.fromEntries(
      Object.entries(measured).map(([row, value]) => [row, `${value.toFixed(1)} ms`]),
    ),
  }))
  console.log(`${markdownTable(table)}\n`)

  // With masking off, what is sent is the text.
  const masking = page.getByRole('switch', { name: 'Masking' })
  if ((await masking.getAttribute('aria-checked')) === 'true') await masking.click()
  const text = (await playground.download()).toString('utf8')
  expect(text).toBe(readFileSync(path, 'utf8'))
  const lines = text.trimEnd().split('\n')
  const written = lines.map((line) => JSON.parse(line))
  const wholes = written.filter(({ continues }) => continues !== true).length
  const sent = written.flatMap(({ request }) => request.messages)
  console.log(`${lines.length} lines, ${wholes} whole, ${(text.length / 1e6).toFixed(1)} MB`)
  expect(sent).toEqual(messages.slice(0, REQUESTS * 2 - 1))
  await expect(playground.badge).toHaveAccessibleName(new RegExp(`${REQUESTS - 1} turns`))
  await browser.close()
  child.kill('SIGTERM')
  await once(child, 'exit')
  await provider.close()
})
