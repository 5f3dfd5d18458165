/** Inputs made to break a reader, a counter or a scan. A new one is a row. */
import { gzipSync, zipSync } from 'fflate'
import { packText } from '../../lib/core/share/link/packed-text'

export type Input = string | Uint8Array

/** What is run with an input. */
export type Stage = 'open' | 'sweep' | 'error rules' | 'link' | 'transcript in a link' | 'archive'

export interface HostileInput {
  readonly stage: Stage
  readonly name: string
  readonly make: () => Input
  /** Most seconds of processor time it may take. */
  readonly bound: number
}

const MB = 1_000_000
const repeat = (part: string, chars: number) => part.repeat(Math.ceil(chars / part.length))
const list = <Item>(length: number, item: (index: number) => Item) =>
  Array.from({ length }, (_, index) => item(index))

const call = (id: string) => ({ id, type: 'function', function: { name: 'read', arguments: '{}' } })
const result = (id: string, content: unknown) => ({ role: 'tool', tool_call_id: id, content })
const turn = (id: string, content: unknown) => [
  { role: 'assistant', content: null, tool_calls: [call(id)] },
  result(id, content),
]
/** A conversation of a few turns whose first result is this text. */
const resultOf = (text: string) =>
  JSON.stringify([
    { role: 'user', content: 'go' },
    ...turn('a', text),
    ...list(9, (at) => turn(`b${at}`, 'x')).flat(),
  ])

const asGzip = (bytes: Uint8Array) => gzipSync(bytes, { level: 6 })

function inputs(
  stage: HostileInput['stage'],
  bound: number,
  rows: Readonly<Record<string, () => Input>>,
): readonly HostileInput[] {
  return Object.entries(rows).map(([name, make]) => ({ stage, name, make, bound }))
}

