import { afterEach, describe, expect, test, vi } from 'vitest'
import { readDocument } from '@/lib/core/formats/read-document'
import { countConversation, requestTokens } from '@/lib/core/tokens/count-conversation'
import { loadEncoding } from '@/lib/core/tokens/encoding'
import type { SpawnWorker, WorkerLike } from '@/lib/worker/client'
import { spawnInline } from '@/lib/worker/testing/inline-worker'
import { createFollowUpTool, followUpOf, isFollowUpCurrent, turnCallsOf } from './loop-follow-up'
import { familyOf } from './models'
import { createPlayground } from './playground'

const call = (id: string) => ({
  id,
  type: 'function',
  function: { name: 'read', arguments: '{"path":"a.txt"}' },
})
const turn = (...ids: string[]) => ({
  role: 'assistant',
  content: null,
  tool_calls: ids.map(call),
})
const result = (id: string) => ({
  role: 'tool',
  tool_call_id: id,
  content: `a long result of ${id} `.repeat(50),
})
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
  const tool = createFollowUpTool(playground)
  playground.actions.openText(JSON.stringify(messages), 'run.json', { kind: 'file' })
  stops.push(tool.watch())
  const now = () => [playground.store.getState(), tool.store.getState()] as const
  const settled = async () => {
    await vi.waitFor(() => {
      const { read, source } = playground.store.getState()
      expect(read?.source.id).toBe(source.id)
      expect(isFollowUpCurrent(...now())).toBe(true)
    })
    return followUpOf(...now())
  }
  const request = async () => JSON.parse((await settled())?.texts.whole ?? '{}')
  return { ...playground, tool, settled, request }
}

