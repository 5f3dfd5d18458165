/** The proxy with the page beside it, before a provider, for one test. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DEFAULT_POLICY } from '../../../core/policy/policy'
import { writePolicyToml } from '../../../core/share/toml/policy-toml'
import { ending, startProxy } from '../../proxy/testing/start-proxy'
import { openAppliedPolicy } from '../applied-policy'
import { createWatchRoutes } from '../watch-routes'

export async function startWatch(target: string) {
  const folder = mkdtempSync(join(tmpdir(), 'watch-test-'))
  ending.push(() => rmSync(folder, { recursive: true }))
  const site = join(folder, 'site')
  mkdirSync(site)
  writeFileSync(join(site, 'index.html'), '<head></head>the page')
  const config = join(folder, 'policy.toml')
  writeFileSync(config, writePolicyToml({ ...DEFAULT_POLICY, enabled: false }))
  const said: string[] = []
  const policy = openAppliedPolicy(config, (sentence) => said.push(sentence))
  ending.push(policy.close)
  const { routes, addresses, grew, followFile } = createWatchRoutes(folder, site, policy)
  const proxy = await startProxy(target, {
    policy: policy.policy,
    record: folder,
    onRecord: (recorded) => void grew(recorded),
    routes,
  })
  return { ...proxy, said, folder, followFile, addresses: addresses(proxy.url) }
}

export interface Answered {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
}

/** As a browser or a program sends it, with any headers. */
export function ask(
  port: number,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  body?: string,
  method = body === undefined ? 'GET' : 'POST',
) {
  return new Promise<Answered>((resolve, reject) => {
    const sent = request(
      { host: '127.0.0.1', port, path, method, headers, agent: false },
      (answer) => {
        let text = ''
        answer.setEncoding('utf8').on('data', (piece: string) => (text += piece))
        answer.on('end', () =>
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }),
        )
      },
    )
    sent.on('error', reject).end(body)
  })
}

/** The cookies that a printed or opened address gives. */
export async function enter(port: number, address: string): Promise<string | undefined> {
  const { pathname, search } = new URL(address)
  const { headers, status } = await ask(port, pathname + search)
  if (status !== 303) return undefined
  return [headers['set-cookie'] ?? []]
    .flat()
    .map((cookie) => cookie.split(';', 1)[0])
    .join('; ')
}

/** Reads Server-Sent Events; `next` resolves with the data of the next event of a name. */
export async function readEvents(url: string, cookie: string) {
  const stop = new AbortController()
  const answer = await fetch(`${url}/watch/events`, { headers: { cookie }, signal: stop.signal })
  ending.push(() => stop.abort())
  const reader = (answer.body as ReadableStream<Uint8Array>).getReader()
  const decoder = new TextDecoder()
  let text = ''
  const next = async (name: string) => {
    for (;;) {
      const end = text.indexOf('\n\n')
      if (end === -1) {
        const { value, done } = await reader.read()
        if (done) throw new Error('The events have ended.')
        text += decoder.decode(value, { stream: true })
        continue
      }
      const event = text.slice(0, end)
      text = text.slice(end + 2)
      const [, data = '{}'] = /^data: (.*)$/m.exec(event) ?? []
      if (event.includes(`event: ${name}\n`)) return JSON.parse(data)
    }
  }
  return { next, type: answer.headers.get('content-type') }
}
