import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import OpenAI from 'openai'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { readDocument } from '../../core/formats/read-document'
import type { LoopEvent } from '../../core/loop/run-batch'
import { createVirtualClock } from '../../core/loop/testing/virtual-clock'
import { startProviderServer } from '../../core/testing/provider-server'
import { AnswerError, answerQuestion, type ChatRequest } from './answer-question'
import { createJsonLinesStore, createMemoryStore } from './message-store'
import { createToolLoop, type LoopTool, type ToolLoopOptions } from './tool-loop'

const folder = mkdtempSync(join(tmpdir(), 'tool-loop-'))

const call = (id: string, args: string, name = 'create_note') => {
  return { id, type: 'function', function: { name, arguments: args } }
}

/** A provider that makes the calls when it is offered tools, and answers from the results otherwise. */
async function connect(calls: readonly object[]) {
  const provider = await startProviderServer({
    isStrict: false,
    answer: ({ tools }) =>
      (tools as unknown[] | undefined)?.length
        ? { content: null, tool_calls: calls }
        : { content: 'I have created the note.' },
  })
  onTestFinished(provider.close)
  const client = new OpenAI({ apiKey: 'none', baseURL: provider.baseUrl, maxRetries: 0 })
  const send = (request: ChatRequest) => client.chat.completions.create(request)
  return { send, taken: provider.taken as readonly ChatRequest[] }
}

const CREATE_NOTE: LoopTool = {
  name: 'create_note',
  description: 'Creates a note.',
  parameters: { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] },
  run: ({ title }) => ({ success: true, note: { id: 'note-1', title } }),
}

function loopWith(options: Partial<ToolLoopOptions> = {}) {
  const events: LoopEvent[] = []
  const onEvent = (event: LoopEvent) => events.push(event)
  return { loop: createToolLoop({ tools: [CREATE_NOTE], onEvent, ...options }), events }
}

const inMemory = (send: (request: ChatRequest) => Promise<unknown>) => {
  return { send, store: createMemoryStore(), model: 'gpt-5' }
}

