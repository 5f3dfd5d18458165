import { describe, expect, test, vi } from 'vitest'
import { DEFAULT_POLICY } from '@/lib/core/policy/policy'
import { spawnInline } from '@/lib/worker/testing/inline-worker'
import { createLibrary } from './library'
import { createPlayground } from './playground'
import { decisionsOf, isCurrent, measureOf, outputTextOf } from './selectors'
import { settingsFragment, takeSettings } from './settings-url'

function turn(id: string, content: unknown): object[] {
  const call = { id, type: 'function', function: { name: 'read', arguments: '{}' } }
  return [
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: id, content },
  ]
}

const LONG = 'line of output\n'.repeat(40)
const THREE_TURNS = JSON.stringify([...turn('a', LONG), ...turn('b', LONG), ...turn('c', LONG)])
const PARTS = JSON.stringify([...turn('a', [{ type: 'text', text: LONG }]), ...turn('b', LONG)])

/** Busy machines need longer than the runner's own second. */
const eventually = (check: () => void) => vi.waitFor(check, { timeout: 30_000 })

async function opened(text = THREE_TURNS) {
  const playground = createPlayground(spawnInline)
  playground.actions.openText(text, 'three.json', { kind: 'file' })
  await eventually(() => expect(measureOf(playground.store.getState())).toBeDefined())
  return playground
}

describe('a request copied as code', () => {
  const command = `curl 'https://api.example.com/v1/chat' -H 'authorization: x' --data-raw '{"messages": ${THREE_TURNS}}'`

  test('gives its JSON body, says so, and comes back by undo', async () => {
    const { store, actions } = createPlayground(spawnInline)
    actions.openText(command, 'request.txt', { kind: 'paste' })
    await eventually(() => expect(store.getState().reading.state).toBe('read'))
    expect(store.getState().source.text).toBe(`{"messages": ${THREE_TURNS}}`)
    expect(store.getState().notices).toMatchObject([
      {
        code: 'body_taken',
        values: { kind: 'cURL command', count: 1, place: 'POST api.example.com/v1/chat' },
      },
    ])
    actions.undo()
    await eventually(() => expect(store.getState().reading.state).toBe('failed'))
    expect(store.getState().source.text).toBe(command)
    expect(store.getState().reading).toMatchObject({ problem: { code: 'copied_request' } })
    actions.redo()
    await eventually(() => expect(store.getState().reading.state).toBe('read'))
  })

  test('pasted in pieces, it is taken once it is whole', async () => {
    const { store, actions } = createPlayground(spawnInline)
    const half = command.slice(0, 90)
    actions.editText([{ start: 0, end: 0, text: half }])
    actions.editText([{ start: half.length, end: half.length, text: command.slice(90) }])
    await eventually(() => expect(store.getState().reading.state).toBe('read'))
    expect(store.getState().source.text).toBe(`{"messages": ${THREE_TURNS}}`)
    actions.undo()
    expect(store.getState().source.text).toBe(command)
  })

  test('without a JSON body it stays, with a sentence', async () => {
    const { store, actions } = createPlayground(spawnInline)
    actions.openText("curl 'https://example.com/'", '', { kind: 'paste' })
    await eventually(() => expect(store.getState().reading.state).toBe('failed'))
    const { reading, source, notices } = store.getState()
    expect(reading).toMatchObject({ problem: { code: 'copied_request_without_json' } })
    expect([source.text, notices]).toEqual(["curl 'https://example.com/'", []])
  })
})

describe('a HAR file', () => {
  test('is opened at the longest of its requests', async () => {
    const messages = JSON.parse(THREE_TURNS)
    const entries = [2, 6, 4].map((end) => {
      const text = JSON.stringify({ messages: messages.slice(0, end) })
      return { request: { method: 'POST', url: 'https://x/y', postData: { text } } }
    })
    const { store } = await opened(JSON.stringify({ log: { entries } }))
    expect(store.getState().conversation).toBe(1)
  })
})

