import { describe, expect, test } from 'vitest'
import { inEnglish } from '@/lib/core/words/english'
import { spawnInline } from '@/lib/worker/testing/spawn-inline'
import { createPlayground } from '../playground'
import { eventually } from '../testing/eventually'
import { THREE_TURNS } from '../testing/three-turns'
import { copiedRequestsIn } from './document-reader'

describe('a request copied as code', () => {
  const command = `curl 'https://api.example.com/v1/chat' -H 'authorization: x' --data-raw '{"messages": ${THREE_TURNS}}'`

  /** A page into which a text is pasted. */
  function pasted(text: string) {
    const { store, actions } = createPlayground(spawnInline)
    actions.openText(text, 'request.txt', { kind: 'paste' })
    const until = (state: string) =>
      eventually(() => expect(store.getState().reading.state).toBe(state))
    return { store, actions, until }
  }

  test('does not replace what is typed while the code that reads it loads', async () => {
    const { store, actions, until } = pasted(command)
    actions.replaceTyped(THREE_TURNS)
    await until('read')
    const { source, read, notices } = store.getState()
    expect([source.text, read?.source.text, notices]).toEqual([THREE_TURNS, THREE_TURNS, []])
  })

  test('is replaced by its JSON body with a notice, and undo brings it back', async () => {
    const { store, actions, until } = pasted(command)
    await until('read')
    expect(store.getState().source.text).toBe(`{"messages": ${THREE_TURNS}}`)
    const place = 'POST api.example.com/v1/chat'
    const values = { kind: { key: 'curl_command' }, count: 1, place }
    expect(store.getState().notices).toMatchObject([{ code: 'body_extracted', values }])
    actions.undo()
    await until('failed')
    expect(store.getState().source.text).toBe(command)
    expect(store.getState().reading).toMatchObject({ problem: { code: 'copied_request' } })
    actions.redo()
    await until('read')
  })

  test('streamed answers are replaced by their messages, and the notice names what is wrong', async () => {
    const choices = [{ index: 0, delta: { content: 'Hello.' } }]
    const capture = `data: ${JSON.stringify({ id: '1', model: 'gpt-5', choices })}\n\n`
    const { store, actions, until } = pasted(capture)
    await until('read')
    expect(JSON.parse(store.getState().source.text).messages).toMatchObject([
      { role: 'assistant', content: 'Hello.' },
    ])
    const [notice] = store.getState().notices
    expect(notice).toMatchObject({ code: 'stream_read_alone', values: { count: 1, wrong: 1 } })
    expect(inEnglish(notice?.values.reasons ?? '')).toContain('ends without a "finish_reason"')
    actions.undo()
    await until('failed')
    expect(store.getState().source.text).toBe(capture)
  })

  test('is replaced once all pieces of a paste have arrived', async () => {
    const { store, actions, until } = pasted('')
    const half = command.slice(0, 90)
    actions.editText([{ start: 0, end: 0, text: half }])
    actions.editText([{ start: half.length, end: half.length, text: command.slice(90) }])
    await until('read')
    expect(store.getState().source.text).toBe(`{"messages": ${THREE_TURNS}}`)
    actions.undo()
    expect(store.getState().source.text).toBe(command)
  })

  test('stays if it has no JSON body, and the problem says why', async () => {
    const { store, until } = pasted("curl 'https://example.com/'")
    await until('failed')
    const { reading, source, notices } = store.getState()
    expect(reading).toMatchObject({ problem: { code: 'copied_request_without_json' } })
    expect([source.text, notices]).toEqual(["curl 'https://example.com/'", []])
  })
})

const PART = 1_000_000
const ANSWER = '{"choices":[{"index":0,"delta":{"content":"hi"}}],"object":"chat.completion.chunk"}'
const sourceOf = (text: string) =>
  ({ id: 1, document: 1, text, name: 'a', origin: { kind: 'file' } }) as const

test('a long text of JSON is no copied request', async () => {
  const text = `[${'{"content": "data: 1"},\n'.repeat(200_000)}{}]`
  expect(await copiedRequestsIn(sourceOf(text))).toBeUndefined()
})

test.each([-6, -3, -1, 0, 1])(
  'streamed events are found after long JSON, %i units from a part',
  async (at) => {
    const request = JSON.stringify({ messages: [{ role: 'user', content: 'x'.repeat(5 * PART) }] })
    const text = `${request.padEnd(6 * PART + at)}\ndata: ${ANSWER}\n\ndata: [DONE]\n`
    const found = { kind: 'streamed_answer', count: 1 }
    expect(await copiedRequestsIn(sourceOf(text))).toMatchObject(found)
  },
)
