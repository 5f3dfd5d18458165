/** The page beside an agent: the command, a provider, and a client that sends ever longer requests. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Page } from '@playwright/test'
import { startProviderServer, turn } from '../lib/core/testing/provider-server'
import { expect, expectAccessible, expectFitsPage, test } from './fixtures'
import { PlaygroundPage } from './playground-page'

const LONG = 'a line of what the tool has read\n'.repeat(120)

/** Starts `watch` without a command; `address` has the token. */
async function startWatch(target: string, port = '0', ...flags: readonly string[]) {
  const args = ['scripts/run.mjs', 'lib/cli/main.ts', 'watch', '--no-open', '--port', port]
  const child = spawn(process.execPath, [...args, '--openai', target, ...flags], { stdio: 'pipe' })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (piece: string) => (said += piece))
  while (!said.includes('claude ')) await once(child.stderr, 'data')
  const [, address = '', url = ''] = /beside the agent: ((\S+)\/watch\S+)/.exec(said) ?? []
  return { child, address, url, said: () => said }
}

/** Sends a request with this many turns, as an agent does. */
async function send(
  url: string,
  turns: number,
  { asked = '', question = 'Read all parts', ...more }: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const messages = [
    { role: 'system', content: 'You read files.' },
    { role: 'user', content: question },
    ...Array.from({ length: turns }, (_, at) => turn(`call_${at}`, `part ${at}\n${LONG}`)).flat(),
    ...(asked === '' ? [] : [{ role: 'user', content: asked }]),
  ]
  const headers = { 'content-type': 'application/json', authorization: 'Bearer secret-key-1' }
  const body = JSON.stringify({ model: 'gpt-5', messages, ...more })
  const answer = await fetch(`${url}/v1/chat/completions`, { method: 'POST', headers, body })
  expect(answer.status).toBe(200)
  await answer.text()
}

const scrollOf = (page: Page) =>
  page
    .locator('.monaco-editor .view-lines')
    .first()
    .evaluate((lines) => {
      return Math.round(lines.getBoundingClientRect().top)
    })

test('the page follows an agent, applies a policy to it, and says when the connection is lost', async ({
  browser,
  watch,
}) => {
  const provider = await startProviderServer({ isStrict: true })
  let running: ChildProcess | undefined
  try {
    const { child, address, url, said } = await startWatch(provider.baseUrl)
    running = child
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
    await watch(context, url)
    const page = await context.newPage()
    const playground = new PlaygroundPage(page)
    await page.goto(address)
    const strip = page.getByRole('region', { name: 'Beside the agent' })
    await expect(strip).toContainText('No request yet')
    expect(page.url()).not.toContain('token')

    for (let turns = 1; turns <= 12; turns++) await send(url, turns)
    await expect(strip).toContainText('12 requests')
    await expect(strip.getByRole('combobox')).toContainText('Read all parts')
    await expect(page.getByRole('region', { name: 'Verdict' })).toContainText('Leave masking off')
    await expect(strip).toContainText('The agent sends everything')

    // Setting, selection and scroll stay while it grows.
    await page.getByRole('switch', { name: 'Masking' }).click()
    await playground.window.fill('3')
    await playground.window.press('Enter')
    await page.locator('.monaco-editor').first().hover()
    const top = await scrollOf(page)
    await page.mouse.wheel(0, 2000)
    await expect.poll(() => scrollOf(page)).toBeLessThan(top)
    const before = await scrollOf(page)
    await send(url, 13)
    await expect(strip).toContainText('13 requests')
    await playground.shows(/13 turns/)
    await expect(playground.window).toHaveValue('3')
    expect(await scrollOf(page)).toBe(before)
    await expectAccessible(page, '[aria-label="Beside the agent"]')

    await strip.getByRole('button', { name: 'Apply to the agent' }).click()
    await expect(strip).toContainText('The agent uses the settings of this page')
    expect(said()).toContain('older than 3 turns are masked')
    await send(url, 14)
    await strip.getByRole('button', { name: 'Take back' }).click()
    await expect(strip).toContainText('The agent sends everything')
    await send(url, 15)
    const sent = provider.texts.map((text) => text.includes('part 0'))
    expect(sent.slice(-3)).toEqual([true, false, true])

    // A reload goes on where it was.
    await expect(strip).toContainText('15 requests')
    await page.reload()
    await expect(strip).toContainText('15 requests')
    await expect(playground.window).toHaveValue('3')
    await send(url, 16)
    await expect(strip).toContainText('16 requests')

    // Loads the editors.
    for (const at of [1, 2]) await page.mouse.move(at, at)
    // What the user writes stays, and the page no longer follows.
    await page.locator('.monaco-editor').first().click()
    await page.keyboard.press('Control+End')
    await page.keyboard.insertText('\n{"role":"user","content":"mine"}')
    await send(url, 17)
    await expect(strip).toContainText('does not follow')
    await strip.getByRole('button', { name: 'Follow again' }).click()
    await expect(strip).toContainText('17 requests')

    // A request for a summary is sent whole.
    await strip.getByRole('button', { name: 'Apply to the agent' }).click()
    await send(url, 18)
    await expect(strip).toContainText('18 requests')
    await expect(strip).toContainText('The agent uses the settings of this page')
    await send(url, 18, { asked: 'CONTEXT CHECKPOINT COMPACTION' })
    await expect(strip).toContainText('sent with 0 results masked; the settings here mask 15')

    for (const [width, height] of [
      [1440, 900],
      [390, 844],
    ] as const) {
      await page.setViewportSize({ width, height })
      await expect(strip).toBeVisible()
      await expectFitsPage(page)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        if (process.env.SHOTS)
          await page.screenshot({ path: `${process.env.SHOTS}/watch-${width}-${colorScheme}.png` })
      }
    }
    await page.getByRole('button', { name: 'Français' }).click()
    await expect(page.getByRole('region', { name: 'À côté de l’agent' })).toContainText(
      '19 requêtes',
    )
    await page.close()
    await context.close()
  } finally {
    running?.kill('SIGTERM')
    await provider.close()
  }
  const [code] = running?.exitCode === null ? await once(running, 'exit') : [running?.exitCode]
  expect(code).toBe(0)
})

