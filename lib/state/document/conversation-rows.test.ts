import { expect, test } from 'vitest'
import { readDocument } from '@/lib/core/formats/read-document'
import { conversationOf } from '@/lib/core/testing/conversation-of'
import { inEnglish } from '@/lib/core/words/english'
import { spawnInline } from '@/lib/worker/testing/spawn-inline'
import { createPlayground } from '../playground'
import { eventually } from '../testing/eventually'
import { type ConversationRow, lastMessageBefore, searchRows, sumRows } from './conversation-rows'
import type { DocumentOrigin } from './document-slice'
import { conversationNotes } from './selectors'

const row = (index: number, rest: Partial<ConversationRow> = {}): ConversationRow => {
  const counts = { messages: 2, turns: 1, results: 1, tokens: 10, masked: 0 }
  return { index, label: `line ${index + 1}`, opening: '', ...counts, ...rest }
}

test('a search matches every word in label or opening, ignoring case', () => {
  const rows = [row(0, { opening: 'Book a flight to Paris' }), row(1, { opening: 'Cancel it' })]
  expect(searchRows(rows, ' PARIS book ', inEnglish).map(({ index }) => index)).toEqual([0])
  expect(searchRows(rows, 'line 2', inEnglish).map(({ index }) => index)).toEqual([1])
  expect(searchRows(rows, '', inEnglish)).toBe(rows)
  expect(searchRows(rows, 'paris cancel', inEnglish)).toEqual([])
})

test('totals are unknown if a part is', () => {
  const sum = { messages: 4, turns: 2, results: 2, masked: 1 }
  expect(sumRows([row(0), row(1, { masked: 1 })])).toEqual(sum)
  expect(sumRows([row(0), row(1, { masked: undefined })]).masked).toBeUndefined()
})

test('an offset leads to its message, or between two messages to the earlier one', () => {
  const lines = [1, 2].map((n) => ({ messages: [{ role: 'user', content: `${n}` }] }))
  const text = lines.map((line) => JSON.stringify(line)).join('\n')
  const model = readDocument(text)
  expect(lastMessageBefore(model, text.lastIndexOf('"2"'))).toMatchObject({
    conversation: 1,
    message: 0,
  })
  expect(lastMessageBefore(model, text.indexOf('\n'))).toMatchObject({
    conversation: 0,
    message: 0,
  })
  expect(lastMessageBefore(model, 0)).toMatchObject({ conversation: 0, message: 0 })
  expect(lastMessageBefore({ conversations: [] }, 0)).toBeUndefined()
})

test('parts that are not text are noted with their messages', () => {
  const messages = [
    { role: 'user', content: [{ type: 'image_url' }, { type: 'text', text: 'see' }] },
    { role: 'assistant', content: 'seen' },
  ]
  const notes = [{ kind: 'non_text', count: 1, messages: [0] }]
  expect(conversationNotes(conversationOf(messages))).toEqual(notes)
})

test('results with duplicates in the file are noted', () => {
  const around = { sessionId: 's', isSidechain: false }
  const call = (id: string) => ({
    type: 'assistant',
    message: { role: 'assistant', content: [{ type: 'tool_use', id, name: 'Bash', input: {} }] },
    ...around,
  })
  const result = (id: string, stdout: string) => ({
    type: 'user',
    message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'one' }] },
    toolUseResult: { stdout, stderr: 'one' },
    ...around,
  })
  const lines = [call('a'), result('a', 'one'), call('b'), { ...result('b', ''), toolUseResult: 2 }]
  const text = lines.map((line) => JSON.stringify(line)).join('\n')
  const [conversation] = readDocument(text).conversations
  expect(conversation && conversationNotes(conversation)).toEqual([
    { kind: 'repeated', count: 1, messages: [1] },
  ])
})

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
  for (const [text, into, name] of [
    [body('new', 'er'), body('old'), 'pasted.json'],
    [lines('a', 'b'), lines('c', 'd'), 'pasted.jsonl'],
  ] as const) {
    const { store, actions, before, isOffered } = await pasted(text, into, '', sample)
    expect(isOffered).toBe(false)
    expect(store.getState()).toMatchObject({ source: { text, name } })
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
