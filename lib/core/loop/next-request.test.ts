import { describe, expect, test } from 'vitest'
import { STYLE_MESSAGES } from './loop-texts'
import { buildNextRequest, type NextRequest, type NextRequestOptions } from './next-request'
import { idsOf, OPTIONS } from './testing/request-options'
import { writeRequestLog } from './write-request'

const call = (id: unknown) => {
  return { id, type: 'function', function: { name: 'read', arguments: '{}' } }
}
const turn = (...ids: unknown[]) => ({
  role: 'assistant',
  content: null,
  tool_calls: ids.map(call),
})
const result = (id: string, content = `result of ${id}`) => {
  return { role: 'tool', tool_call_id: id, content }
}
const user = (content: string) => ({ role: 'user', content })
const given = (id: string) => [{ tool_call_id: id, name: 'read', content: 'given', success: true }]

describe('a next request', () => {
  test('consists of system, style, history, user, turn and results, and prevents tool calls', () => {
    const rules = { role: 'system', content: 'rules' }
    const talk = [user('first'), { role: 'assistant', content: 'done' }, user('second')]
    const messages = [rules, ...talk, turn('a', 'b'), result('a')]
    expect(buildNextRequest(messages, given('b'), OPTIONS)?.request).toEqual({
      ...{ model: 'gpt-5', tools: [], tool_choice: 'none', stream: false, temperature: 0.2 },
      messages: [
        rules,
        { role: 'system', content: STYLE_MESSAGES.en },
        ...[...talk, turn('a', 'b')],
        { role: 'tool', tool_call_id: 'a', name: 'read', content: 'result of a' },
        { role: 'tool', tool_call_id: 'b', name: 'read', content: 'given' },
      ],
    })
  })

  test('does not exist without a tool call', () => {
    expect(buildNextRequest([user('hello')], [], OPTIONS)).toBeUndefined()
  })

  test.each([
    [10, ['one', '0', '1', '2', '3', '4']],
    [4, ['one', '3', '4']],
    [3, ['one', '4']],
    [1, ['one']],
    [0, ['one']],
  ])('with %i messages of history has complete turns and the user’s message', (limit, kept) => {
    const ids = ['0', '1', '2', '3', '4', 'last']
    const messages = [user('one'), ...ids.flatMap((id) => [turn(id), result(id)])]
    const built = buildNextRequest(messages, [], {
      ...OPTIONS,
      isWithoutStyle: true,
      historyMessages: limit,
    })
    expect(built?.history).toEqual({ sent: kept.length * 2 - 1, all: 11 })
    const shown = built?.request.messages.slice(0, -2).flatMap((message) => {
      if (message.role === 'user') return [message.content]
      return message.role === 'assistant' ? [idsOf(message)[0]] : []
    })
    expect(shown).toEqual(kept)
  })

  test('gives a new id to a call without one, or with one already used', () => {
    const messages = [user('go'), turn('a', 'a', null), result('a')]
    const built = buildNextRequest(messages, [], OPTIONS)
    const [assistant = {}, ...answers] = (built?.request.messages.slice(-4) ?? []) as object[]
    expect(idsOf(assistant)).toEqual(['a', 'call_1', 'call_2'])
    expect(answers).toMatchObject(['a', 'call_1', 'call_2'].map((id) => ({ tool_call_id: id })))
    const recorded = built?.calls.map((one) => one.recorded)
    expect(recorded).toEqual(['result of a', undefined, undefined])
  })

  test('preserves the ids of the answered turn, and renames older calls with the same ids', () => {
    const twice = [turn('a'), result('a', 'first'), turn('a'), result('a', 'second')]
    const messages = [user('go'), ...twice, turn('a')]
    const answers = buildNextRequest(messages, given('a'), OPTIONS)?.request.messages.flatMap(
      (one) => (one.role === 'tool' ? `${one.tool_call_id}: ${one.content}` : []),
    )
    expect(answers).toEqual(['call_2: first', 'call_1: second', 'a: given'])
  })

  test('contains only keys of the API: drops other keys, images and empty messages', () => {
    const odd = { id: 'a', function: 'read', arguments: { path: 'x' } }
    const messages = [
      { role: 'user', content: [{ type: 'image_url' }, { type: 'text', text: 'look' }], name: 'é' },
      { role: 'assistant', content: null },
      { role: 'critic', content: 'no' },
      { role: 'tool', tool_call_id: 'nobody', content: 'stray' },
      { role: 'developer', content: 'be quick' },
      { role: 'assistant', reasoning_content: 'hm', tool_calls: [odd, 'no call'] },
      { role: 'tool', tool_call_id: 'a', content: { rows: 2 } },
    ]
    const { request } = buildNextRequest(messages, [], {
      ...OPTIONS,
      isWithoutStyle: true,
    }) as NextRequest
    const read = { name: 'read', arguments: '{"path":"x"}' }
    expect(request.messages).toEqual([
      { role: 'developer', content: 'be quick' },
      { role: 'user', content: [{ type: 'text', text: 'look' }] },
      { ...turn(), tool_calls: [{ ...call('a'), function: read }] },
      { role: 'tool', tool_call_id: 'a', name: 'read', content: '{"rows":2}' },
    ])
  })

  test('has the time of each message that has one in the transcript', () => {
    const at = '2026-11-20T10:00:00.000Z'
    const dated = [turn('a'), result('a')].map((message) => ({ ...message, timestamp: at }))
    const messages = [user('go'), ...dated]
    const recorded = buildNextRequest(messages, [], OPTIONS)
    const time = Date.parse(at)
    expect(recorded?.times).toEqual([undefined, undefined, time, time])
    expect(buildNextRequest(messages, given('a'), OPTIONS)?.times.at(-1)).toBeUndefined()
  })

  test('can stream, limit its answer, and date its results as JSON text', () => {
    const messages = [
      user('go'),
      turn('a', 'b', 'c', 'd'),
      { ...result('d'), content: ['{"rows":', ' 3}'].map((text) => ({ type: 'text', text })) },
      { ...result('a', 'two\nlines'), timestamp: '2025-10-09T08:53:20.000Z' },
      result('b', '{"rows": 2}'),
    ]
    const limits = { stream: true, maxCompletionTokens: 500, topP: 0.9 }
    const options = {
      ...OPTIONS,
      ...limits,
      isWithoutStyle: true,
      dateResults: true,
      language: 'fr',
    } as const
    const built = buildNextRequest(messages, [], options, Date.UTC(2026, 0, 2))
    expect(built?.request).toMatchObject({ stream: true, max_completion_tokens: 500, top_p: 0.9 })
    const now = '2026-01-02T00:00:00.000Z'
    const notRun = '{"success":false,"error":"L\'appel n\'a pas été exécuté.","code":"NOT_RUN"}'
    expect(built?.request.messages.slice(2)).toEqual(
      [
        ['a', '"two\\nlines"', '2025-10-09T08:53:20.000Z'],
        ['b', '{"rows": 2}', now],
        ['c', notRun, now],
        ['d', '{"rows": 3}', now],
      ].map(([tool_call_id, content, timestamp]) => {
        return { role: 'tool', tool_call_id, name: 'read', content, timestamp }
      }),
    )
  })

  test('has a log of its structure', () => {
    const messages = [{ role: 'system', content: 'rules' }, user('go '.repeat(60)), turn('a', 'b')]
    const built = buildNextRequest(messages, given('b'), OPTIONS) as NextRequest
    expect(writeRequestLog(built)).toBe(
      [
        'system: rules',
        `style: ${OPTIONS.style.length} characters`,
        'structure: 4 steps, required',
        'history: 1 of 1 messages',
        `user: ${'go '.repeat(60).slice(0, 100)}…`,
        'calls: 2 (read a, read b)',
        'results: 2, 1 failed',
        'tools: none, tool_choice none',
        'model: gpt-5, temperature 0.2, stream false',
        '',
      ].join('\n'),
    )
    const bare = { ...OPTIONS, isWithoutStyle: true, model: undefined }
    const logOf = (options: NextRequestOptions) =>
      writeRequestLog(buildNextRequest([turn('a')], [], options) as NextRequest)
    expect(logOf(bare)).toMatch(
      /^system: none\nstyle: left out by setting\nstructure: not asked for\n.*\nuser: none\n.*\nmodel: none/s,
    )
    expect(logOf({ ...OPTIONS, style: 'Be brief.' })).toContain('as the custom style says')
    expect(logOf({ ...OPTIONS, isWithoutTools: true })).toContain('\ntools: omitted\n')
    // A blank text is not a decision to leave the message out.
    const blank = buildNextRequest([turn('a')], [], { ...OPTIONS, style: ' ', language: 'fr' })
    expect(blank?.request.messages[0]?.content).toBe(STYLE_MESSAGES.fr)
  })

  test.each([
    ['en', /Example: /g, /empath.*/, /no answer without this structure/, /4 to 6 sentences/],
    ['fr', /Exemple : /g, /empath.*/, /aucune réponse sans cette structure/, /4 à 6 phrases/],
  ] as const)(
    'a style message has four steps with an example each, and no answer without them: %s',
    (language, example, ...rules) => {
      const message = STYLE_MESSAGES[language]
      expect([message.match(example), message.match(/^\d\. /gm)]).toMatchObject([
        { length: 4 },
        { length: 4 },
      ])
      for (const rule of rules) expect(message).toMatch(rule)
    },
  )

  test('is built in one pass over many thousand turns', () => {
    const messages = Array.from({ length: 20_000 }, (_, at) => [turn(`${at}`), result(`${at}`)])
    const built = buildNextRequest(messages.flat(), [], { ...OPTIONS, historyMessages: 100_000 })
    expect(built?.history).toEqual({ sent: 39_998, all: 39_998 })
  })
})