export const HOSTILE_INPUTS: readonly HostileInput[] = [
  ...inputs('open', 15, {
    '400 requests of a log, each with one message more': () => {
      const messages = list(400, (at) => turn(`c${at}`, `result ${at}`)).flat()
      return list(400, (at) =>
        JSON.stringify({ model: 'm', messages: messages.slice(0, 2 * at + 2) }),
      ).join('\n')
    },
  }),
  ...inputs('sweep', 5, {
    '1,000 turns': () => JSON.stringify(list(1_000, (at) => turn(`c${at}`, `result ${at}`)).flat()),
    '100 turns whose ids are all equal': () =>
      JSON.stringify(list(100, (at) => turn('a', `result ${at}`)).flat()),
  }),
  ...inputs('open', 5, {
    'one line of 10 MB in a result': () => resultOf(repeat('all in one line ', 10 * MB)),
    '50,000 calls in one turn': () =>
      JSON.stringify([
        { role: 'assistant', content: null, tool_calls: list(50_000, (at) => call(`c${at}`)) },
        ...list(50_000, (at) => result(`c${at}`, `result ${at}`)),
      ]),
    '500 turns whose ids are all equal': () =>
      JSON.stringify(list(500, (at) => turn('a', `result ${at}`)).flat()),
    '10,000 conversations in JSON Lines': () =>
      list(10_000, (at) => JSON.stringify({ messages: turn(`c${at}`, 'result') })).join('\n'),
    '100,000 results without a call': () =>
      JSON.stringify(list(100_000, (at) => result(`c${at}`, 'x'))),
    'an object of 200,000 keys beside the messages': () =>
      JSON.stringify({
        messages: turn('a', 'x'),
        metadata: Object.fromEntries(list(200_000, (at) => [`key ${at}`, at])),
      }),
    'a key given 100,000 times': () =>
      `{${repeat('"role":"x",', 1.1 * MB)}"messages":${JSON.stringify(turn('a', 'x'))}}`,
    '__proto__ as key of every object': () =>
      `[${list(5_000, (at) => `{"__proto__":{"role":"tool"},"role":"user","content":"${at}"}`).join()}]`,
    'a number of 1 MB': () =>
      `{"n":${repeat('9', MB)},"messages":${JSON.stringify(turn('a', 'x'))}}`,
    '100,000 exponents beyond every number': () =>
      `{"n":[${list(100_000, () => '1e999999999').join()}],"messages":${JSON.stringify(turn('a', 'x'))}}`,
    '1 MB of lone surrogates': () => resultOf(repeat('\ud800', MB)),
    'JSON in a string, ten times': () => {
      let text = JSON.stringify(turn('a', 'x'))
      for (let level = 0; level < 10; level++)
        text = JSON.stringify([{ role: 'user', content: text }])
      return text
    },
    '100,000 lines that are not JSON': () =>
      `${JSON.stringify({ messages: turn('a', 'x') })}\n${repeat('{"a":\n', 600_000)}`,
    'a cURL command of 5 MB of quotes': () =>
      `curl https://example.org -d '${repeat("'\\''", 5 * MB)}'`,
  }),
  ...inputs('open', 1, {
    '100,000 nested arrays': () => '['.repeat(100_000),
    '100,000 nested objects, closed': () => `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`,
    'ten thousand zero bytes': () => new Uint8Array(10_000),
    'NUL inside JSON': () => `${resultOf('x').slice(0, 40)}\u0000${resultOf('x').slice(40)}`,
  }),
  ...inputs('open', 2, {
    '1 MB of spaces': () => resultOf(repeat(' ', MB)),
    '1 MB of one letter': () => resultOf(repeat('a', MB)),
    '1 MB of one Chinese character': () => resultOf(repeat('中', MB / 3)),
    '1 MB of base64': () =>
      resultOf(
        list(
          MB,
          (at) =>
            'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'[
              (at * 7919 + (at >> 4) * 31) % 64
            ],
        ).join(''),
      ),
  }),
  ...inputs('error rules', 0.5, {
    'error in quotes, no colon, 1 MB': () => repeat('"error', MB),
    'error in quotes before 1 MB of spaces': () => `"error"${repeat(' ', MB)}`,
    'beginnings of every mark, 1 MB': () =>
      repeat('tracebac exceptio timeou connect_erro connection refuse ', MB),
    'an error object nested 1 MB deep': () =>
      `{"status":"error","a":${'['.repeat(MB)}${']'.repeat(MB)}}`,
    'error_ repeated, 1 MB': () => repeat('error_', MB),
  }),
  ...inputs('link', 1, {
    '10,000 characters of rubbish': () => repeat('A%!8&=', 10_000),
    '1 MB of % signs': () => repeat('%', MB),
    '100,000 unknown keys': () => list(100_000, (at) => `k${at}=${at}`).join('&'),
    '100,000 excluded tools': () => `v=2&x=${repeat('bash,', 500_000)}`,
  }),
  ...inputs('transcript in a link', 2, {
    'a bomb: 50 MB packed into 65 kB': () => packText(' '.repeat(50 * MB)),
    '1 MB that is not packed': () => repeat('A', MB),
  }),
  ...inputs('archive', 6, {
    'a gzip bomb of 1 GB, packed twice': () => {
      const part = new Uint8Array(100 * MB)
      const packed = asGzip(part)
      const whole = new Uint8Array(packed.length * 10)
      for (let at = 0; at < 10; at++) whole.set(packed, at * packed.length)
      return asGzip(whole)
    },
    'a zip of 20 members of 50 MB': () => {
      const zeros = new Uint8Array(50 * MB)
      return zipSync(Object.fromEntries(list(20, (at) => [`${at}.json`, zeros])))
    },
    'a zip of 20,000 files': () =>
      zipSync(Object.fromEntries(list(20_000, (at) => [`${at}.json`, new Uint8Array([91, 93])]))),
    'a zip in a zip, ten times': () => {
      let bytes: Uint8Array = new TextEncoder().encode('[]')
      for (let level = 0; level < 10; level++) bytes = zipSync({ [`${level}.zip`]: bytes })
      return bytes
    },
    'a zip cut in half': () => {
      const bytes = zipSync({ 'a.json': new TextEncoder().encode(resultOf('x')) })
      return bytes.slice(0, bytes.length / 2)
    },
  }),
]
