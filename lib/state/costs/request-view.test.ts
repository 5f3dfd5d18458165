import { describe, expect, test } from 'vitest'
import { decisionsOf, measureOf, outputTextOf, replayOf } from '../policy/policy-view'
import type { PlaygroundState } from '../store'
import { eventually } from '../testing/eventually'
import { MESSAGES, opened } from '../testing/open-session'
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
