/** What the page has of a followed session is what the proxy has, whatever is lost on the way. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { WatchedSession } from '@/lib/core/share/watched'
import { forAllAsync } from '@/lib/core/testing/test-size'
import { spawnInline } from '@/lib/worker/testing/spawn-inline'
import { createPlayground } from '../playground'
import { eventually } from '../testing/eventually'
import { type AgentServer, followAgent } from './follow-agent'

const ID = 'one'

/** The line of a file, and how often its text cannot be read; whether the connection is lost after it. */
const anyGrowth = fc.record({
  text: fc.string({ unit: 'grapheme', maxLength: 20 }),
  failures: fc.constantFrom(0, 0, 0, 1, 2),
  isLost: fc.boolean(),
})

/** A server in memory: a session that grows, and what tells of it. */
function createServer() {
  let bytes = new Uint8Array()
  let on: Parameters<AgentServer['listen']>[0] | undefined
  let failures = 0
  const session = (): WatchedSession => ({
    ...{ id: ID, bytes: bytes.length, requests: 1, at: 1, masked: undefined, opening: '' },
  })
  const server: AgentServer = {
    listen: (listeners) => {
      on = listeners
      return () => {}
    },
    read: async (_, from) => {
      if (failures-- > 0) throw new Error('No answer.')
      return bytes.slice(from)
    },
    post: async () => undefined,
  }
  return {
    server,
    grow: (line: string, failing: number) => {
      bytes = new Uint8Array([...bytes, ...new TextEncoder().encode(line)])
      failures = failing
      on?.session(session())
    },
    lose: () => on?.lost(false),
    connect: () => {
      failures = 0
      on?.state({ sessions: [session()], policy: { toml: '', canTakeBack: false } })
    },
    text: () => new TextDecoder().decode(bytes),
  }
}

test('after any growth, failed reads and lost connections, the page has the text of the session', async () => {
  await forAllAsync(40, [fc.array(anyGrowth, { minLength: 1, maxLength: 8 })], async (growths) => {
    const playground = createPlayground(spawnInline)
    const { server, grow, lose, connect, text } = createServer()
    const remembered = new Map<string, string>()
    const follower = followAgent(playground, server, {
      getItem: (key) => remembered.get(key) ?? null,
      setItem: (key, value) => remembered.set(key, value),
    })
    grow('{"role":"user","content":"Go"}\n', 0)
    const states = { page: playground.store.getState, follow: follower.store.getState }
    await eventually(() => expect(states.page().source.text).toBe(text()))
    for (const growth of growths) {
      grow(`${JSON.stringify({ role: 'user', content: growth.text })}\n`, growth.failures)
      if (growth.isLost) lose()
    }
    connect()
    await eventually(() => expect(states.page().source.text).toBe(text()))
    expect(states.follow()).toMatchObject({ connection: 'open', isDetached: false })
  })
})

test('a read that fails is not a lost connection once the next event comes', async () => {
  const playground = createPlayground(spawnInline)
  const { server, grow, text } = createServer()
  const { store } = followAgent(playground, server, { getItem: () => null, setItem: () => {} })
  grow('{"role":"user","content":"Go"}\n', 0)
  await eventually(() => expect(playground.store.getState().source.text).toBe(text()))
  grow('{"role":"user","content":"on"}\n', 1)
  await eventually(() => expect(store.getState().connection).toBe('lost'))
  grow('{"role":"user","content":"and on"}\n', 0)
  await eventually(() => expect(playground.store.getState().source.text).toBe(text()))
  expect(store.getState().connection).toBe('open')
})
