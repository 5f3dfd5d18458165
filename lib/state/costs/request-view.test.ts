import { describe, expect, test } from 'vitest'
import { loadPriceBook } from '@/lib/core/replay/price-book'
import { chatBodyOf, jsonBytesOf } from '../files/chat-body'
import { decisionsOf, measureOf, outputTextOf, replayOf } from '../policy/policy-view'
import type { PlaygroundState } from '../store'
import { eventually } from '../testing/eventually'
import { MESSAGES, opened } from '../testing/open-session'
import { REFUSED, storageInMemory } from '../testing/storage-in-memory'
import { readRecentModels, rememberModel, searchModels } from './model-search'
import {
  requestNear,
  requestViewOf,
  sentMessagesOf,
  shownConversationOf,
  shownDecisionsOf,
  shownMeasureOf,
} from './request-view'
import { calibrationOf, sessionOf } from './shown-session'

const replayedTokens = (state: PlaygroundState, request: number) => {
  const { before, after } = replayOf(state)?.requests[request] ?? {}
  return { before: before?.tokens, after: after?.tokens }
}

describe('an earlier request', () => {
  test('stays within the session, and ends when another conversation is chosen', async () => {
    const { store, actions } = await opened()
    actions.chooseRequest(99)
    expect(store.getState().request).toBe(20)
    actions.chooseRequest(-1)
    expect(store.getState().request).toBe(0)
    actions.chooseConversation(0)
    expect(store.getState().request).toBeUndefined()
  })
})

describe('showing an earlier request', () => {
  test('shows the decisions of that time, while the saved output stays the same', async () => {
    const { store, actions } = await opened()
    actions.changePolicy({ windowTurns: 3, batchTurns: 1 })
    const saved = outputTextOf(store.getState())
    actions.chooseRequest(10)
    const state = store.getState()
    const request = sessionOf(state)?.requests[10]
    expect(sentMessagesOf(state)).toBe(request?.end)
    expect(shownConversationOf(state)?.turnCount).toBe(10)
    expect(shownDecisionsOf(state)?.[0]?.map(({ reason }) => reason)).toEqual([
      ...Array(7).fill('masked'),
      ...Array(3).fill('in_window'),
    ])
    expect(shownMeasureOf(state)?.tokens).toEqual(replayedTokens(state, 10))
    expect(shownMeasureOf(state)).toMatchObject({ messages: 22, results: 10, maskedResults: 7 })
    expect(requestViewOf(state)).toMatchObject({ index: 10, count: 21, firstChanged: 15 })
    expect(outputTextOf(state)).toBe(saved)
    expect(state.selection).toMatchObject({ message: 21 })
    actions.chooseRequest(undefined)
    expect(shownMeasureOf(store.getState())).toEqual(measureOf(store.getState()))
    expect(shownDecisionsOf(store.getState())).toBe(decisionsOf(store.getState()))
  })

  test('has the bytes of its JSON as a body of chat completions', async () => {
    const { store, actions } = await opened()
    actions.changePolicy({ windowTurns: 3, batchTurns: 1 })
    const bytesOf = (state: PlaygroundState) =>
      [false, true].map((isMasked) =>
        Buffer.byteLength(JSON.stringify(JSON.parse(chatBodyOf(state, isMasked)?.text ?? ''))),
      )
    const [before, after] = bytesOf(store.getState())
    expect(jsonBytesOf(store.getState())).toEqual({ before, after })
    actions.chooseRequest(10)
    const shorter = await opened(
      JSON.stringify(MESSAGES.slice(0, sentMessagesOf(store.getState()))),
    )
    shorter.actions.changePolicy({ windowTurns: 3, batchTurns: 1 })
    const [then, masked] = bytesOf(shorter.store.getState())
    expect(jsonBytesOf(store.getState())).toEqual({ before: then, after: masked })
    expect(masked).toBeLessThan(then as number)
  })

  test('measures in the tokens that the replay uses', async () => {
    const charged = MESSAGES.map((message) =>
      'tool_calls' in message ? { ...message, usage: { prompt_tokens: 9_000 } } : message,
    )
    const log = [12, 24, 42].map((end) =>
      JSON.stringify({
        request: { messages: MESSAGES.slice(0, end) },
        response: { usage: { prompt_tokens: 30_000 + 50 * end } },
      }),
    )
    for (const text of [JSON.stringify(charged), log.join('\n')]) {
      const { store, actions } = await opened(text)
      actions.changePolicy({ windowTurns: 3, batchTurns: 1 })
      actions.chooseRequest(1)
      await eventually(() => expect(replayOf(store.getState())).toBeDefined())
      const state = store.getState()
      expect(calibrationOf(state)?.headTokens).toBeGreaterThan(0)
      expect(shownMeasureOf(state)?.tokens).toEqual(replayedTokens(state, 1))
    }
  })

  test("in a log, chooses the request's conversation", async () => {
    const lines = [4, 6, 8].map((end) => JSON.stringify({ messages: MESSAGES.slice(0, end) }))
    const { store, actions } = await opened(lines.join('\n'))
    actions.chooseRequest(1)
    expect(store.getState()).toMatchObject({ conversation: 1, request: undefined })
  })

  test('finds the request nearest to a message position', () => {
    const requests = [2, 4, 10].map((end) => ({ end, turnCount: 0, answer: end }))
    const near = [0, 3.5, 8, 11, 15].map((place) => requestNear(requests, place, 14))
    expect(near).toEqual([0, 1, 2, 2, undefined])
  })
})

