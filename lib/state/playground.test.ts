import { describe, expect, test } from 'vitest'
import { spawnInline } from '@/lib/worker/testing/spawn-inline'
import { pastedName } from './document/document-slice'
import { currentOutputPiecesOf } from './document/output-view'
import { isAwaited, isCurrent, isOutdated } from './document/selectors'
import { chatBodyOf } from './files/chat-body'
import { createFileList } from './files/file-list'
import { createPlayground } from './playground'
import { decisionsOf, measureOf, outputTextOf, sweepOf } from './policy/policy-view'
import { eventually } from './testing/eventually'
import { LONG, opened, PARTS, THREE_TURNS } from './testing/three-turns'

const currentOutputOf = (state: Parameters<typeof currentOutputPiecesOf>[0]) =>
  currentOutputPiecesOf(state)?.join('')

describe('a text that is opened', () => {
  test('is counted from the conversation that is chosen meanwhile', async () => {
    const { store, actions } = createPlayground(spawnInline)
    const line = (name: string) =>
      JSON.stringify({ messages: [{ role: 'user', content: `${name} `.repeat(100_000) }] })
    const text = ['one', 'two', 'three', 'four'].map(line).join('\n')
    actions.openText(text, 'four.jsonl', { kind: 'file' })
    // At once: a fast machine counts all between two looks.
    await new Promise<void>((resolve) => {
      const stop = store.subscribe(({ counting }) => {
        if (counting === undefined) return
        stop()
        for (const conversation of [2, 0, 3]) actions.chooseConversation(conversation)
        resolve()
      })
    })
    await eventually(() => expect(measureOf(store.getState())).toBeDefined())
    expect(store.getState().countedFirst?.conversation).toBe(3)
    await eventually(() => expect(store.getState().counted?.counts).toHaveLength(4))
    expect(store.getState().counting).toBeUndefined()
  })

  test('has all other answers after the worker failed at a question', async () => {
    const { store, actions } = createPlayground((encoding) => {
      const worker = spawnInline(encoding)
      const { postMessage } = worker
      let refused: number | undefined
      worker.postMessage = (message) => {
        if ('wanted' in message)
          refused = message.wanted.questions.find(({ name }) => name === 'findRepeatedCalls')?.id
        const { onmessage } = worker
        worker.onmessage = ({ data }) => {
          const isRefused =
            'part' in data && data.part.name === 'answer' && data.part.at === refused
          const outcome = { state: 'crashed', message: 'It failed.' } as const
          onmessage?.({ data: isRefused ? { id: data.id, outcome } : data })
        }
        postMessage(message)
      }
      return worker
    })
    actions.openText(THREE_TURNS, 'three.json', { kind: 'file' })
    await eventually(() => expect(sweepOf(store.getState())).toBeDefined())
    const { answers, notices, counting } = store.getState()
    expect(answers.map(({ name }) => name)).not.toContain('findRepeatedCalls')
    expect(notices.map(({ code }) => code)).toEqual(['worker_failed'])
    expect(counting).toBeUndefined()
  })

  test('shows the last readable version while it is broken', async () => {
    const { store, actions } = await opened()
    const before = outputTextOf(store.getState())
    actions.editText([{ start: 0, end: 1, text: '{' }])
    await eventually(() => expect(store.getState().reading.state).toBe('failed'))
    const state = store.getState()
    expect(state.source.text).toBe(`{${THREE_TURNS.slice(1)}`)
    expect(isCurrent(state)).toBe(false)
    expect(outputTextOf(state)).toBe(before)
    expect(currentOutputOf(state)).toBeUndefined()
    expect([isOutdated(state), isAwaited(state)]).toEqual([true, false])
    actions.undo()
    await eventually(() => expect(store.getState().reading.state).toBe('read'))
    expect(store.getState().source.text).toBe(THREE_TURNS)
  })

  test('is what the page saves as soon as its name is shown, never the previous text', async () => {
    const { store, actions } = await opened()
    const saved = (state = store.getState()) => [
      currentOutputOf(state),
      chatBodyOf(state, false),
      chatBodyOf(state, true),
    ]
    expect(saved()).not.toContain(undefined)
    for (const next of [PARTS, THREE_TURNS]) {
      actions.openText(next, 'three.json', { kind: 'file' })
      expect([isAwaited(store.getState()), isOutdated(store.getState())]).toEqual([true, true])
      expect(saved()).toEqual([undefined, undefined, undefined])
      await eventually(() => expect(isCurrent(store.getState())).toBe(true))
      expect([isAwaited(store.getState()), isOutdated(store.getState())]).toEqual([false, false])
      expect(currentOutputOf(store.getState())?.slice(0, 60)).toBe(next.slice(0, 60))
    }
  })

  test('is not dimmed while it is typed, but waits to be saved', async () => {
    const { store, actions } = await opened()
    actions.editText([{ start: 0, end: 0, text: ' ' }])
    expect([isAwaited(store.getState()), isOutdated(store.getState())]).toEqual([false, false])
    expect(currentOutputOf(store.getState())).toBeUndefined()
    await eventually(() => expect(currentOutputOf(store.getState())?.[0]).toBe(' '))
  })

  test('stays when a binary file is opened, with a notice until another is read', async () => {
    const playground = await opened()
    const file = new Blob([new Uint8Array([0x50, 0x4b, 0x03, 0x04, 0, 0])])
    await createFileList(playground, spawnInline).actions.openFiles([{ name: 'a.zip', file }])
    const { notices, source } = playground.store.getState()
    expect(source.text).toBe(THREE_TURNS)
    expect(notices.at(-1)?.problem?.code).toBe('archive_cut')
    playground.actions.openText(PARTS, 'parts.json', { kind: 'file' })
    await eventually(() => expect(isCurrent(playground.store.getState())).toBe(true))
    expect(playground.store.getState().notices).toEqual([])
  })

  test('has its name again when undo in an editor brings it back', async () => {
    const { store, actions } = await opened()
    const { source: before } = store.getState()
    actions.editText([{ start: 0, end: THREE_TURNS.length, text: PARTS }])
    expect(store.getState().source.name).toBe('pasted.json')
    actions.editText([{ start: 0, end: PARTS.length, text: THREE_TURNS }])
    const { name, origin, document } = before
    expect(store.getState().source).toMatchObject({ name, origin, document, text: THREE_TURNS })
  })
})

