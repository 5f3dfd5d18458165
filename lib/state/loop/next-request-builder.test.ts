import { afterEach, describe, expect, test } from 'vitest'
import { readDocument } from '@/lib/core/formats/read-document'
import { countConversation, requestTokens } from '@/lib/core/tokens/count-conversation'
import { loadEncoding } from '@/lib/core/tokens/encoding'
import { spawnInline } from '@/lib/worker/testing/spawn-inline'
import type { SpawnWorker } from '@/lib/worker/worker-client'
import { familyOf } from '../costs/chosen-model'
import { createPlayground } from '../playground'
import { eventually } from '../testing/eventually'
import {
  createNextRequestBuilder,
  isNextRequestCurrent,
  nextRequestOf,
  turnCallsOf,
} from './next-request-builder'
import { INITIAL_INPUTS, usualModelOf } from './next-request-inputs'

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

const stops: (() => void)[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})

async function open(messages: unknown, spawn: SpawnWorker = spawnInline) {
  const playground = createPlayground(spawn)
  const tool = createNextRequestBuilder(playground)
  playground.actions.openText(JSON.stringify(messages), 'run.json', { kind: 'file' })
  stops.push(tool.watch())
  const now = () => [playground.store.getState(), tool.store.getState()] as const
  const settled = async () => {
    await eventually(() => {
      const { read, source } = playground.store.getState()
      expect(read?.source.id).toBe(source.id)
      expect(isNextRequestCurrent(...now())).toBe(true)
    })
    return nextRequestOf(...now())
  }
  const request = async () => JSON.parse((await settled())?.texts.whole ?? '{}')
  return { ...playground, tool, now, settled, request }
}

describe('the next request', () => {
  test("answers the open turn with recorded results, and with the user's for the other calls", async () => {
    const { tool, settled, request } = await open(SESSION)
    const first = await settled()
    expect(first?.calls.map(({ id, recorded }) => [id, recorded !== undefined])).toEqual([
      ['d', true],
      ['e', false],
    ])
    expect(first?.history).toEqual({ sent: 7, all: 7 })
    expect((await request()).messages.at(-1).content).toContain('not run.","code":"NOT_RUN"')
    tool.setStyle('fr')
    expect((await request()).messages.at(-1).content).toContain('pas été exécuté')
    tool.setResult('e', { text: '{"ok":1}', isError: false, code: 'TOOL_MANAGER_ERROR' })
    expect((await request()).messages.at(-1).content).toBe('{"ok":1}')
    tool.setResult('d', { text: 'gone', isError: true, code: 'TIMEOUT' })
    const told = { success: false, error: 'gone', code: 'TIMEOUT' }
    expect(JSON.parse((await request()).messages.at(-2).content)).toEqual(told)
    tool.setResult('d', undefined)
    expect((await request()).messages.at(-2).content).toBe(result('d').content)
  })

  test('follows the form: style, history, model, tools', async () => {
    const { tool, store, request } = await open(SESSION)
    tool.setStyle('fr')
    expect((await request()).messages[1].content).toContain('Contexte')
    tool.setStyle('custom')
    tool.setStyleText('Be brief.')
    expect((await request()).messages[1].content).toBe('Be brief.')
    tool.setStyle('none')
    expect((await request()).messages[1].role).toBe('user')
    tool.change({ historyMessages: 2 })
    expect((await request()).messages).toHaveLength(1 + 1 + 2 + 3)
    tool.change({ model: 'kimi-k3', isWithoutTools: true })
    expect(Object.keys(await request())).toEqual(['model', 'messages', 'stream', 'temperature'])
    tool.change({ stream: true, maxCompletionTokens: 400, topP: 0.9, dateResults: true })
    expect(await request()).toMatchObject({ stream: true, max_completion_tokens: 400, top_p: 0.9 })
    expect((await request()).messages.at(-1)).toHaveProperty('timestamp')
    tool.change({ ...INITIAL_INPUTS, isWithoutTools: true, model: ' ' })
    expect((await request()).model).toBe(usualModelOf(store.getState()))
    expect(Object.keys(await request())).toEqual(['model', 'messages', 'stream', 'temperature'])
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

  test('is undefined without a turn, and for another document', async () => {
    const { actions, store, now, settled } = await open(SESSION)
    await settled()
    actions.openText(JSON.stringify([{ role: 'user', content: 'go' }]), 'b.json', { kind: 'file' })
    await eventually(() => expect(store.getState().read?.source.name).toBe('b.json'))
    expect(nextRequestOf(...now())).toBeUndefined()
    expect(await settled()).toBeUndefined()
    expect(turnCallsOf(...now())).toEqual([])
  })

  test('stays in view while its text is edited', async () => {
    const { actions, store, tool, now, settled } = await open(SESSION)
    await settled()
    const seen = new Set<string>()
    const look = () => seen.add(`${turnCallsOf(...now())?.map(({ id }) => id)}`)
    stops.push(store.subscribe(look), tool.store.subscribe(look))
    actions.replaceTyped(JSON.stringify([...SESSION, turn('f')]))
    expect((await settled())?.calls.map(({ id }) => id)).toEqual(['f'])
    expect([...seen]).toEqual(['d,e', 'f'])
  })

  test('applies simulated results to its calls', async () => {
    const { tool, settled, request } = await open(SESSION)
    await settled()
    const failed = '{"success":false,"error":"No answer within 15 s.","code":"TIMEOUT"}'
    const given = { d: '', e: failed, z: 'other' }
    const results = Object.entries(given).map(([id, content]) => {
      return { tool_call_id: id, name: 'read', content, success: id !== 'e' }
    })
    expect(tool.applyResults(results)).toBe(2)
    const { messages } = await request()
    expect(messages.at(-2).content).toBe('')
    expect(messages.at(-1).content).toBe(failed)
  })

  test('is saved under one key whatever is chosen, with the known times', async () => {
    const { tool, settled } = await open(SESSION)
    const first = await settled()
    const undated = JSON.parse(first?.savedConversation.text ?? '').messages.at(-1)
    expect(undated).toMatchObject({ tool_call_id: 'e', timestamp: expect.any(String) })
    tool.change({ historyMessages: 0 })
    tool.setStyle('none')
    tool.setResult('e', { text: 'ok', isError: false, code: 'TOOL_MANAGER_ERROR' })
    const other = await settled()
    expect(other?.savedConversation.key).toBe(first?.savedConversation.key)
    const { messages } = JSON.parse(other?.savedConversation.text ?? '')
    expect(messages[1].timestamp).toBe('2026-11-20T10:00:00.000Z')
    expect(messages.at(-2).timestamp).toBeUndefined()
    expect(Date.parse(messages.at(-1).timestamp)).toBeGreaterThan(Date.parse('2026-01-01'))
    const another = await open([...SESSION, turn('f')])
    expect((await another.settled())?.savedConversation.key).not.toBe(first?.savedConversation.key)
  })
})
