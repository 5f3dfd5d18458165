import { describe, expect, test } from 'vitest'
import { readDocument } from '@/lib/core/formats/read-document'
import { readTranscript, SAMPLE_FILES } from '@/lib/core/testing/transcripts'
import { spawnInline } from '@/lib/worker/testing/spawn-inline'
import { createPlayground } from '../playground'
import { openedOnce, readOf } from '../testing/eventually'
import { storageInMemory } from '../testing/storage-in-memory'
import { openingConversationOf } from './conversation-rows'
import { isTooLargeToEdit, joinPieces } from './large-text'
import { readEarlierView, rememberView, viewOf } from './output-view'

function openingOfText(text: string) {
  const { format, ...document } = readDocument(text)
  return openingConversationOf({ ...document, format: format.id })
}

const lines = (...values: readonly unknown[]) =>
  values.map((value) => JSON.stringify(value)).join('\n')
const said = (...texts: readonly string[]) => {
  const roleAt = (index: number) => (index % 2 === 0 ? 'user' : 'assistant')
  return { messages: texts.map((content, index) => ({ role: roleAt(index), content })) }
}

describe('a document opens', () => {
  test.each(SAMPLE_FILES.map((file) => [file.name, file] as const))('%s', (name, file) => {
    const opening = openingOfText(readTranscript(file))
    const isLog = /network-panel|langfuse|opentelemetry/.test(name)
    const because = isLog ? 'longest' : name === 'many-runs.jsonl' ? 'first' : 'only'
    expect(opening).toEqual({ conversation: isLog ? 4 : 0, because })
  })

  test('at its first conversation if they are separate sessions, whatever their lengths', () => {
    const text = lines(said('one', 'two'), said('three', 'four', 'five', 'six'))
    expect(openingOfText(text)).toEqual({ conversation: 0, because: 'first' })
  })

  test('at the longest if one continues another, even if shorter ones follow', () => {
    const requests = [said('one'), said('one', 'two', 'three'), said('a title?')]
    expect(openingOfText(lines(...requests))).toEqual({ conversation: 1, because: 'longest' })
  })
})

describe('a session of Claude Code opens', () => {
  let count = 0
  const line = (type: string, content: unknown, more: object = {}) => {
    const message = { role: type, content }
    return { type, uuid: `line-${count++}`, sessionId: 'one', message, ...more }
  }
  const said = (text: string, more?: object) => [
    line('user', text, more),
    line('assistant', [{ type: 'text', text: 'done' }], more),
  ]
  const compacted = line('user', 'what was before', { isCompactSummary: true })

  test('at its longest context, before or after a compaction', () => {
    const [short, long] = [said('a'), [...said('b'), ...said('c'), ...said('d')]]
    expect(openingOfText(lines(...short, compacted, ...long)).conversation).toBe(1)
    expect(openingOfText(lines(...long, compacted, ...short)).conversation).toBe(0)
  })

  test('never at a sidechain, even if it is the longest', () => {
    const agent = { isSidechain: true, agentId: 'explorer' }
    const text = lines(...['a', 'b', 'c'].flatMap((text) => said(text, agent)), ...said('d'))
    expect(openingOfText(text)).toEqual({ conversation: 1, because: 'longest' })
  })
})

const MESSAGES = [
  { role: 'user', content: 'hello' },
  { role: 'assistant', content: 'hi' },
]

test.each([
  ['pretty-printed JSON', JSON.stringify(MESSAGES, null, 2), 'masked'],
  ['JSON on one line', JSON.stringify(MESSAGES), 'messages'],
  ['JSON Lines', MESSAGES.map((message) => JSON.stringify(message)).join('\n'), 'messages'],
])('%s opens in the view that suits it', async (_, text, expected) => {
  const { store } = await openedOnce(readOf, text)
  expect(viewOf(store.getState())).toBe(expected)
})

test('a choice of this page comes first, then one of an earlier page', () => {
  const { storage } = storageInMemory()
  expect(readEarlierView(storage)).toBeUndefined()
  rememberView(storage, 'messages')
  const earlierView = readEarlierView(storage)
  const state = createPlayground(spawnInline).store.getState()
  expect(viewOf({ ...state, view: undefined, earlierView })).toBe('messages')
  expect(viewOf({ ...state, view: 'diff', earlierView })).toBe('diff')
})

test('a large file is shown as messages until its JSON is wanted; what is typed is in an editor already', () => {
  const { store, actions } = createPlayground(spawnInline)
  const isLarge = () => isTooLargeToEdit(store.getState())
  const text = ' '.repeat(13_000_000)
  actions.openText('[]', 'small.json', { kind: 'file' })
  expect(isLarge()).toBe(false)
  actions.openText(text, 'large.json', { kind: 'file' })
  expect(isLarge()).toBe(true)
  actions.showJson()
  expect(isLarge()).toBe(false)
  actions.openText(text, 'other.json', { kind: 'file' })
  expect(isLarge()).toBe(true)
  actions.openText('[]', 'small.json', { kind: 'file' })
  actions.editText([{ start: 1, end: 1, text }])
  expect(isLarge()).toBe(false)
})

test.each([3, 3_000_000])('pieces of %d characters are joined in their order', async (length) => {
  const pieces = ['a', '', 'b'].map((letter) => letter.repeat(length))
  expect((await joinPieces(pieces)) === pieces.join('')).toBe(true)
})