describe('a question with tools', () => {
  const path = join(folder, 'session.jsonl')

  test('leads to calls, results, a request without tools and an answer, all of them stored', async () => {
    const { send, taken } = await connect([call('call_1', '{"title":"Trip"}')])
    const { loop, events } = loopWith({ language: 'fr', user: 'its token' })
    const logs: string[] = []
    const store = createJsonLinesStore(path)
    const answer = await answerQuestion(loop, 'Create a note', {
      ...{ send, store, model: 'gpt-5', system: 'You keep notes.' },
      now: () => Date.UTC(2026, 0, 2),
      onRequest: ({ log }) => logs.push(log),
    })
    expect(answer.text).toBe('I have created the note.')
    expect(answer.results).toMatchObject([{ tool_call_id: 'call_1', success: true }])
    expect(answer.responses).toHaveLength(2)

    const [first, second] = taken
    expect(first?.tools?.map((tool) => tool.function.name)).toEqual(['create_note'])
    expect(second).toMatchObject({ tools: [], tool_choice: 'none', temperature: 0.2 })
    const roles = second?.messages.map(({ role }) => role)
    expect(roles?.join(' ')).toBe('system system user assistant tool')
    expect(second?.messages[1]?.content).toContain('Les outils demandés ont été exécutés')
    expect(second?.messages.at(-1)).toEqual({
      role: 'tool',
      tool_call_id: 'call_1',
      name: 'create_note',
      content: '{"success":true,"note":{"id":"note-1","title":"Trip"}}',
    })

    expect((await store.read()).map(({ role, timestamp }) => [role, timestamp])).toEqual(
      ['user', 'assistant', 'tool', 'assistant'].map((role) => [role, '2026-01-02T00:00:00.000Z']),
    )
    const text = readFileSync(path, 'utf8')
    expect(text + JSON.stringify(taken)).not.toContain('its token')
    const { conversations, problems } = readDocument(text)
    expect(problems).toEqual([])
    expect(conversations[0]).toMatchObject({ calls: [{ id: 'call_1' }], results: [{ turn: 0 }] })

    expect(events.map(({ kind }) => kind)).toEqual(['started', 'finished'])
    expect(loop.metrics().all).toMatchObject({ calls: 1, succeeded: 1, successRate: 1 })
    expect(loop.history()).toMatchObject([
      { callId: 'call_1', batch: expect.stringMatching(/^batch-[\da-f]{8}-1$/) },
    ])
    expect(logs[1]).toContain('results: 1, 0 failed')
    expect(logs[1]).toContain('tools: none, tool_choice none')
  })

  test('continues a stored conversation, masked in both requests and unmasked in the store', async () => {
    const { send, taken } = await connect([call('call_2', '{"title":"Budget"}')])
    const { loop } = loopWith()
    const store = createJsonLinesStore(path)
    const masked: number[] = []
    await answerQuestion(loop, 'And a budget', {
      ...{ send, store, model: 'gpt-5', policy: { enabled: true, windowTurns: 1 } },
      next: { style: 'Answer briefly.', topP: 0.9, maxCompletionTokens: 300 },
      onRequest: ({ maskedResults }) => masked.push(maskedResults),
    })
    const contentOf = (request: ChatRequest | undefined, id: string) =>
      request?.messages.find((one) => 'tool_call_id' in one && one.tool_call_id === id)?.content
    expect(masked).toEqual([0, 1])
    expect(taken[1]).toMatchObject({ top_p: 0.9, max_completion_tokens: 300 })
    expect(taken[1]?.messages[0]?.content).toBe('Answer briefly.')
    expect(contentOf(taken[0], 'call_1')).toContain('note-1')
    expect(contentOf(taken[1], 'call_1')).toContain('tool_call_id=call_1')
    expect(contentOf(taken[1], 'call_2')).toContain('Budget')
    const stored = (await store.read()).filter(({ role }) => role === 'tool')
    expect(stored.map(({ content }) => String(content).includes('note-1'))).toEqual([true, true])
  })

  test('is answered directly if the model calls nothing', async () => {
    const { send, taken } = await connect([])
    const { loop } = loopWith({ tools: [] })
    const memory = inMemory(send)
    const answer = await answerQuestion(loop, 'Hello', memory)
    expect(answer).toMatchObject({ text: 'I have created the note.', results: [] })
    expect(taken).toHaveLength(1)
    expect(taken[0]).not.toHaveProperty('tools')
    expect((await memory.store.read()).map(({ role }) => role)).toEqual(['user', 'assistant'])
  })

  test('sends repaired arguments to the tool and to the model, if asked to', async () => {
    const { send, taken } = await connect([call('call_1', "{'title': 'Trip',}")])
    const titles: unknown[] = []
    const run: LoopTool['run'] = ({ title }) => titles.push(title)
    const ask = (repair: boolean) => {
      const { loop } = loopWith({ tools: [{ ...CREATE_NOTE, run }], repair })
      return answerQuestion(loop, 'Create', inMemory(send))
    }
    const refused = await ask(false)
    expect(titles).toEqual([])
    expect(refused.results[0]?.content).toContain('INVALID_ARGUMENTS')
    await ask(true)
    expect(titles).toEqual(['Trip'])
    const sent = taken.at(-1)?.messages.find((message) => 'tool_calls' in message)
    expect(sent).toMatchObject({
      tool_calls: [{ function: { arguments: expect.stringMatching(/^\{"title": ?"Trip"\}$/) } }],
    })
    // What may lack data does not run.
    const { loop } = loopWith({ repair: true })
    const [cut] = await loop.run([{ id: 'cut', name: 'create_note', arguments: '{"title": "Tr' }])
    expect(cut?.content).toContain('INVALID_ARGUMENTS')
  })

  test('sends as much of the history as the limit allows in both requests, and is not masked away', async () => {
    const { send, taken } = await connect([call('call_9', '{"title":"x"}')])
    const earlier = Array.from({ length: 20 }, (_, at) => {
      return { role: at % 2 ? 'assistant' : 'user', content: `message ${at}` }
    })
    const store = createMemoryStore(earlier)
    const next = { historyMessages: 3, isWithoutStyle: true }
    const logs: string[] = []
    const onRequest = ({ log }: { readonly log: string }) => logs.push(log)
    await answerQuestion(loopWith().loop, 'Now', {
      ...{ ...inMemory(send), store, next, system: 'Rules', onRequest },
    })
    const shown = taken.map(({ messages }) => messages.map(({ content }) => content).slice(0, 5))
    const history = ['message 17', 'message 18', 'message 19', 'Now']
    expect(shown).toEqual([
      ['Rules', ...history],
      ['Rules', ...history],
    ])
    expect(logs[1]).toContain('style: left out by setting\nstructure: not asked for\n')
    // Ten messages by default, and the question.
    const byDefault = { ...inMemory(send), store: createMemoryStore(earlier) }
    await answerQuestion(loopWith().loop, 'Now', byDefault)
    expect(taken.slice(2).map(({ messages }) => messages.length)).toEqual([11, 14])
    const odd = await loopWith().loop.run(
      [null, { title: 'x' }].map((args, at) => {
        return { id: `${at}`, name: 'create_note', arguments: args as never }
      }),
    )
    expect(odd.map(({ success }) => success)).toEqual([false, true])
  })

  test('without an answer is an error with a code, and its second try replaces the first', async () => {
    const made = [call('call_1', '{"title":"x"}')]
    const answers = [
      { content: null, tool_calls: made },
      { content: 'Once more.', tool_calls: made },
      { content: ' ' },
      { content: 'Done.' },
    ]
    const send = async () => ({ choices: [{ message: answers.shift() }] })
    const memory = inMemory(send)
    const rolesOf = async () => (await memory.store.read()).map(({ role }) => role).join(' ')
    const asked = () => answerQuestion(loopWith().loop, 'Create', memory)
    const error: AnswerError = await asked().catch((reason) => reason)
    expect(error).toBeInstanceOf(AnswerError)
    expect(error).toMatchObject({ code: 'CALLED_AGAIN', results: [{ tool_call_id: 'call_1' }] })
    expect(await rolesOf()).toBe('user assistant tool')
    await expect(asked()).rejects.toMatchObject({ code: 'EMPTY_ANSWER' })
    expect(await rolesOf()).toBe('user')
    expect(await asked()).toMatchObject({ text: 'Done.' })
    expect(await rolesOf()).toBe('user assistant')
  })

  test('rejects with a sentence if the answer is not one of chat completions', async () => {
    const send = async () => ({ output: [] })
    const asked = answerQuestion(loopWith().loop, 'Create', inMemory(send))
    await expect(asked).rejects.toThrow('The answer has no choices[0].message')
  })
})