describe('a text that is opened', () => {
  test('is read, counted and decided on', async () => {
    const { store, actions } = await opened()
    actions.changePolicy({ windowTurns: 1 })
    const state = store.getState()
    expect(state.reading).toEqual({ state: 'read' })
    expect(decisionsOf(state)?.[0]?.map(({ reason }) => reason)).toEqual([
      'masked',
      'masked',
      'in_window',
    ])
    const measure = measureOf(state)
    expect(measure?.maskedResults).toBe(2)
    expect(measure?.tokens.after).toBeLessThan(measure?.tokens.before as number)
    expect(JSON.parse(outputTextOf(state) as string)[1].content).toContain('tool_call_id=a')
  })

  test('keeps the last good reading while it is broken, and loses nothing', async () => {
    const { store, actions } = await opened()
    const before = outputTextOf(store.getState())
    actions.editText([{ start: 0, end: 1, text: '{' }])
    await eventually(() => expect(store.getState().reading.state).toBe('failed'))
    const state = store.getState()
    expect(state.source.text).toBe(`{${THREE_TURNS.slice(1)}`)
    expect(isCurrent(state)).toBe(false)
    expect(outputTextOf(state)).toBe(before)
    actions.undo()
    await eventually(() => expect(store.getState().reading.state).toBe('read'))
    expect(store.getState().source.text).toBe(THREE_TURNS)
  })

  test('stays when a file that is no text is opened, and the reason is said', async () => {
    const playground = await opened()
    const bytes = new Uint8Array([0x50, 0x4b, 0x03, 0x04, 0, 0])
    const file = { name: 'a.zip', size: 6, arrayBuffer: async () => bytes.buffer }
    await createLibrary(playground, spawnInline).actions.openFiles([{ name: 'a.zip', file }])
    const { notices, source } = playground.store.getState()
    expect(source.text).toBe(THREE_TURNS)
    expect(notices.at(-1)?.problem?.code).toBe('archive_cut')
  })

  test('comes back after another was opened over it', async () => {
    const { store, actions } = await opened()
    actions.openText('[]', 'other.json', { kind: 'file' })
    actions.undo()
    expect(store.getState().source.name).toBe('three.json')
    actions.redo()
    expect(store.getState().source.name).toBe('other.json')
  })
})

describe('settings', () => {
  test('of one drag are one undo', async () => {
    const { store, actions } = await opened()
    for (const windowTurns of [7, 6, 5, 4]) actions.changePolicy({ windowTurns }, 'windowTurns')
    actions.endGesture()
    actions.changePolicy({ windowTurns: 3 }, 'windowTurns')
    actions.undo()
    expect(store.getState().policy.windowTurns).toBe(4)
    actions.undo()
    expect(store.getState().policy.windowTurns).toBe(8)
    actions.redo()
    expect(store.getState().policy.windowTurns).toBe(4)
  })

  test('that need token counts wait for them and then decide', async () => {
    const { store, actions } = await opened()
    actions.changePolicy({ windowTurns: 1, neverGrow: true })
    actions.changePolicy({ placeholderTemplate: `${LONG}${LONG}` })
    await eventually(() => expect(decisionsOf(store.getState())).toBeDefined())
    expect(decisionsOf(store.getState())?.[0]?.map(({ reason }) => reason)).toEqual([
      'would_grow',
      'would_grow',
      'in_window',
    ])
  })

  test('reach text parts only when asked', async () => {
    const { store, actions } = await opened(PARTS)
    actions.changePolicy({ windowTurns: 1 })
    expect(decisionsOf(store.getState())?.[0]?.[0]?.reason).toBe('non_text')
    actions.changePolicy({ textParts: true })
    expect(decisionsOf(store.getState())?.[0]?.[0]?.reason).toBe('masked')
  })

  test('go into the address and come back from it', async () => {
    const { store, actions } = await opened()
    actions.changePolicy({ windowTurns: 3, batchTurns: 16, excludeTools: ['a,b', 'c'] })
    actions.chooseModel('gpt-4')
    const fragment = settingsFragment(store.getState())
    const other = createPlayground(spawnInline)
    expect(takeSettings(other, `#${fragment}&zz=1&s=coding-session`).sample).toBe('coding-session')
    expect(other.store.getState().policy).toEqual(store.getState().policy)
    expect(other.store.getState().model).toBe('gpt-4')
    expect(settingsFragment(other.store.getState())).toBe(`${fragment}&zz=1`)
  })

  test('damaged in a link are ignored alone and reported', () => {
    const playground = createPlayground(spawnInline)
    takeSettings(playground, '#v=9&w=eight&k=2&m=nonsense')
    const { policy, notices } = playground.store.getState()
    expect(policy).toEqual({ ...DEFAULT_POLICY, enabled: true, keepLastKPerTool: 2 })
    expect(notices.map(({ code }) => code)).toEqual(['link_newer', 'link_value'])
  })
})

describe('another encoding', () => {
  test('counts again in it', async () => {
    const { store, actions } = await opened()
    const before = measureOf(store.getState())?.tokens.before
    actions.chooseModel('gpt-4')
    expect(measureOf(store.getState())).toBeUndefined()
    await eventually(() => expect(measureOf(store.getState())).toBeDefined())
    expect(measureOf(store.getState())?.tokens.before).not.toBe(undefined)
    expect(before).toBeGreaterThan(0)
  })
})

test('a document that cannot be read leaves nothing of the last one on show, and undo brings it back', async () => {
  const { store, actions } = await opened()
  actions.openText('{"a": 1}', 'other.json', { kind: 'file' })
  await eventually(() => expect(store.getState().reading.state).toBe('failed'))
  expect(store.getState().read).toBeUndefined()
  actions.undo()
  await eventually(() => expect(measureOf(store.getState())).toBeDefined())
  expect(store.getState().read?.source.name).toBe('three.json')
})
