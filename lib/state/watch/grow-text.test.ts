/** A text that another program writes grows on the page: nothing that the user has done is lost or undone with it. */
import { expect, test } from 'vitest'
import { turnOf } from '@/lib/core/testing/conversation-of'
import { spawnInline } from '@/lib/worker/testing/spawn-inline'
import { sessionOf } from '../costs/shown-session'
import { createPlayground } from '../playground'
import { measureOf } from '../policy/policy-view'
import { eventually } from '../testing/eventually'

const linesOf = (from: number, until: number) =>
  Array.from({ length: until - from }, (_, at) =>
    turnOf(`call_${from + at}`, 'a line\n'.repeat(90)),
  )
    .flat()
    .map((message) => `${JSON.stringify(message)}\n`)
    .join('')

const START = `{"role":"user","content":"Go"}\n${linesOf(0, 6)}`

test('setting, selection, request and undo stay, and the figures are of the whole text', async () => {
  const { store, actions } = createPlayground(spawnInline)
  const { getState: get } = store
  const first = '[{"role":"user","content":"first"}]'
  actions.openText(first, 'first.json', { kind: 'file' })
  actions.openText(START, 'agent.jsonl', { kind: 'file' })
  await eventually(() => expect(measureOf(get())).toBeDefined())
  const before = measureOf(get())?.tokens.before ?? 0
  actions.changePolicy({ windowTurns: 2 })
  actions.endGesture()
  actions.chooseRequest(3)
  actions.select(4, undefined, 'page')
  const { document } = get().source
  for (const [from, until] of [
    [6, 8],
    [8, 12],
  ] as const)
    actions.followText(get().source.text + linesOf(from, until))
  expect(get().source.text).toBe(`{"role":"user","content":"Go"}\n${linesOf(0, 12)}`)
  await eventually(() => expect(sessionOf(get())?.requests).toHaveLength(13))
  expect(measureOf(get())?.tokens.before).toBeGreaterThan(before * 1.8)
  expect(get()).toMatchObject({ request: 3, selection: { message: 4 }, source: { document } })
  expect(get().policy.windowTurns).toBe(2)
  // An undo is of the setting; the text stays, and so does what comes next.
  actions.undo()
  expect(get().policy.windowTurns).not.toBe(2)
  expect(get().source.text).toContain('call_11')
  actions.followText(get().source.text + linesOf(12, 13))
  actions.redo()
  expect(get().policy.windowTurns).toBe(2)
  expect(get().source.text).toContain('call_12')
  actions.undo()
  actions.undo()
  expect(get().source.text).toBe(first)
})
