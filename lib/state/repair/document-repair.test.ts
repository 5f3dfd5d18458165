import { expect, test } from 'vitest'
import { riskOf } from '@/lib/core/repair/repair-strategies'
import { spawnInline } from '@/lib/worker/testing/spawn-inline'
import { createPlayground } from '../playground'
import type { PlaygroundState } from '../store'
import { eventually, openedOnce } from '../testing/eventually'
import { repairOf } from './document-repair'
import { outcomeOf, repairedTextOf, repairParts, strategiesOf } from './shown-repair'

function transcript(written: string): string {
  return `[{"role": "assistant", "content": null, "tool_calls": [{"id": "a", "type": "function",
   "function": {"name": "find", "arguments": ${written}}}]}, {"role": "tool", "tool_call_id": "a", "content": "x"}]\r\n`
}

const opened = (written: string) => openedOnce(repairOf, transcript(written))

test('malformed arguments are found once a document is counted; the repaired text changes nothing else', async () => {
  const { store } = await opened('"{\\"q\\": 1,}"')
  const state = store.getState()
  expect(repairOf(state)?.metrics).toMatchObject({ calls: 1, repaired: 1 })
  expect(repairedTextOf(state)).toBe(transcript('"{\\"q\\": 1}"'))
  expect(state.source.text).toBe(transcript('"{\\"q\\": 1,}"'))
})

test('if all arguments parse, there is no repaired text', async () => {
  const { store } = await opened('"{\\"q\\": 1}"')
  expect(repairOf(store.getState())?.calls).toEqual([])
  expect(repairedTextOf(store.getState())).toBeUndefined()
})

test('raising the limits repairs what was not tried before', async () => {
  const { store, actions } = await opened('"] ] \\"a\\" : 1 ]"')
  const outcome = () => repairOf(store.getState())?.calls.map(outcomeOf)
  expect(outcome()).toEqual(['loss'])
  actions.setRepairSettings({ attempts: 0 })
  await eventually(() => expect(outcome()).toEqual(['left']))
  expect(repairOf(store.getState())?.metrics.failures).toEqual([
    { failure: 'too_many_attempts', calls: 1 },
  ])
  expect(repairedTextOf(store.getState())).toBeUndefined()
  actions.setRepairSettings({ attempts: 1 })
  await eventually(() => expect(outcome()).toEqual(['loss']))
})

test('a repair belongs to its document', async () => {
  const { store, actions } = await opened('"{\\"q\\": 1,}"')
  actions.openText(transcript('"{}"'), 'other.json', { kind: 'file' })
  await eventually(() => expect(repairOf(store.getState())?.calls).toEqual([]))
  expect(repairedTextOf(store.getState())).toBeUndefined()
})

test('the worker repairs a typed text without a document', async () => {
  const { actions } = createPlayground(spawnInline)
  const tried = await actions.tryRepair("{'a': NaN}")
  expect(tried?.result).toMatchObject({ state: 'repaired', text: '{"a": null}' })
  expect(tried && strategiesOf(tried.result)).toEqual(['single_quotes', 'nan_and_infinity'])
  expect(tried && riskOf(tried.result)).toBe('loss')
})

const failureOf = ({ reading }: PlaygroundState) =>
  reading.state === 'failed' ? reading : undefined

async function piecesOf(text: string) {
  const tried = await createPlayground(spawnInline).actions.tryRepair(text)
  if (tried === undefined) throw new Error('The worker gave no answer.')
  return repairParts({ before: tried.text, result: tried.result })
}

test('the pieces add up to both texts, with changes marked', async () => {
  const { before, after, isWhole } = await piecesOf("{'a': 1 'b': True,}")
  const joined = (list: typeof before) => list.map(({ text }) => text).join('')
  expect(joined(before)).toBe("{'a': 1 'b': True,}")
  expect(joined(after)).toBe('{"a": 1, "b": true}')
  const changed = before.filter(({ isChanged }) => isChanged)
  expect(changed.map(({ text }) => text)).toContain('True')
  expect(isWhole).toBe(true)
})

test('long arguments are cut', async () => {
  const { before, after, isWhole } = await piecesOf(`[${'1 '.repeat(30_000)}]`)
  expect(isWhole).toBe(false)
  expect(before.length + after.length).toBeLessThan(5000)
})

test('a text that is nearly JSON is repaired in one undo step', async () => {
  const text = "[{'role': 'user', 'content': None},]"
  const { store, actions } = await openedOnce(failureOf, text, 'repr.txt')
  expect(failureOf(store.getState())).toMatchObject({ problem: { code: 'invalid_json' } })
  actions.repairSource()
  await eventually(() => expect(store.getState().reading).toEqual({ state: 'read' }))
  expect(store.getState().source.text).toBe('[{"role": "user", "content": null}]')
  actions.undo()
  expect(store.getState().source).toMatchObject({ text, name: 'repr.txt' })
})

test('no repair is offered where its result is no conversation', async () => {
  const { store } = await openedOnce(failureOf, '{"a": [1, 2,]}')
  expect(failureOf(store.getState())).toMatchObject({ repair: undefined })
})
