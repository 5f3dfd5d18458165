import { expect, test } from 'vitest'
import { spawnInline } from '@/lib/worker/testing/spawn-inline'
import { createPlayground } from '../playground'
import { eventually } from '../testing/eventually'
import type { DocumentOrigin } from './document-slice'

const lines = (...texts: string[]) =>
  texts.map((content) => JSON.stringify({ role: 'user', content })).join('\n')
const body = (...texts: string[]) =>
  JSON.stringify({ messages: JSON.parse(`[${lines(...texts).replaceAll('\n', ',')}]`) })

/** Pastes a text after the first character of a document. */
async function pasted(
  text: string,
  into: string,
  typedBefore = '',
  origin: DocumentOrigin = { kind: 'file' },
) {
  const { store, actions } = createPlayground(spawnInline)
  actions.openText(into, 'open.json', origin)
  await eventually(() => expect(store.getState().reading.state).toBe('read'))
  const type = (inserted: string) => {
    actions.editText([{ start: 1, end: 1, text: inserted }])
  }
  if (typedBefore !== '') type(typedBefore)
  const { source: before } = store.getState()
  type(text)
  await actions.offerReplacing(text, before)
  const { source } = store.getState()
  return { store, actions, before, source, isOffered: store.getState().notices.length > 0 }
}

test('a whole document pasted into another one replaces it, and undo brings back the text before the paste', async () => {
  const { store, actions, before, isOffered } = await pasted(body('new', 'er'), body('old'))
  expect(isOffered).toBe(true)
  actions.replaceByPasted()
  await eventually(() => expect(store.getState().reading.state).toBe('read'))
  const source = { text: body('new', 'er'), name: 'pasted.json' }
  expect(store.getState()).toMatchObject({ source, notices: [], pasted: undefined })
  actions.undo()
  expect(store.getState().source.text).toBe(before.text)
  expect(store.getState().history.past).toEqual([])
})

test('a whole document pasted into a sample replaces it at once', async () => {
  const sample = { kind: 'sample', id: 'coding-session' } as const
  for (const [text, into] of [
    [body('new', 'er'), body('old')],
    [lines('a', 'b'), lines('c', 'd')],
  ] as const) {
    const { store, actions, before, isOffered } = await pasted(text, into, '', sample)
    expect(isOffered).toBe(false)
    expect(store.getState()).toMatchObject({ source: { text, name: 'pasted.json' } })
    actions.undo()
    expect(store.getState().source).toEqual(before)
  }
  expect(await pasted('"a": 1', body('old'), '', sample)).toMatchObject({ isOffered: false })
})

test('what was typed just before the paste can be undone too', async () => {
  const { store, actions, before } = await pasted(body('new', 'er'), body('old'), ' ')
  actions.replaceByPasted()
  actions.undo()
  expect(store.getState().source.text).toBe(before.text)
  actions.undo()
  expect(store.getState().source.text).toBe(body('old'))
})

test('a fragment is pasted without an offer', async () => {
  expect(await pasted(lines('one message'), body('old'))).toMatchObject({ isOffered: false })
  expect(await pasted('"messages": []', body('old'))).toMatchObject({ isOffered: false })
  expect(await pasted(lines('a', 'b'), lines('c', 'd'))).toMatchObject({ isOffered: false })
})

test('the offer ends with the undo of the paste', async () => {
  const { store, actions } = await pasted(body('new', 'er'), body('old'))
  actions.undo()
  expect(store.getState()).toMatchObject({ pasted: undefined, notices: [] })
})
