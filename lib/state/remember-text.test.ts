import fc from 'fast-check'
import { expect, test } from 'vitest'
import { forAll, testSize } from '@/lib/core/testing/test-size'
import { applyEdits, type Edit } from '@/lib/core/text/span'
import { spawnInline } from '@/lib/worker/testing/spawn-inline'
import type { SourceText } from './document/document-slice'
import { sizeOfEdits, walkTexts } from './document/remembered-source'
import { documentAfter, earlierSource } from './document/text-steps'
import {
  EMPTY_HISTORY,
  endGesture,
  type History,
  limitHistory,
  remember,
  takeStep as takeHistoryStep,
} from './history'
import { createPlayground } from './playground'
import type { PlaygroundState } from './store'
import { anyStep, LONG, takeStep } from './testing/any-steps'

type Whole = Pick<PlaygroundState, 'policy'> & { readonly source: SourceText }

test('undo and redo give the states that a history of whole states gives', () => {
  forAll(500, [fc.array(anyStep, { maxLength: 30 })], (steps) => {
    const playground = createPlayground(spawnInline)
    const { store, actions } = playground
    const state = (): Whole => {
      const { policy, source } = store.getState()
      return { policy, source }
    }
    actions.openText(LONG, 'a.jsonl', { kind: 'file' })
    let whole: History<Whole> = EMPTY_HISTORY
    for (const step of steps) {
      const before = state()
      if (step.kind === 'undo' || step.kind === 'redo') {
        const moved = takeHistoryStep(whole, step.kind === 'undo' ? 'past' : 'future', () => before)
        whole = moved?.history ?? whole
        actions[step.kind]()
        expect(state()).toEqual(moved?.snapshot ?? before)
      } else if (step.kind === 'endGesture') {
        whole = endGesture(whole)
        actions.endGesture()
      } else {
        takeStep(playground, step)
        const last = store.getState().history.past.at(-1)
        const after = state()
        const isStep = after.policy !== before.policy || after.source !== before.source
        const isOther = after.source.document !== before.source.document
        // A paste ends the gesture before it.
        if (step.kind === 'type' && isOther) whole = endGesture(whole)
        if (isStep) whole = remember(whole, before, last?.label ?? '', gestureOf(step))
      }
    }
    const { source, history } = store.getState()
    const walk = walkTexts(source.text)
    for (const { snapshot } of history.past.toReversed()) {
      walk.step(snapshot.source.text)
      expect(walk.length()).toBe(walk.make().length)
    }
    while (whole.past.length > 0) {
      const moved = takeHistoryStep(whole, 'past', state)
      whole = moved?.history ?? EMPTY_HISTORY
      actions.undo()
      expect(state()).toEqual(moved?.snapshot)
    }
    expect(store.getState().history.past).toEqual([])
  })
})

function gestureOf({ kind }: { readonly kind: string }): string | undefined {
  if (kind === 'window') return 'windowTurns'
  return kind === 'type' || kind === 'replace' ? 'type' : undefined
}

test('each typed character in a long text is a small edit', () => {
  const { store, actions } = createPlayground(spawnInline)
  const text = 'x'.repeat(testSize(100_000, 50_000_000))
  // Each edit writes the text anew.
  const typed = testSize(100, 20)
  actions.openText(text, 'a.txt', { kind: 'file' })
  for (let at = 0; at < typed; at++) {
    actions.editText([{ start: at * 999, end: at * 999 + 1, text: 'y' }])
    actions.endGesture()
  }
  const held = store.getState().history.past.map(({ snapshot }) => snapshot.source.text)
  expect(held).toHaveLength(typed)
  for (const edits of held) expect(sizeOfEdits(edits as readonly Edit[])).toBe(41)
  for (let step = 0; step < typed; step++) actions.undo()
  expect(store.getState().source.text === text).toBe(true)
})

test('opening the text that is open holds no text', () => {
  const { store, actions } = createPlayground(spawnInline)
  const text = 'x'.repeat(1000)
  for (const name of ['a.txt', 'b.txt']) actions.openText(text, name, { kind: 'file' })
  expect(store.getState().history.past.at(-1)?.snapshot.source.text).toEqual([])
})

test('an earlier text is found among texts of the same and of other lengths', () => {
  const { store, actions } = createPlayground(spawnInline)
  actions.openText(LONG, 'a.jsonl', { kind: 'file' })
  actions.editText([{ start: 1, end: 2, text: 'xyz' }])
  const { id } = store.getState().source
  actions.endGesture()
  actions.editText([{ start: 9, end: 9, text: 'y' }])
  const typed = applyEdits(LONG, [{ start: 1, end: 2, text: 'xyz' }])
  expect(earlierSource(store.getState(), typed)?.id).toBe(id)
  // As long as one of the texts, and of none of the lengths.
  expect(earlierSource(store.getState(), typed.replace('y', 'z'))).toBeUndefined()
  expect(earlierSource(store.getState(), `${typed}${LONG}`)).toBeUndefined()
  const { document } = store.getState().source
  const opened = { text: LONG, name: 'a.jsonl', origin: { kind: 'file' } } as const
  expect(documentAfter(store.getState(), 'open', opened)).toBe(document)
  expect(documentAfter(store.getState(), 'open', { ...opened, text: typed })).toBeUndefined()
})

test('the oldest steps are dropped when they are too large, the last one never', () => {
  let history = remember<string>(EMPTY_HISTORY, 'old', 'first')
  for (const snapshot of ['text', 'text', 'newer']) history = remember(history, snapshot, 'step')
  const limited = (limit: number) =>
    limitHistory(history, (text) => text.length, limit).past.map(({ snapshot }) => snapshot)
  expect(limited(13)).toEqual(['text', 'text', 'newer'])
  expect(limited(100)).toHaveLength(4)
  expect(limited(1)).toEqual(['newer'])
})