describe('calls', () => {
  const pending = (id: string, title: string, name = 'create_note') => {
    return { id, name, arguments: JSON.stringify({ title }) }
  }
  const codes = (results: readonly { readonly content: string }[]) =>
    results.map(({ content }) => JSON.parse(content).code ?? 'run')

  test('that do not fit their tool are refused with a sentence', async () => {
    const { loop } = loopWith()
    const [unknown, wrong] = await loop.run([
      pending('a', 'x', 'remove_note'),
      { id: 'b', name: 'create_note', arguments: '{"title":1}' },
    ])
    expect(unknown?.content).toContain('There is no tool \\"remove_note\\"; there are create_note.')
    expect(wrong?.content).toContain('title')
    expect(codes([unknown, wrong] as never)).toEqual(['INVALID_ARGUMENTS', 'INVALID_ARGUMENTS'])
  })

  test('are authorised one by one, with the user that the tool is told of too', async () => {
    const users: unknown[] = []
    const run: LoopTool<string>['run'] = (_, { user }) => users.push(user)
    const clock = createVirtualClock()
    const authorize: ToolLoopOptions<string>['authorize'] = ({ arguments: { title } }, user) => {
      if (title === 'slow') return new Promise(() => {})
      if (title === 'broken') throw new Error('no session')
      // JavaScript may give nothing.
      if (title === 'nothing') return undefined as unknown as boolean
      return title === 'mine' ? user === 'token' : title !== 'no' && String(title)
    }
    const loop = createToolLoop<string>({
      ...{ tools: [{ name: 'create_note', run }], user: 'token', authorize, clock },
    })
    const titles = ['mine', 'no', 'nothing', 'for admins', 'broken', 'slow']
    const running = loop.run(titles.map((title, at) => pending(`${at}`, title)))
    await clock.advance(15_000)
    const [first, ...others] = await running
    expect([first?.content, users]).toEqual(['1', ['token']])
    expect(others.map(({ content }) => JSON.parse(content).error)).toEqual([
      ...['The call is not authorised', 'The call is not authorised'],
      ...['The call is not authorised: for admins', 'The call is not authorised: no session'],
      'The call is not authorised: No answer within 15 s.',
    ])
    const { codes, stopped } = loop.metrics().all
    expect([codes, stopped]).toEqual([{ NOT_AUTHORIZED: 5 }, 5])
    // What was refused did not run, so it may be asked for again.
    expect(loop.history()).toHaveLength(1)
  })

  test('are refused in French with the words of the specification', async () => {
    const run = () => {
      throw new Error('occupé')
    }
    const tools = [CREATE_NOTE, { name: 'fail', run }]
    const { loop } = loopWith({ tools, language: 'fr', limits: { retries: 0 } })
    await loop.run([pending('a', 'x')])
    const refused = await loop.run([pending('a', 'y'), pending('b', 'x'), pending('c', '', 'fail')])
    expect(refused.map(({ content }) => JSON.parse(content))).toEqual([
      { success: false, error: 'Tool call déjà exécuté - anti-boucle', code: 'ANTI_LOOP_ID' },
      {
        ...{ success: false, code: 'ANTI_LOOP_SIGNATURE' },
        error: 'Signature exécutée très récemment (<30s)',
      },
      { success: false, error: 'Erreur ToolCallManager : occupé', code: 'TOOL_MANAGER_ERROR' },
    ])
    expect(loop.metrics().all.codes).toEqual({
      ...{ ANTI_LOOP_ID: 1, ANTI_LOOP_SIGNATURE: 1, TOOL_MANAGER_ERROR: 1 },
    })
  })

  test('that take too long are aborted, and the next one runs', async () => {
    const clock = createVirtualClock()
    const signals: AbortSignal[] = []
    const slow: LoopTool = {
      name: 'wait',
      run: (_, { signal }) => (signals.push(signal) === 1 ? new Promise(() => {}) : 'done'),
    }
    const { loop } = loopWith({ tools: [slow], clock })
    const running = loop.run([pending('a', '1', 'wait'), pending('b', '2', 'wait')])
    await clock.advance(15_000)
    const results = await running
    expect(results.map(({ content }) => content)).toEqual([
      '{"success":false,"error":"No answer within 15 s.","code":"TIMEOUT"}',
      'done',
    ])
    expect(signals[0]?.aborted).toBe(true)
  })

  test('of two batches wait for each other, and a tool that fails runs again', async () => {
    const order: string[] = []
    let failures = 1
    const tool: LoopTool = {
      name: 'note',
      run: async (_, { callId }) => {
        order.push(`${callId} starts`)
        await Promise.resolve()
        order.push(`${callId} ends`)
        if (failures-- > 0) throw new Error('busy')
      },
    }
    const { loop, events } = loopWith({ tools: [tool] })
    await Promise.all(['a', 'b'].map((id) => loop.run([pending(id, id, 'note')])))
    expect(order.map((line) => line[0])).toEqual(['a', 'a', 'a', 'a', 'b', 'b'])
    expect(events.map(({ kind }) => kind)).toContain('retried')
    expect(loop.metrics().all).toMatchObject({ succeeded: 2, retries: 1 })
  })
})

afterAll(() => rmSync(folder, { recursive: true }))
