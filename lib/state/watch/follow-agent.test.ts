/** What the page has of a followed session is what the proxy has, whatever is lost on the way, and it goes where the agent goes. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { WatchedSession } from '@/lib/core/share/watched'
import { forAllAsync } from '@/lib/core/testing/test-size'
import { spawnInline } from '@/lib/worker/testing/spawn-inline'
import { createPlayground } from '../playground'
import { eventually } from '../testing/eventually'
import type { AgentServer } from './agent-server'
import { followAgent } from './follow-agent'

/** The line of a file, the file that it goes to, how often its text cannot be read, whether the page hears of half of it, and whether the connection is lost after it. */
const anyGrowth = fc.record({
  text: fc.string({ unit: 'grapheme', maxLength: 20 }),
  id: fc.constantFrom('one', 'one', 'two'),
  failures: fc.constantFrom(0, 0, 0, 1, 2),
  isInTwo: fc.boolean(),
  isLost: fc.boolean(),
})

const messageOf = (content: string) => `${JSON.stringify({ role: 'user', content })}\n`

/** A server in memory: sessions that grow, and what tells of them; and a page that follows them. */
function startFollowing() {
  const sessions = new Map<string, { readonly bytes: Uint8Array; readonly told: WatchedSession }>()
  let on: Parameters<AgentServer['listen']>[0] | undefined
  let failures = 0
  let at = 0
  const server: AgentServer = {
    listen: (listeners) => {
      on = listeners
      return () => {}
    },
    read: async (id, from) => {
      if (failures-- > 0) throw new Error('No answer.')
      return sessions.get(id)?.bytes.slice(from) ?? new Uint8Array()
    },
    post: async () => undefined,
  }
  const page = createPlayground(spawnInline)
  const remembered = new Map<string, string>()
  const follower = followAgent(page, server, {
    getItem: (key) => remembered.get(key) ?? null,
    setItem: (key, value) => remembered.set(key, value),
  })
  const textOf = (id: string) => new TextDecoder().decode(sessions.get(id)?.bytes)
  const tell = () => {
    const all = [...sessions.values()].map(({ told }) => told)
    const policy = { toml: '', canTakeBack: false, problem: null }
    on?.state({ sessions: all, waiting: null, failed: null, policy })
  }
  return {
    page,
    follower,
    remembered,
    grow: (line: string, id = 'one', failing = 0, added = 1) => {
      const before = sessions.get(id)
      const bytes = new Uint8Array([...(before?.bytes ?? []), ...new TextEncoder().encode(line)])
      const requests = (before?.told.requests ?? 0) + added
      const facts = { bytes: bytes.length, requests, at: at++, masked: undefined, opening: '' }
      const told = { id, ...facts }
      sessions.set(id, { bytes, told })
      failures = failing
      tell()
    },
    lose: (isRefused = false) => on?.lost(isRefused),
    connect: () => {
      failures = 0
      tell()
    },
    /** Another run, which has none of them. */
    forget: () => sessions.clear(),
    shows: (id: string) =>
      eventually(() => {
        expect(page.store.getState().source).toMatchObject({
          ...{ text: textOf(id), name: `agent-${id}.jsonl` },
        })
        expect(follower.store.getState().followed).toBe(id)
      }),
  }
}

test('after any growth, failed reads and lost connections, the page has the text of the session that it follows', async () => {
  await forAllAsync(40, [fc.array(anyGrowth, { minLength: 1, maxLength: 8 })], async (growths) => {
    const { grow, lose, connect, shows, follower } = startFollowing()
    grow(messageOf('Go'))
    await shows('one')
    for (const { text, id, failures, isInTwo, isLost } of growths) {
      const line = messageOf(text)
      const half = isInTwo ? line.length >> 1 : 0
      if (isInTwo) grow(line.slice(0, half), id, failures, 0)
      grow(line.slice(half), id, failures)
      if (isLost) lose()
    }
    lose()
    connect()
    // A connection that comes back goes to the newest with more than one request.
    const all = ['one', ...growths.map(({ id }) => id)]
    const isOften = (id: string) => all.indexOf(id) !== all.lastIndexOf(id)
    await shows(all.findLast(isOften) ?? 'one')
    expect(follower.store.getState()).toMatchObject({ connection: 'open', isDetached: false })
  })
})