test('without a query the makers’ newest models are offered, and the others are counted', async () => {
  const book = await loadPriceBook()
  const { groups, left } = searchModels(book, {}, '')
  const makers = groups.map(({ provider }) => provider).slice(0, 3)
  expect(makers).toEqual(['OpenAI', 'Anthropic', 'Google'])
  expect(groups[0]?.models[0]?.key).toMatch(/^openai\/gpt-6/)
  const listed = groups.flatMap(({ models }) => models)
  expect(listed.length + left).toBe(book.models.length)
})

test('a model the user added comes first', async () => {
  const book = await loadPriceBook()
  const own = { 'local/llm': { name: 'Our GPT' }, 'openai/gpt-5': { input: 1 } }
  expect(searchModels(book, own, 'gpt').groups[0]).toEqual({
    kind: 'custom',
    provider: undefined,
    models: [{ key: 'local/llm', name: 'Our GPT' }],
  })
})

const keysFor = async (query: string) =>
  searchModels(await loadPriceBook(), {}, query).groups.flatMap(({ models }) =>
    models.map(({ key }) => key),
  )

test.each([
  ['gpt-5', 'openai/gpt-5'],
  ['GPT-5', 'openai/gpt-5'],
  ['gpt-4o', 'openai/gpt-4o'],
  ['claude-sonnet-5', 'anthropic/claude-sonnet-5'],
  ['Claude Opus 5', 'anthropic/claude-opus-5'],
  ['deepseek-v4-pro', 'deepseek/deepseek-v4-pro'],
  ['kimi-k3', 'moonshotai/kimi-k3'],
  ['openai/gpt-5-mini', 'openai/gpt-5-mini'],
  ['qwen3.8', 'alibaba/qwen3.8-max'],
  ['no such model', undefined],
])('%s is found first', async (query, key) => {
  expect((await keysFor(query))[0]).toBe(key)
})

test('a word finds what people use before former models and platforms', async () => {
  const gpt = await keysFor('gpt')
  expect(gpt[0]).toMatch(/^openai\/gpt-6/)
  const davinci = gpt.indexOf('openai/text-davinci-003')
  expect(davinci === -1 || davinci > gpt.indexOf('openai/gpt-5')).toBe(true)
  expect(await keysFor('5 SONNET anthropic')).toContain('anthropic/claude-sonnet-5')
  expect((await keysFor('claude'))[0]).toMatch(/^anthropic\/claude-/)
})

test('without a query the current and recent models are on top, once', async () => {
  const book = await loadPriceBook()
  const recent = ['openai/gpt-5', 'anthropic/claude-opus-5', 'openai/gpt-5', 'gone/model']
  const { groups, left } = searchModels(book, {}, '', recent)
  expect(groups[0]).toMatchObject({ kind: 'recent' })
  expect(groups[0]?.models.map(({ key }) => key)).toEqual(recent.slice(0, 2))
  const keys = groups.flatMap(({ models }) => models.map(({ key }) => key))
  expect(new Set(keys).size).toBe(keys.length)
  expect(keys.length + left).toBe(book.models.length)
})

test('the models chosen last are remembered, latest first, and damaged storage is ignored', () => {
  const { stored, storage } = storageInMemory()
  for (const key of ['a', 'b', 'c', 'a', 'd', 'e', 'f']) rememberModel(storage, key)
  expect(readRecentModels(storage)).toEqual(['f', 'e', 'd', 'a', 'c'])
  for (const key of stored.keys()) stored.set(key, '{')
  expect(readRecentModels(storage)).toEqual([])
  rememberModel(REFUSED, 'a')
  expect(readRecentModels(REFUSED)).toEqual([])
})
