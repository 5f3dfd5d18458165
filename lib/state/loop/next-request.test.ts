import { expect, test } from 'vitest'
import { readDocument } from '@/lib/core/formats/read-document'
import { STYLE_MESSAGES } from '@/lib/core/loop/loop-texts'
import { countConversation, requestTokens } from '@/lib/core/tokens/count-conversation'
import { loadEncoding } from '@/lib/core/tokens/encoding'
import { spawnInline } from '@/lib/worker/testing/spawn-inline'
import { familyOf } from '../costs/chosen-model'
import { createPlayground } from '../playground'
import { eventually, readOf } from '../testing/eventually'
import { nextRequestInputOf, nextRequestOf } from './next-request'

const call = (id: string) => {
  return { id, type: 'function', function: { name: 'read', arguments: '{"path":"a.txt"}' } }
}
const turn = (...ids: string[]) => ({ role: 'assistant', content: null, tool_calls: ids.map(call) })
const result = (id: string) => {
  return { role: 'tool', tool_call_id: id, content: `a long result of ${id} `.repeat(50) }
}
const SESSION = [
  { role: 'system', content: 'rules' },
  { role: 'user', content: 'go', timestamp: '2026-11-20T10:00:00Z' },
  ...['a', 'b', 'c'].flatMap((id) => [turn(id), result(id)]),
  turn('d', 'e'),
  result('d'),
]

async function open(messages: unknown) {
  const playground = createPlayground(spawnInline)
  playground.actions.openText(JSON.stringify(messages), 'run.json', { kind: 'file' })
  playground.actions.showNextRequest('en')
  const settled = () =>
    eventually(() => {
      const state = playground.store.getState()
      expect(readOf(state)).toBeDefined()
      const built = nextRequestOf(state)
      expect(built).toBeDefined()
      return built ?? undefined
    })
  return { ...playground, settled }
}

test('answers the open turn with its recorded results; a call without one was not run', async () => {
  const { actions, settled } = await open(SESSION)
  const built = await settled()
  expect(built?.calls.map(({ id, recorded }) => [id, recorded !== undefined])).toEqual([
    ['d', true],
    ['e', false],
  ])
  expect(built?.history).toEqual({ sent: 7, all: 7 })
  const { messages, model } = JSON.parse(built?.texts.whole ?? '{}')
  expect(model).not.toContain('/')
  expect(messages[1].content).toBe(STYLE_MESSAGES.en)
  expect(messages.at(-2).content).toBe(result('d').content)
  expect(messages.at(-1).content).toContain('not run.","code":"NOT_RUN"')
  actions.showNextRequest('fr')
  const french = JSON.parse((await settled())?.texts.whole ?? '{}').messages
  expect(french[1].content).toBe(STYLE_MESSAGES.fr)
  expect(french.at(-2)).toEqual(messages.at(-2))
})

test('is masked by the policy, and has the same counts as when opened on the page', async () => {
  const { actions, store, settled } = await open(SESSION)
  actions.changePolicy({ enabled: true, windowTurns: 1 })
  const built = await settled()
  const { countTokens } = await loadEncoding(familyOf(store.getState()).encoding)
  const tokens = [built?.texts.whole, built?.texts.masked].flatMap((text = '') =>
    readDocument(text).conversations.map((conversation) =>
      requestTokens(countConversation(conversation, countTokens)),
    ),
  )
  expect([built?.tokens.before, built?.tokens.after]).toEqual(tokens)
  expect(built?.tokens.after).toBeLessThan(built?.tokens.before ?? 0)
  expect(built?.placeholders).toHaveLength(3)
  actions.openText(built?.texts.masked ?? '', 'masked.json', { kind: 'paste' })
  expect((await settled())?.placeholders).toEqual(built?.placeholders)
})

test('is null without a turn, and asked for only while it is shown', async () => {
  const { actions, store } = await open([{ role: 'user', content: 'go' }])
  await eventually(() => expect(nextRequestOf(store.getState())).toBeNull())
  actions.showNextRequest(undefined)
  expect(nextRequestInputOf(store.getState())).toBeUndefined()
})

test('is saved under the key of its turn, with the known times', async () => {
  const { actions, settled } = await open(SESSION)
  const first = await settled()
  const { messages } = JSON.parse(first?.savedConversation.text ?? '')
  expect(messages[2].timestamp).toBe('2026-11-20T10:00:00.000Z')
  expect(messages.at(-2).timestamp).toBeUndefined()
  expect(Date.parse(messages.at(-1).timestamp)).toBeGreaterThan(Date.parse('2026-01-01'))
  const keyOf = async (more: unknown) => {
    actions.openText(JSON.stringify(more), 'other.json', { kind: 'file' })
    return (await settled())?.savedConversation.key
  }
  expect(await keyOf([...SESSION, { role: 'user', content: 'on' }])).toBe(
    first?.savedConversation.key,
  )
  expect(await keyOf([...SESSION, turn('f')])).not.toBe(first?.savedConversation.key)
})