test('a pasted text is named by whether it has one value or one on each line', () => {
  const turns = JSON.parse(THREE_TURNS) as object[]
  const lines = turns.map((message) => JSON.stringify(message))
  for (const text of [lines.join('\n'), `\n${lines.join('\r\n\n')}\r\n`, '[1]\n[2]'])
    expect.soft(pastedName(text), text.slice(0, 30)).toBe('pasted.jsonl')
  const indented = JSON.stringify(turns, null, 2)
  const rows = `[${lines.join(',\n')}]`
  for (const text of [
    '',
    '[]',
    '{}\n',
    THREE_TURNS,
    indented,
    rows,
    `${rows}\n\n`,
    '{\n{',
    'a\n{}',
  ])
    expect.soft(pastedName(text), text.slice(0, 30)).toBe('pasted.json')
})

test('what is taken back leaves no step, and what could be redone', async () => {
  const { store, actions } = await opened()
  actions.changePolicy({ windowTurns: 5 })
  actions.undo()
  const before = store.getState()
  for (const windowTurns of [3, 2]) actions.changePolicy({ windowTurns }, 'windowTurns')
  expect(store.getState().history.future).toEqual([])
  actions.takeBack(before)
  const { policy, policyFrom, history } = store.getState()
  expect({ policy, policyFrom, history }).toEqual({
    policy: before.policy,
    policyFrom: before.policyFrom,
    history: before.history,
  })
  actions.replaceTyped(PARTS)
  actions.takeBack(before)
  expect(store.getState().history).not.toBe(before.history)
})

describe('settings', () => {
  test('that need token counts wait for them', async () => {
    const { store, actions } = await opened()
    actions.changePolicy({ windowTurns: 1, neverGrow: true })
    actions.changePolicy({ placeholderTemplate: `${LONG}${LONG}` })
    await eventually(() => expect(decisionsOf(store.getState())).toBeDefined())
    const reasons = decisionsOf(store.getState())?.[0]?.map(({ reason }) => reason)
    expect(reasons).toEqual(['would_grow', 'would_grow', 'in_window'])
  })
})

test('an unreadable document replaces the view of the last one, and undo brings that back', async () => {
  const { store, actions } = await opened()
  actions.openText('{"a": 1}', 'other.json', { kind: 'file' })
  await eventually(() => expect(store.getState().reading.state).toBe('failed'))
  expect(store.getState().read).toBeUndefined()
  actions.undo()
  await eventually(() => expect(measureOf(store.getState())).toBeDefined())
  expect(store.getState().read?.source.name).toBe('three.json')
})

test('an unreadable paste replaces the view too; one that is JSON can be read as each format', async () => {
  const { store, actions } = await opened()
  const offered = () => {
    const { read, reading } = store.getState()
    const formats = reading.state === 'failed' ? reading.formats?.map(({ id }) => id) : ['none yet']
    return [read, formats?.includes('codex')]
  }
  const cases = [['{"a": 1}', true] as const, ['no JSON', undefined] as const]
  for (const [text, isOffered] of cases) {
    actions.editText([{ start: 0, end: store.getState().source.text.length, text }])
    await eventually(() => expect(offered()).toEqual([undefined, isOffered]))
  }
})
