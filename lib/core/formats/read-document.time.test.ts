import { test } from 'vitest'
import { lastConversationOf, prepareSession } from '../fleet/measure-sessions'
import { maskDocument } from '../mask/mask-document'
import { DEFAULT_POLICY } from '../policy/policy'
import { UNKNOWN_PRICES } from '../replay/price-sheet'
import { replayPrepared } from '../replay/replay'
import { createSessions } from '../replay/sessions'
import { turnOf } from '../testing/conversation-of'
import { expectLinear } from '../testing/expect-linear'
import { countQuarters } from '../testing/policies'
import { testSize } from '../testing/test-size'
import { countConversation } from '../tokens/count-conversation'
import { readDocument } from './read-document'

const POLICY = { ...DEFAULT_POLICY, enabled: true }
const TERMS = { prices: UNKNOWN_PRICES, rule: { kind: 'none' } } as const

const list = <Item>(length: number, item: (at: number) => Item) =>
  Array.from({ length }, (_, at) => item(at))
const line = (text: string) => JSON.stringify(list(9, (at) => turnOf(`c${at}`, text)).flat())
const calls = (size: number) =>
  list(size, (at) => ({ id: `c${at}`, function: { name: 'read', arguments: '{}' } }))
const results = (size: number) => list(size, (at) => turnOf(`c${at}`, `result ${at}`)[1])
/** Every twentieth answer has signed thinking of a model that refuses changes before it. */
const signedTurns = (size: number) =>
  JSON.stringify({
    model: 'claude-opus-5-5',
    max_tokens: 9,
    messages: list(size, (at) => [
      {
        role: 'assistant',
        content: [
          ...(at % 20 === 0 ? [{ type: 'thinking', thinking: 'so', signature: 'x' }] : []),
          { type: 'tool_use', id: `c${at}`, name: 'read', input: {} },
        ],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: `c${at}`, content: `${at}` }] },
    ]).flat(),
  })
const EXTRA = `"messages":${JSON.stringify(turnOf('a', 'x'))}`

test.each<[string, number, (size: number) => string]>([
  [
    'calls of one turn',
    1_000,
    (size) =>
      JSON.stringify([
        { role: 'assistant', content: null, tool_calls: calls(size) },
        ...results(size),
      ]),
  ],
  ['results without a call', 2_000, (size) => JSON.stringify(results(size))],
  ['conversations', 200, (size) => list(size, (at) => `{"messages":${line(`${at}`)}}`).join('\n')],
  ['keys beside the messages', 5_000, (size) => `{${list(size, (at) => `"k${at}":1`)},${EXTRA}}`],
  ['the same key', 5_000, (size) => `{${'"role":"x",'.repeat(size)}${EXTRA}}`],
  ['signed thinking', 200, (size) => signedTurns(size)],
  ['digits', 50_000, (size) => `{"n":${'9'.repeat(size)},${EXTRA}}`],
  ['exponents', 5_000, (size) => `{"n":[${list(size, () => '1e999999999')}],${EXTRA}}`],
  ['lone surrogates', 50_000, (size) => line('\ud800'.repeat(size))],
  ['words of one line', 50_000, (size) => line('all in one line '.repeat(size / 16))],
  ['lines that are no JSON', 5_000, (size) => `{${EXTRA}}\n${'{"a":\n'.repeat(size)}`],
])('%s are read, counted, masked and replayed in linear time', async (_, eighth, make) => {
  const size = testSize(eighth, 4 * eighth)
  await expectLinear(
    (factor) => make(size * factor),
    (text) => {
      const { conversations } = readDocument(text)
      const counts = conversations.map((one) => countConversation(one, countQuarters))
      maskDocument({ text, conversations }, POLICY, countQuarters)
      for (const session of createSessions(conversations, counts)) {
        const texts = conversations[lastConversationOf(session)]?.resultTexts ?? []
        const prepared = prepareSession(session, texts, POLICY, countQuarters)
        replayPrepared(prepared, POLICY, TERMS)
      }
    },
  )
})
