/** A page of another site in a real browser, beside a proxy that runs: nothing of it may reach the provider or be read. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from '@playwright/test'
import { DEFAULT_POLICY } from '../lib/core/policy/policy'
import { createProxy } from '../lib/pipeline/proxy/create-proxy'

const portOf = async (server: ReturnType<typeof createServer>): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

test('a page of another origin reaches neither the provider nor the metrics', async ({
  playwright,
  launchOptions,
}) => {
  const reached: string[] = []
  const provider = createServer((incoming, outgoing) => {
    reached.push(`${incoming.method} ${incoming.url}`)
    outgoing.setHeader('access-control-allow-origin', '*').end('{"secret":1}')
  })
  const page = createServer((_, outgoing) => {
    outgoing.setHeader('content-type', 'text/html').end('<iframe name="into"></iframe>')
  })
  const pagePort = await portOf(page)
  const target = new URL(`http://127.0.0.1:${await portOf(provider)}/v1`)
  const summaries: string[] = []
  const proxy = await createProxy({
    target,
    policy: () => DEFAULT_POLICY,
    onRequest: ({ status, error }) => summaries.push(`${status} ${error}`),
  })
  const port = await proxy.listen(0)
  // A name of its owner that leads to this machine, as after a rebinding.
  const args = [...(launchOptions.args ?? []), '--host-resolver-rules=MAP evil.example 127.0.0.1']
  const browser = await playwright.chromium.launch({ ...launchOptions, args })
  try {
    const tab = await browser.newPage()
    const url = `http://127.0.0.1:${port}`
    for (const host of ['127.0.0.1', 'localhost', 'evil.example']) {
      await tab.goto(`http://${host}:${pagePort}/`)
      const read = await tab.evaluate(async (proxyUrl) => {
        const body = '{"messages":[{"role":"user","content":"x"}]}'
        const chat = `${proxyUrl}/v1/chat/completions`
        const answers: string[] = []
        const ask = async (address: string, init: RequestInit) => {
          try {
            const answer = await fetch(address, init)
            answers.push(`${answer.status}${await answer.text()}`)
          } catch {
            answers.push('refused')
          }
        }
        await ask(chat, { method: 'POST', body, mode: 'no-cors' })
        await ask(chat, { method: 'POST', body, headers: { 'content-type': 'application/json' } })
        await ask(`${proxyUrl}/metrics`, {})
        await ask(`${proxyUrl}/health`, { mode: 'no-cors' })
        navigator.sendBeacon(chat, new Blob([body], { type: 'text/plain' }))
        const image = new Image()
        image.src = `${proxyUrl}/v1/models`
        await new Promise((resolve) => image.addEventListener('error', resolve))
        const socket = new WebSocket(`${chat.replace('http', 'ws')}`)
        await new Promise((resolve) => socket.addEventListener('error', resolve))
        const form = document.createElement('form')
        Object.assign(form, { method: 'post', action: chat, target: 'into', enctype: 'text/plain' })
        document.body.append(form)
        const frame = document.querySelector('iframe') as HTMLIFrameElement
        const isLoaded = new Promise((resolve) => frame.addEventListener('load', resolve))
        form.submit()
        await isLoaded
        return answers
      }, url)
      // What `no-cors` answers cannot be read; all others are refused.
      expect(read).toEqual(['0', 'refused', 'refused', '0'])
    }
    const rebound = await tab.goto(`http://evil.example:${port}/metrics`)
    expect(rebound?.status()).toBe(403)
    expect((await tab.goto(`${url}/health`))?.status()).toBe(200)
    expect(reached).toEqual([])
    expect(summaries.length).toBeGreaterThan(9)
    expect(new Set(summaries)).toEqual(new Set(['403 stranger']))
  } finally {
    await browser.close()
    await proxy.close()
    provider.close()
    page.close()
  }
})