test('a read that fails is not a lost connection once the next event comes', async () => {
  const { grow, shows, follower } = startFollowing()
  grow(messageOf('Go'))
  await shows('one')
  grow(messageOf('on'), 'one', 1)
  await eventually(() => expect(follower.store.getState().connection).toBe('lost'))
  grow(messageOf('and on'))
  await shows('one')
  expect(follower.store.getState().connection).toBe('open')
})

test('a text in place of the session is said at once, and no more once it is undone', async () => {
  const { page, follower, grow, remembered, shows } = startFollowing()
  const isDetached = () => follower.store.getState().isDetached
  const kept = () => remembered.get('followed-session')
  grow(messageOf('Go'))
  await shows('one')
  page.actions.openText('[]', 'mine.json', { kind: 'file' })
  await eventually(() => expect(isDetached()).toBe(true))
  expect(kept()).toBe('')
  page.actions.undo()
  await eventually(() => expect(isDetached()).toBe(false))
  expect(kept()).toBe('one')
  await shows('one')
})

test('the page goes with the agent to its next session, and stays with one that the user chose', async () => {
  const { page, follower, grow, shows } = startFollowing()
  const { getState: get } = follower.store
  grow(messageOf('Go'))
  await shows('one')
  const { document } = page.store.getState().source
  page.actions.changePolicy({ windowTurns: 3 })
  page.actions.endGesture()
  // A title is asked for in a request of its own.
  grow(messageOf('A title'), 'two')
  grow(messageOf('on'))
  await shows('one')
  for (const line of ['after', 'a compaction']) grow(messageOf(line), 'two')
  await shows('two')
  expect(page.store.getState().source.document).not.toBe(document)
  // No step to undo is of a text.
  page.actions.undo()
  expect(page.store.getState().policy.windowTurns).not.toBe(3)
  await shows('two')
  follower.follow('one')
  await shows('one')
  expect(page.store.getState().source.document).toBe(document)
  for (const line of ['and', 'so on']) grow(messageOf(line), 'two')
  await eventually(() => expect(get()).toMatchObject({ isPinned: true, elsewhere: 'two' }))
  await shows('one')
  follower.rejoin()
  await shows('two')
  expect(get()).toMatchObject({ isPinned: false, elsewhere: undefined })
})

test('a text of a run that has ended stays, and the page goes on with the next run', async () => {
  const { page, follower, grow, lose, connect, forget, shows } = startFollowing()
  for (const line of ['Go', 'on']) grow(messageOf(line))
  await shows('one')
  const { text } = page.store.getState().source
  lose()
  lose(true)
  expect(follower.store.getState().connection).toBe('ended')
  forget()
  connect()
  expect(follower.store.getState().sessions).toMatchObject([{ id: 'one', requests: 2 }])
  expect(page.store.getState().source.text).toBe(text)
  // A request for a title comes alone; the session that is shown is not listed yet.
  grow(messageOf('Write a title'), 'title')
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(page.store.getState().source.text).toBe(text)
  for (const line of ['Go', 'again']) grow(messageOf(line), 'two')
  await shows('two')
})

/** A line of the proxy's recording. */
const requestOf = (content: string, continues = false) => {
  const request = { model: 'gpt-5', messages: [{ role: 'user', content }] }
  return `${JSON.stringify({ masked_results: 0, ...(continues && { continues }), request })}\n`
}

test('in one text, the page goes to the conversation after a compaction, unless the user has chosen', async () => {
  const { page, follower, grow, shows } = startFollowing()
  const shown = () => page.store.getState().conversation
  const add = async (...lines: string[]) => {
    for (const line of lines) grow(line)
    await shows('one')
  }
  await add(requestOf('first'), requestOf('more', true))
  await add(requestOf('a summary'))
  expect(shown()).toBe(0)
  await add(requestOf('and on', true))
  await eventually(() => expect(shown()).toBe(1))
  page.actions.chooseConversation(0)
  await add(requestOf('another'), requestOf('and more', true))
  await eventually(() => expect(follower.store.getState().elsewhere).toBe('one'))
  expect(shown()).toBe(0)
  follower.rejoin()
  await eventually(() => expect(shown()).toBe(2))
  expect(follower.store.getState()).toMatchObject({ isPinned: false, elsewhere: undefined })
})
