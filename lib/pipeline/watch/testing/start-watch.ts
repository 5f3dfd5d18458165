/** The proxy with the page beside it, before a provider, for one test. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DEFAULT_POLICY } from '../../../core/policy/policy'
import { writePolicyToml } from '../../../core/share/toml/policy-toml'
import type { WatchedSession, WatchState } from '../../../core/share/watched'
import { ending, startProxy } from '../../proxy/testing/start-proxy'
import { openAppliedPolicy } from '../applied-policy'
import { createWatchRoutes } from '../watch-routes'

/** A folder for sessions, until the end of the test. */
export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'watch-test-'))
  ending.push(() => rmSync(folder, { recursive: true }))
  return folder
}

export async function startWatch(target: string, folder = makeFolder(), cookie?: string) {
  const site = join(folder, 'site')
  mkdirSync(site, { recursive: true })
  writeFileSync(join(site, 'index.html'), '<head></head>the page')
  const config = join(folder, 'policy.toml')
  writeFileSync(config, writePolicyToml({ ...DEFAULT_POLICY, enabled: false }))
  const said: string[] = []
  const policy = openAppliedPolicy(config, (sentence) => said.push(sentence))
  ending.push(policy.close)
  const watched = createWatchRoutes(folder, site, policy, cookie)
  const { routes, addresses, grew, ended, followFile } = watched
  const proxy = await startProxy(target, {
    policy: policy.policy,
    record: folder,
    onRequest: ended,
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

/** Reads Server-Sent Events; `next` resolves with the next state, or with what has changed in one. */
export async function readEvents(url: string, cookie: string) {
  const stop = new AbortController()
  const answer = await fetch(`${url}/watch/events`, { headers: { cookie }, signal: stop.signal })
  ending.push(() => stop.abort())
  const reader = (answer.body as ReadableStream<Uint8Array>).getReader()
  const decoder = new TextDecoder()
  let text = ''
  let known = ''
  const nextState = async (): Promise<WatchState> => {
    for (;;) {
      const end = text.indexOf('\n\n')
      if (end !== -1) {
        const [, data = '{}'] = /^data: (.*)$/m.exec(text.slice(0, end)) ?? []
        text = text.slice(end + 2)
        return JSON.parse(data)
      }
      const { value, done } = await reader.read()
      if (done) throw new Error('The events have ended.')
      text += decoder.decode(value, { stream: true })
    }
  }
  const events = {
    state: async (isMeant: (state: WatchState) => boolean = () => true): Promise<WatchState> => {
      const state = await nextState()
      return isMeant(state) ? state : events.state(isMeant)
    },
    /** The session that has grown. */
    session: async (): Promise<WatchedSession> => {
      for (;;) {
        const { sessions } = await nextState()
        const newest = sessions.toSorted((one, other) => other.at - one.at)[0]
        const seen = JSON.stringify(newest)
        if (newest !== undefined && seen !== known) {
          known = seen
          return newest
        }
      }
    },
    type: answer.headers.get('content-type'),
  }
  return events
}