test('the page goes where the agent goes, comes back to a proxy that is started again, and says when a run has ended', async ({
  browser,
}, info) => {
  const provider = await startProviderServer({ isStrict: true, pause: 500 })
  const kept = ['--record', info.outputPath('kept')]
  let running: ChildProcess | undefined
  try {
    const { child, address, url } = await startWatch(provider.baseUrl, '0', ...kept)
    running = child
    // Its console has the refused connections.
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
    const page = await context.newPage()
    const playground = new PlaygroundPage(page)
    await page.goto(address)
    const strip = page.getByRole('region', { name: 'Beside the agent' })
    const list = strip.getByRole('combobox')
    for (const turns of [1, 2]) await send(url, turns)
    await expect(strip).toContainText('2 requests')
    const sent = send(url, 3, { stream: true })
    await expect(strip).toContainText('A request waits for its answer')
    await sent
    await expect(strip).not.toContainText('waits')

    // After a compaction.
    const summary = { question: 'Go on from this summary' }
    await send(url, 0, summary)
    await expect(list).toContainText('Read all parts')
    await send(url, 1, summary)
    await expect(list).toContainText('Go on from')
    await playground.shows(/1 turn/)
    await list.click()
    await page.getByRole('option', { name: /Read all parts/ }).click()
    await playground.shows(/3 turns/)
    for (const turns of [2, 3]) await send(url, turns, summary)
    await expect(strip).toContainText('it goes on in another conversation')
    await playground.shows(/3 turns/)
    await expectAccessible(page, '[aria-label="Beside the agent"]')
    await strip.getByRole('button', { name: 'Follow the agent' }).click()
    await expect(list).toContainText('Go on from')
    await expect(strip).toContainText('4 requests')

    child.kill('SIGKILL')
    await once(child, 'exit')
    await expect(strip).toContainText('No connection')
    const { port } = new URL(url)
    running = (await startWatch(provider.baseUrl, port, ...kept)).child
    await expect(strip).toContainText('Live')
    await send(url, 4, summary)
    await expect(strip).toContainText('5 requests')
    await playground.shows(/4 turns/)
    const ended = once(running, 'exit')
    running.kill('SIGTERM')
    await ended
    await expect(strip).toContainText('No connection')
    await playground.shows(/4 turns/)

    // Another run, with sessions of its own, does not know this page.
    running = (await startWatch(provider.baseUrl, port)).child
    await expect
      .poll(() => page.evaluate(() => fetch('/watch/events').then(({ status }) => status)))
      .toBe(403)
    await expect(strip).toContainText('This run has ended')
    await context.close()
  } finally {
    running?.kill('SIGTERM')
    await provider.close()
  }
})
