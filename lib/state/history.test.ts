import { expect, test } from 'vitest'
import { EMPTY_HISTORY, endGesture, limitHistory, remember, takeStep } from './history'

test('undo and redo give the same states again', () => {
  let history = remember<string>(EMPTY_HISTORY, 'a', 'first')
  history = remember(history, 'b', 'second')
  const back = takeStep(history, 'past', () => 'c')
  expect(back?.snapshot).toBe('b')
  const further = takeStep(back?.history ?? EMPTY_HISTORY, 'past', () => 'b')
  expect(further?.snapshot).toBe('a')
  expect(takeStep(further?.history ?? EMPTY_HISTORY, 'past', () => 'a')).toBeUndefined()
  const forward = takeStep(further?.history ?? EMPTY_HISTORY, 'future', () => 'a')
  expect(forward?.snapshot).toBe('b')
  expect(forward?.history.past.at(-1)?.label).toBe('first')
})

test('steps of one gesture are one step until it ends', () => {
  let history = remember<string>(EMPTY_HISTORY, 'a', 'window', 'drag')
  history = remember(history, 'b', 'window', 'drag')
  expect(history.past).toHaveLength(1)
  history = remember(endGesture(history), 'c', 'window', 'drag')
  expect(history.past.map(({ snapshot }) => snapshot)).toEqual(['a', 'c'])
})

test('a pause after one gesture does not end another that began meanwhile', () => {
  let history = remember<string>(EMPTY_HISTORY, 'a', 'type', 'type')
  history = remember(history, 'b', 'window', 'drag')
  history = remember(endGesture(history, 'type'), 'c', 'window', 'drag')
  expect(history.past.map(({ snapshot }) => snapshot)).toEqual(['a', 'b'])
  history = remember(endGesture(history, 'drag'), 'd', 'window', 'drag')
  expect(history.past).toHaveLength(3)
})

test('a new step drops what was undone', () => {
  const back = takeStep(remember<string>(EMPTY_HISTORY, 'a', 'first'), 'past', () => 'b')
  expect(remember(back?.history ?? EMPTY_HISTORY, 'a', 'other').future).toEqual([])
})

test('the oldest steps are dropped when they are too large, the last one never; equal keys count once', () => {
  let history = remember<string>(EMPTY_HISTORY, 'old', 'first')
  for (const snapshot of ['text', 'text', 'newer']) history = remember(history, snapshot, 'step')
  const limited = limitHistory(history, (key) => ({ key, size: key.length }), 9)
  expect(limited.past.map(({ snapshot }) => snapshot)).toEqual(['text', 'text', 'newer'])
  expect(limitHistory(history, (key) => ({ key, size: key.length }), 100)).toBe(history)
  const last = limitHistory(history, (key) => ({ key, size: key.length }), 1)
  expect(last.past.map(({ snapshot }) => snapshot)).toEqual(['newer'])
})