describe('the follow-up of what is shown', () => {
  test('has the turn that is open, says what is recorded, and takes results for the rest', async () => {
    const { tool, settled, request } = await open(SESSION)
    const first = await settled()
    expect(first?.calls.map(({ id, recorded }) => [id, recorded !== undefined])).toEqual([
      ['d', true],
      ['e', false],
    ])
    expect(first?.history).toEqual({ sent: 7, all: 7 })
    expect((await request()).messages.at(-1).content).toContain('NOT_RUN')
    tool.setResult('e', { text: '{"ok":1}', isError: false, code: 'TOOL_MANAGER_ERROR' })
    expect((await request()).messages.at(-1).content).toBe('{"ok":1}')
    tool.setResult('d', { text: 'gone', isError: true, code: 'TIMEOUT' })
    expect(JSON.parse((await request()).messages.at(-2).content)).toEqual({
      success: false,
      error: 'gone',
      code: 'TIMEOUT',
    })
    tool.setResult('d', undefined)
    expect((await request()).messages.at(-2).content).toBe(result('d').content)
  })

  test('follows what is chosen: style, history, model, tools', async () => {
    const { tool, request } = await open(SESSION)
    tool.setStyle('fr')
    expect((await request()).messages[1].content).toContain('Contexte')
    tool.setStyle('own')
    tool.setStyleText('Be brief.')
    expect((await request()).messages[1].content).toBe('Be brief.')
    tool.setStyle('none')
    expect((await request()).messages[1].role).toBe('user')
    tool.setHistory(2)
    expect((await request()).messages).toHaveLength(1 + 1 + 2 + 3)
    tool.setModel('kimi-k3')
    tool.setLeavesOutTools(true)
    expect(Object.keys(await request())).toEqual(['model', 'messages', 'temperature'])
    tool.setModel(' ')
    expect(Object.keys(await request())).toEqual(['messages', 'temperature'])
  })

  test('is masked by the policy and counted as the page counts it once it is opened', async () => {
    const { actions, store, settled } = await open(SESSION)
    actions.changePolicy({ enabled: true, windowTurns: 1 })
    const built = await settled()
    const { countTokens } = await loadEncoding(familyOf(store.getState()).encoding)
    const tokensOf = (text: string) => {
      const [conversation] = readDocument(text).conversations
      if (conversation === undefined) throw new Error('no conversation')
      return requestTokens(countConversation(conversation, countTokens))
    }
    expect(built?.tokens).toEqual({
      before: tokensOf(built?.texts.whole ?? ''),
      after: tokensOf(built?.texts.masked ?? ''),
    })
    expect(built?.tokens.after).toBeLessThan(built?.tokens.before ?? 0)
    expect(built?.placeholders.map(({ callId, isOld }) => [callId, isOld])).toEqual([
      ['a', false],
      ['b', false],
      ['c', false],
    ])
    actions.openText(built?.texts.masked ?? '', 'masked.json', { kind: 'paste' })
    const again = await settled()
    expect(again?.placeholders.map(({ callId, isOld }) => [callId, isOld])).toEqual([
      ['a', true],
      ['b', true],
      ['c', true],
    ])
  })

  test('does not exist without a turn, and not of another document', async () => {
    const { actions, store, tool, settled } = await open(SESSION)
    await settled()
    actions.openText(JSON.stringify([{ role: 'user', content: 'go' }]), 'b.json', { kind: 'file' })
    await vi.waitFor(() => expect(store.getState().read?.source.name).toBe('b.json'))
    expect(followUpOf(store.getState(), tool.store.getState())).toBeUndefined()
    expect(await settled()).toBeUndefined()
    expect(turnCallsOf(store.getState(), tool.store.getState())).toEqual([])
  })

  test('stays in sight while the text it is of is edited', async () => {
    const { actions, store, tool, settled } = await open(SESSION)
    await settled()
    const now = () => [store.getState(), tool.store.getState()] as const
    const seen = new Set<string>()
    const look = () => seen.add(`${turnCallsOf(...now())?.map(({ id }) => id)}`)
    stops.push(store.subscribe(look), tool.store.subscribe(look))
    actions.replaceTyped(JSON.stringify([...SESSION, turn('f')]))
    expect((await settled())?.calls.map(({ id }) => id)).toEqual(['f'])
    expect([...seen]).toEqual(['d,e', 'f'])
  })

  test('takes the results of a run for the calls it has', async () => {
    const { tool, settled, request } = await open(SESSION)
    await settled()
    const given = [
      { tool_call_id: 'd', name: 'read', content: '', success: true },
      {
        tool_call_id: 'e',
        name: 'read',
        content: '{"success":false,"error":"No answer within 15 s.","code":"TIMEOUT"}',
        success: false,
      },
      { tool_call_id: 'z', name: 'read', content: 'other', success: true },
    ]
    expect(tool.takeResults(given)).toBe(2)
    const { messages } = await request()
    expect(messages.at(-2).content).toBe('')
    expect(messages.at(-1).content).toBe(given[1]?.content)
  })

  test('is kept as one thread whatever is chosen, with the times there are', async () => {
    const { tool, settled } = await open(SESSION)
    const first = await settled()
    tool.setHistory(0)
    tool.setStyle('none')
    tool.setResult('e', { text: 'ok', isError: false, code: 'TOOL_MANAGER_ERROR' })
    const other = await settled()
    expect(other?.thread.key).toBe(first?.thread.key)
    const { messages } = JSON.parse(other?.thread.text ?? '')
    expect(messages[1].timestamp).toBe('2026-11-20T10:00:00.000Z')
    expect(messages.at(-2).timestamp).toBeUndefined()
    expect(Date.parse(messages.at(-1).timestamp)).toBeGreaterThan(Date.parse('2026-01-01'))
    const another = await open([...SESSION, turn('f')])
    expect((await another.settled())?.thread.key).not.toBe(first?.thread.key)
  })

  test('is not asked of a worker that failed until it has read the text again', async () => {
    const workers: WorkerLike[] = []
    let asked = 0
    const spawn: SpawnWorker = (encoding) => {
      const worker = spawnInline(encoding)
      const { postMessage } = worker
      worker.postMessage = (message) => {
        if (message.job.kind === 'follow_up') asked++
        postMessage(message)
      }
      workers.push(worker)
      return worker
    }
    const { actions, tool, settled } = await open(SESSION, spawn)
    await settled()
    asked = 0
    workers[0]?.onerror?.({ message: 'out of memory' })
    tool.setHistory(2)
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(asked).toBe(1)
    actions.readAgain()
    expect((await settled())?.history.sent).toBe(3)
  })
})
